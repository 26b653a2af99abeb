//go:build purego

package wire

// String is b as a string.
func String(b []byte) string { return string(b) }
