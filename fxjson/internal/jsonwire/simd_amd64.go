//go:build !purego

package jsonwire

// useBlocks says that the processor has AVX, which the assembly needs.
var useBlocks = hasAVX()

func hasAVX() bool
