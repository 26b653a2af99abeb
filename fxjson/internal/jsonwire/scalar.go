//go:build purego || !amd64

package jsonwire

// useBlocks says that there are kernels in assembly.
const useBlocks = false

func appendBlocks(dst []byte, s string, plain bool) []byte { return appendWords(dst, s, plain) }

func unescapeSimple(_ []byte, w, r int) (int, int) { return w, r }
