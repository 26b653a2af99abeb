//go:build purego || !amd64

package jsonwire

const useBlocks = false

func appendBlocks(dst []byte, s string, plain bool) []byte { return appendWords(dst, s, plain) }
