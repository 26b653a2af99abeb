//go:build purego

package wire

// String returns b as a string.
func String(b []byte) string { return string(b) }
