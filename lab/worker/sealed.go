package worker

import "fmt"

// Decoders are given their input in memory that cannot be written to, where the system
// has such: one that parses in place would find its work done the second time.

// sealAlign is what the start of each message is aligned to, as the allocator's own blocks
// of this size are; sealPad is how far behind the last message may be read, as vectorised
// code does.
const (
	sealAlign = 64
	sealPad   = 256
	// sealMost bounds what is kept twice.
	sealMost = 256 << 20
)

// sealed is messages in read-only memory.
type sealed struct {
	from, to uintptr // its addresses
	free     func()  // gives the memory back; what points there reads zeros from then on
}

// holds reports whether an address lies in it.
func (s *sealed) holds(at uintptr) bool { return s != nil && s.from <= at && at < s.to }

// lay copies messages into mem, from which the results are cut.
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

// scribbled reports a fault in sealed memory: a panic whose address lies there.
func (b *bench[T, N]) scribbled(p any) (text string, ok bool) {
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
