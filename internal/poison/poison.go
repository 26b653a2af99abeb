// Package poison makes a use of memory that went back to a pool visible, in programs built with
// -race or with the tag zmydebug. Elsewhere On is false and the compiler removes what depends on
// it.
package poison

// Mark is the byte that replaces the bytes of a retired buffer.
const Mark = 0xDB

// size is the length of what a retired slice becomes.
const size = 219

// Retire overwrites all of *b, up to its capacity, and calls keep with the emptied memory for the
// next use. *b becomes a slice of 219 bytes Mark that nothing else has, so a length, an element or
// an append that is taken from it afterwards is wrong in the same way each time. The caller must
// not hand b itself out again.
//
// In programs built with -race each later access of the caller to *b or to the memory is also a
// race, as the accesses of Retire are not ordered before it. keep runs in another goroutine there.
func Retire(b *[]byte, keep func(emptied []byte)) {
	apart(func() {
		memory := (*b)[:cap(*b)]
		fill(memory)
		marks := make([]byte, size)
		fill(marks)
		*b = marks
		keep(memory[:0])
	})
}

var pattern = func() (p [4096]byte) {
	for i := range p {
		p[i] = Mark
	}
	return p
}()

func fill(b []byte) {
	for len(b) > 0 {
		b = b[copy(b, pattern[:]):]
	}
}
