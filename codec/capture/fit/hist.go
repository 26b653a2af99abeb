package fit

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Hist is a histogram with a bin for each value that occurred, ascending. Lengths up to 15 have bins
// of their own. Above, eight bins cover the lengths between a power of two and the next.
type Hist []Bin

// Bin counts the values of one bin. In JSON it is an array [at, n].
type Bin struct {
	At int // least value of the bin
	N  uint64
}

// MarshalJSON writes [at, n].
func (b Bin) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "[%d,%d]", b.At, b.N), nil }

// UnmarshalJSON reads [at, n].
func (b *Bin) UnmarshalJSON(text []byte) error {
	var pair [2]json.Number
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	if _, err := fmt.Sscan(pair[0].String(), &b.At); err != nil {
		return err
	}
	_, err := fmt.Sscan(pair[1].String(), &b.N)
	return err
}

const exact = 16 // lengths below have bins of their own

// lengthBin returns the least length of n's bin.
func lengthBin(n int) int {
	if n < exact {
		return n
	}
	n = min(n, maxLength)
	step := 1 << (bits.Len(uint(n)) - 4)
	return n &^ (step - 1)
}

// lengthWidth returns the number of lengths in the bin that begins at n.
func lengthWidth(n int) int {
	if n < exact {
		return 1
	}
	return 1 << (bits.Len(uint(n)) - 4)
}

// find returns the place of bin at, and whether there is one.
func (h Hist) find(at int) (int, bool) {
	return slices.BinarySearchFunc(h, at, func(b Bin, at int) int { return b.At - at })
}

// plus counts n values in bin at. grow says whether a new bin may be added; if not, the nearest bin
// counts.
func (h *Hist) plus(at int, n uint64, grow func() bool) {
	i, ok := h.find(at)
	switch {
	case ok:
	case len(*h) == 0 || grow == nil || grow():
		*h = slices.Insert(*h, i, Bin{At: at})
	case i == len(*h):
		i--
	}
	(*h)[i].N = sum(&(*h)[i].N, n)
}

// sum adds without overflow: a file may claim any counts.
func sum(a *uint64, b uint64) uint64 {
	s, over := bits.Add64(*a, b, 0)
	if over > 0 {
		return 1<<64 - 1
	}
	return s
}

// N returns the number of values.
func (h Hist) N() (n uint64) {
	for i := range h {
		n = sum(&n, h[i].N)
	}
	return n
}

// draw draws a bin with the probability of its count. An empty histogram gives bin 0.
func (h Hist) draw(r *rand.Rand) Bin {
	n := h.N()
	if n == 0 {
		return Bin{}
	}
	at := r.Uint64N(n)
	for _, b := range h {
		if at < b.N {
			return b
		}
		at -= b.N
	}
	return h[len(h)-1]
}

// length draws a length.
func (h Hist) length(r *rand.Rand) int {
	b := h.draw(r)
	return b.At + r.IntN(lengthWidth(b.At))
}

// quantile returns the bin in which the share p of the values ends.
func (h Hist) quantile(p float64) int {
	n, left := h.N(), p*float64(h.N())
	for _, b := range h {
		if left -= float64(b.N); left <= 0 && n > 0 {
			return b.At
		}
	}
	if len(h) == 0 {
		return 0
	}
	return h[len(h)-1].At
}

// Most returns the largest bin, 0 if there is none.
func (h Hist) Most() int {
	if len(h) == 0 {
		return 0
	}
	return h[len(h)-1].At
}
