package jsonwire

import "testing"

// TestShortStrings quotes strings that end where their memory does. With
// -gcflags=all=-d=checkptr it would die if a load past that end were looked at.
func TestShortStrings(t *testing.T) {
	for n := 1; n <= 16; n++ {
		for range 100 {
			b := make([]byte, n)
			for i := range b {
				b[i] = 'a' + byte(i)
			}
			s := string(b)
			checkQuote(t, s)
			Prefix(s)
		}
	}
}
