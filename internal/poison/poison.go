// Package poison reveals uses of memory after it was returned to a pool, in programs built with
// -race or with the tag zmydebug. In other programs On is false, and the compiler removes the code
// that depends on it.
package poison

// Mark is the byte that overwrites a retired buffer.
const Mark = 0xDB

// size is the length of the slice that replaces a retired one.
const size = 219

// Retire overwrites all of *b, up to its capacity, and calls keep with the emptied memory for the
// next use. It sets *b to a slice of 219 bytes Mark that nobody else has. So a length, an element
// or an append that is based on *b afterwards is wrong in the same way each time. The caller must
// not hand out b itself again.
//
// In programs built with -race, keep runs in another goroutine, and each later access of the caller
// to *b or to the memory is also a data race with the accesses of Retire.
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
