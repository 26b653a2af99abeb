package bench

import "fmt"

// Decoders get their input in read-only memory, if the system provides it. In writable memory, a
// decoder that parses in place would find its work already done at the second pass.

// sealAlign is the alignment of each message in bytes, like that of blocks from the allocator.
// sealPad is the number of readable bytes after the last message: vectorised code may read past the
// end.
const (
	sealAlign = 64
	sealPad   = 256
	// sealMost bounds the size of sealed memory, which holds a second copy of the messages.
	sealMost = 256 << 20
)

// sealed is read-only memory with messages.
type sealed struct {
	from, to uintptr // its range of addresses
	free     func()  // gives the memory back; pointers into it read zeros afterwards
}

// holds reports whether at is an address in s.
func (s *sealed) holds(at uintptr) bool { return s != nil && s.from <= at && at < s.to }

// lay copies messages into mem and returns the copies.
func lay(mem []byte, wire [][]byte) [][]byte {
	out := make([][]byte, len(wire))
	at := 0
	for i, w := range wire {
		n := copy(mem[at:], w)
		out[i] = mem[at : at+n : at+n]
		at += room(n)
	}
	return out
}

func room(n int) int { return (n + sealAlign - 1) &^ (sealAlign - 1) }

func roomOf(wire [][]byte) int {
	n := sealPad
	for _, w := range wire {
		n += room(len(w))
	}
	return n
}

// Scribbled reports whether a panic was caused by a write to sealed memory.
func (b *Bench[N]) Scribbled(p any) (text string, ok bool) {
	fault, ok := p.(interface{ Addr() uintptr })
	if !ok {
		return "", false
	}
	for _, s := range b.seals {
		if s.holds(fault.Addr()) {
			return fmt.Sprintf("it writes to its input, which is read-only memory (%v)", p), true
		}
	}
	return "", false
}
