package zmymodel

import (
	"bytes"
	"math/rand/v2"
)

// Damage returns a copy of the message b with one to three places changed.
func Damage(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(3) {
		if len(b) == 0 {
			return b
		}
		p := r.IntN(len(b))
		switch r.IntN(8) {
		case 0, 1:
			b[p] ^= 1 << r.IntN(8)
		case 2:
			b[p] = byte(r.Uint32())
		case 3, 4:
			b[p] += byte(r.IntN(5) - 2)
		case 5:
			q := r.IntN(len(b))
			copy(b[p:], b[q:min(len(b), q+8)])
		case 6:
			b = append(b[:p], b[min(len(b), p+1+r.IntN(4)):]...)
		case 7:
			q := r.IntN(len(b))
			b = append(b[:p:p], append(bytes.Clone(b[q:min(len(b), q+1+r.IntN(4))]), b[p:]...)...)
		}
	}
	return b
}
