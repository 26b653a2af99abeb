package wire

import "encoding/binary"

// Most messages that have a map have one from strings to strings. So small maps, and narrow maps of
// ASCII, have fast code of their own here. The general functions beside it are its reference.

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
