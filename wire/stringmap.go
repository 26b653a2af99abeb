package wire

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// Most messages that have a map have one from strings to strings. So small maps, and narrow maps of
// ASCII, have fast code of their own here. The general functions beside it are its reference.

// AppendStringMap appends a map from strings to strings.
func AppendStringMap[M ~map[K]V, K, V ~string](e *Encoder, b []byte, m M) ([]byte, *Error) {
	if len(m) == 0 {
		return b, nil
	}
	if len(m) <= fewPairs {
		var p stringPairs
		for k, v := range m {
			p.add(string(k), string(v))
			if p.n == len(m) {
				break // the runtime would search the empty slots for one more
			}
		}
		if p.n == len(m) && p.size() <= Narrow {
			s := len(b)
			b = Extend(b, p.size())
			return b, p.put(b[s:])
		}
	}
	return appendStringMap(e, b, m)
}

// appendStringMap is the general form of AppendStringMap.
func appendStringMap[M ~map[K]V, K, V ~string](e *Encoder, b []byte, m M) ([]byte, *Error) {
	pairs := Pairs(nil, m)
	s := len(b)
	b, err := AppendStringKeys(BeginMap(b), pairs)
	if err != nil {
		return b, err
	}
	keyEnd := len(b)
	b, w := BeginList(b, keyEnd, len(pairs))
	for i := range pairs {
		v := string(pairs[i].Val)
		if !ValidString(v) {
			return b, Fail(ErrUTF8, 0).AtKey(string(pairs[i].Key), 0)
		}
		b = w.Mark(append(b, v...))
	}
	return e.EndMap(b, s, keyEnd)
}

// fewPairs is the largest number of pairs in a map that is sorted while it is ranged over. It is a
// power of two, so that masked indices need no bounds checks.
const fewPairs = 8

// stringPairs holds the pairs of a small map. Only the heads, which are the keys' first eight
// bytes, are moved into order; the strings stay in place. (Sorting the pairs themselves took 1.3
// times as long.)
type stringPairs struct {
	n     int
	text  int // bytes of all strings
	keys  [fewPairs]string
	vals  [fewPairs]string
	heads [fewPairs]uint64 // heads of the keys, sorted
	order [fewPairs]uint8  // the index of each head's key
}

// size returns the encoded size of the map if that is narrow.
func (p *stringPairs) size() int { return 2 + 4*(p.n+1) + p.text }

func (p *stringPairs) add(k, v string) {
	i := p.n & (fewPairs - 1)
	p.keys[i], p.vals[i] = k, v
	p.n++
	p.text += len(k) + len(v)
	h, o := stringHead(k), uint8(i)
	for ; i > 0; i-- {
		g, q := p.heads[i-1], p.order[i-1]
		if g < h || g == h && p.keys[q%fewPairs] < k {
			break
		}
		p.heads[i], p.order[i] = g, q
	}
	p.heads[i], p.order[i] = h, o
}

// put writes the map to x, whose length is size().
func (p *stringPairs) put(x []byte) *Error {
	order := p.order[:p.n]
	n, plainKeys := putColumn(x[2:], &p.keys, order)
	PutU16(x, uint16(2+n))
	_, plainVals := putColumn(x[2+n:], &p.vals, order)
	if plainKeys && plainVals {
		return nil
	}
	return p.check(order)
}

// check returns the error of the first string that is not UTF-8, or nil.
func (p *stringPairs) check(order []uint8) *Error {
	for _, o := range order {
		if k := p.keys[o%fewPairs]; !ValidString(k) {
			return Fail(ErrUTF8, 0).AtKey(strings.ToValidUTF8(k, "\uFFFD"), 0)
		}
	}
	for _, o := range order {
		if !ValidString(p.vals[o%fewPairs]) {
			return Fail(ErrUTF8, 0).AtKey(p.keys[o%fewPairs], 0)
		}
	}
	return nil
}

