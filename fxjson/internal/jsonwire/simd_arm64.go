//go:build !purego

package jsonwire

// useBlocks says that there is assembly. Every arm64 processor has the instructions that it needs.
const useBlocks = true

// expandLen says how many bytes eight bytes become when [expand] puts a backslash before the marked
// ones. The index says which are marked, one bit a byte.
var expandLen = func() (t [256]byte) {
	for m := range t {
		t[m] = 8
		for i := range 8 {
			t[m] += byte(m >> i & 1)
		}
	}
	return t
}()
