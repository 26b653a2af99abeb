//go:build !purego

package jsonwire

// useBlocks says that there is assembly; every arm64 has what it needs.
const useBlocks = true

// expandLen has for each set of marks of eight bytes how many bytes they become.
var expandLen = func() (t [256]byte) {
	for m := range t {
		t[m] = 8
		for i := range 8 {
			t[m] += byte(m >> i & 1)
		}
	}
	return t
}()