// stringHead returns the first eight bytes of s as a big-endian number, with zeros after a shorter
// s. If the heads of two strings differ, they order as the strings do; if they are equal, the
// strings may differ.
func stringHead(s string) uint64 {
	switch n := len(s); {
	case n >= 8:
		return bits.ReverseBytes64(le64s(s, 0))
	case n >= 4:
		low := uint64(bits.ReverseBytes32(le32s(s, n-4))) << (64 - 8*n)
		return uint64(bits.ReverseBytes32(le32s(s, 0)))<<32 | uint64(uint32(low))
	case n == 0:
		return 0
	default: // of 1 to 3 bytes; for n < 3 the middle byte is the first or the last
		return uint64(s[0])<<56 | uint64(s[n/2])<<(56-8*(n/2)) | uint64(s[n-1])<<(64-8*n)
	}
}

// DecodeStringMap reads the slot b as a map from strings to strings.
func DecodeStringMap[M ~map[K]V, K, V ~string](d *Decoder, b []byte, m *M) *Error {
	keys, vals, n := plainColumns(b, true)
	if n == 0 || d.CopyEach {
		return decodeStringMap(d, b, m)
	}
	if err := d.ChargeMap(n, PairCost+2*SlotCost, 16, 16, 0); err != nil {
		return err
	}
	out := MakeMap(d, *m, n)
	k, v := 2*n+2, 2*n+2
	for i := 2; i <= 2*n; i += 2 {
		kEnd, vEnd := int(U16(keys[i:])), int(U16(vals[i:]))
		out[K(String(keys[k:kEnd]))] = V(String(vals[v:vEnd]))
		k, v = kEnd, vEnd
	}
	*m = out
	return nil
}

// plainColumns opens the columns of a map from strings to slots and checks them; n is the number of
// pairs. The contents of the slots are checked only if text is set: they must be ASCII too. It
// returns n == 0 for a map that is not narrow, has keys that are not ASCII, or is not well-formed.
func plainColumns(b []byte, text bool) (keys, vals []byte, n int) {
	if len(b) < 10 || len(b) > Narrow {
		return nil, nil, 0
	}
	keyEnd := int(U16(b))
	if keyEnd < 6 || keyEnd > len(b)-4 {
		return nil, nil, 0
	}
	keys, vals = b[2:keyEnd], b[keyEnd:]
	first := int(U16(keys))
	if first != int(U16(vals)) || first < 4 || first&1 != 0 || first > len(keys) || first > len(vals) {
		return nil, nil, 0
	}
	kw, vw := keys[:first], vals[:first]
	k, v, last := first, first, uint64(0)
	for i := 2; i < len(kw)-1 && i < len(vw)-1; i += 2 {
		kEnd, vEnd := int(U16(kw[i:])), int(U16(vw[i:]))
		if kEnd < k || kEnd > len(keys) || vEnd < v || k+10 > len(b) { // eight bytes are read at 2+k
			return nil, nil, 0
		}
		// For a short key, clear the bytes that follow it in the message.
		head := binary.BigEndian.Uint64(b[2+k:]) &^ (^uint64(0) >> (8 * uint(kEnd-k)))
		// The heads alone decide, unless the keys begin alike: then the keys are compared.
		if head <= last && i > 2 && (head < last || string(keys[k:kEnd]) <= string(keys[U16(kw[i-4:]):k])) {
			return nil, nil, 0
		}
		k, v, last = kEnd, vEnd, head
	}
	if k != len(keys) || v != len(vals) || !ASCII(keys[first:]) || text && !ASCII(vals[first:]) {
		return nil, nil, 0
	}
	return keys, vals, first/2 - 1
}

// decodeStringMap is the general form of DecodeStringMap.
func decodeStringMap[M ~map[K]V, K, V ~string](d *Decoder, b []byte, m *M) *Error {
	if len(b) == 0 {
		*m = nil
		return nil
	}
	kb, vb, keyEnd, err := OpenMap(b)
	if err != nil {
		return err
	}
	keys, err := stringColumn(kb, true)
	if err != nil {
		return err.Shift(keyEnd - len(kb))
	}
	vals, err := stringColumn(vb, false)
	if err != nil {
		return err.Shift(keyEnd)
	}
	if keys.N != vals.N {
		return Fail(ErrCount, keyEnd)
	}
	if err := d.ChargeMap(keys.N, PairCost+2*SlotCost, 16, 16, 0); err != nil {
		return err
	}
	out := MakeMap(d, *m, keys.N)
	for range keys.N {
		k, _, _ := keys.Next()
		v, _, _ := vals.Next()
		out[K(d.String(k))] = V(d.String(v))
	}
	*m = out
	return nil
}
