//go:build purego || !(amd64 || arm64)

package jsonwire

// useBlocks says that there is assembly.
const useBlocks = false

func appendBlocks(dst []byte, s string, plain bool) []byte { return appendWords(dst, s, plain) }
