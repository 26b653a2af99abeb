//go:build purego

package wire

// newBuffer returns an empty slice with room for n bytes.
func newBuffer(n int) []byte { return make([]byte, 0, n) }
