package jsonprint

// Hash is FNV-1a over words and bytes, for fingerprints.
type Hash uint64

const prime = 1099511628211

// NewHash returns the hash of no data.
func NewHash() Hash { return 14695981039346656037 }

// Sum returns the fingerprint, which is never 0.
func (h *Hash) Sum() uint64 { return max(uint64(*h), 1) }

// Num adds a number.
func (h *Hash) Num(x uint64) {
	*h = (*h ^ Hash(x)) * prime
	*h ^= *h >> 29 // multiplying alone moves no bit to a lower position
}

// Text adds a string and its length.
func (h *Hash) Text(s string) {
	sum := *h
	for i := range len(s) {
		sum = (sum ^ Hash(s[i])) * prime
	}
	*h = sum
	h.Num(uint64(len(s)))
}

// Flags adds bools.
func (h *Hash) Flags(flags ...bool) {
	x := uint64(0)
	for _, f := range flags {
		x <<= 1
		if f {
			x |= 1
		}
	}
	h.Num(x)
}
