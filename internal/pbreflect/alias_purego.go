//go:build purego

package pbreflect

// alias returns b as a string. Without package unsafe it must copy.
func alias(b []byte) string { return string(b) }
