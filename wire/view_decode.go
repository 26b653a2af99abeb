package wire

import "math/bits"

// A field that a view cannot show in place is decoded when it is read. A view stores the limits for
// that in the one word that it has besides the message. Each limit is rounded up to a power of two,
// and its exponent is stored in 5 bits for the depth and 6 bits for the budget. The defaults of
// package zmy are stored as 0. Rounding the depth up does no harm: a verified message is no deeper
// than was asked for.
const (
	limitsAt               = 49
	limitBits     sections = (1<<11 - 1) << limitsAt
	defaultDepth           = 6  // 64
	defaultBudget          = 24 // 16 Mi units
)

// Under returns s with limits for fields that are decoded when they are read. depth limits the
// nesting of values of type any, and budget the cost of each field. Both are rounded up to a power
// of two.
func (s Struct) Under(depth int, budget int64) Struct {
	d, n := min(bits.Len(uint(depth-1)), 30), min(bits.Len64(uint64(budget-1)), 62)
	s.m = s.m&^limitBits | sections((d^defaultDepth)<<6|n^defaultBudget)<<limitsAt
	return s
}

// Verified is Under for a struct whose message [Verify] has accepted.
func (s Struct) Verified(depth int, budget int64) Struct {
	s = s.Under(depth, budget)
	s.m |= verified
	return s
}

// underOwn is Under for a message that was opened without limits. Its budget grows with its size,
// like that of a message in an envelope.
func (s Struct) underOwn() Struct {
	return s.Under(1<<defaultDepth, max(1<<defaultBudget, 16*int64(len(s.b))))
}

// In returns s with the limits of p, the struct that contains s.
func (s Struct) In(p Struct) Struct {
	s.m = s.m&^limitBits | p.m&limitBits
	return s
}

// Decoder returns the state for decoding a field of s, and how many levels the field may enter.
// Decoded values share the memory of the message.
func (s Struct) Decoder() (d Decoder, left int) {
	m := int(s.m & limitBits >> limitsAt)
	return Decoder{Budget: 1 << (m&63 ^ defaultBudget), Free: Free(len(s.b)), NoCopy: true}, 1 << (m>>6 ^ defaultDepth)
}

// FindAny looks key up in a tail of s that is a map from strings to any, and decodes its value. If
// the value cannot be decoded, found is still true and err says why.
func (s Struct) FindAny(tail []byte, key string) (v any, found bool, err *Error) {
	if len(tail) == 0 {
		return nil, false, nil
	}
	kb, vb, keyEnd, err := OpenMap(tail)
	if err != nil {
		return nil, false, err
	}
	keys, err := OpenList(kb)
	if err != nil {
		return nil, false, err.Shift(keyEnd - len(kb))
	}
	i, found := MapView{keys: ListView{l: keys}}.Find(key)
	if !found {
		return nil, false, nil
	}
	vals, err := OpenList(vb)
	switch {
	case err != nil:
		return nil, true, err.AtKey(key, keyEnd)
	case vals.N != keys.N:
		return nil, true, Fail(ErrCount, keyEnd)
	}
	lo, hi := word(vb, vals.es*i, vals.es), word(vb, vals.es*(i+1), vals.es)
	if uint(lo) > uint(hi) || uint(hi) > uint(len(vb)) {
		return nil, true, Fail(ErrEnds, 0).AtKey(key, keyEnd+lo)
	}
	d, left := s.Decoder()
	if v, err = DecodeAny(&d, vb[lo:hi], left); err != nil {
		return nil, true, err.AtKey(key, keyEnd+lo)
	}
	return v, true, nil
}
