//go:build purego || !amd64

package jsonwire

// useSqueeze says that there is [unescapeSimple] in assembly.
const useSqueeze = false

func unescapeSimple(_ []byte, w, r int) (int, int) { return w, r }
