package wire

// AppendString appends s. It returns ErrUTF8 if s is not UTF-8.
func AppendString[S ~string](b []byte, s S) ([]byte, *Error) {
	if !ValidString(string(s)) {
		return b, Fail(ErrUTF8, 0)
	}
	return append(b, s...), nil
}

// AppendStrings appends a list of strings. An empty list takes no bytes.
func AppendStrings[L ~[]S, S ~string](b []byte, l L) ([]byte, *Error) {
	size := StringsSize(l)
	if size > Narrow {
		return appendStrings(b, l)
	}
	n := len(b)
	if b = Extend(b, size); !PutStrings(b[n:], l) {
		return appendStrings(b[:n], l) // finds the string that is not UTF-8
	}
	return b, nil
}

// StringsSize returns the encoded size of a list of strings. If the result exceeds Narrow, the true
// size is even larger.
func StringsSize[L ~[]S, S ~string](l L) int {
	if len(l) == 0 {
		return 0
	}
	size := 2 * (len(l) + 1)
	for _, s := range l {
		size += len(s)
	}
	return size
}

// PutStrings writes a list of strings to x, whose length is the list's size. It reports whether all
// strings are UTF-8.
func PutStrings[L ~[]S, S ~string](x []byte, l L) bool {
	if len(l) == 0 {
		return true
	}
	end, all := 2*(len(l)+1), uint64(0)
	PutU16(x, uint16(end))
	for i, s := range l {
		all |= PutText(x[end:end+len(s)], string(s))
		end += len(s)
		PutU16(x[2*i+2:], uint16(end))
	}
	if all&High == 0 {
		return true
	}
	for _, s := range l {
		if !ValidString(string(s)) {
			return false
		}
	}
	return true
}

// appendStrings is the general form of AppendStrings.
func appendStrings[L ~[]S, S ~string](b []byte, l L) ([]byte, *Error) {
	b, w := BeginList(b, len(b), len(l))
	for i, s := range l {
		if !ValidString(string(s)) {
			return b, Fail(ErrUTF8, 0).At(i, 0)
		}
		b = w.Mark(append(b, s...))
	}
	return b, nil
}

// stringColumn opens a list of strings and checks all of it. It checks the bytes of all strings as
// one run of UTF-8, and that no string starts inside a rune. (Checking string by string was 1.46
// times slower.) If keys is set, the strings must strictly increase.
func stringColumn(b []byte, keys bool) (List, *Error) {
	l, c := openWords(b, 0, 0)
	if c != OK {
		return l, FailSlot(c, b)
	}
	it, last := l, []byte(nil)
	for i := range l.N {
		x, off, ok := it.Next()
		if !ok {
			return l, Fail(ErrEnds, off).At(i, 0)
		}
		if len(x) > 0 && continues(x[0]) {
			return l, Fail(ErrUTF8, off).At(i, 0)
		}
		if keys && i > 0 && string(x) <= string(last) {
			return l, Fail(ErrKeyOrder, off).At(i, 0)
		}
		last = x
	}
	if !Valid(b[l.pos:]) {
		return l, badString(l)
	}
	return l, nil
}

// OpenStrings opens the slot b as a list of strings and checks all of it. b must not be empty.
func OpenStrings(b []byte) (List, *Error) { return stringColumn(b, false) }

// badString returns the error of the first string that is not UTF-8.
func badString(it List) *Error {
	for i := range it.N {
		if x, off, _ := it.Next(); !Valid(x) {
			return Fail(ErrUTF8, off).At(i, 0)
		}
	}
	return Fail(ErrUTF8, 0)
}

// DecodeStrings reads the slot b as a list of strings.
func DecodeStrings[L ~[]S, S ~string](d *Decoder, b []byte, v *L) *Error {
	if len(b) == 0 {
		*v = nil
		return nil
	}
	l, err := stringColumn(b, false)
	if err != nil {
		return err
	}
	if err := d.Charge(l.N, SlotCost); err != nil {
		return err
	}
	s := Make(d, *v, l.N)
	for i := range s {
		x, _, _ := l.Next()
		s[i] = S(d.String(x))
	}
	*v = s
	return nil
}

// AppendBytesList appends a list of byte strings. An empty list takes no bytes.
func AppendBytesList[L ~[]S, S ~[]byte](b []byte, l L) []byte {
	if len(l) == 0 {
		return b
	}
	b, w := BeginList(b, len(b), len(l))
	for _, s := range l {
		b = w.Mark(append(b, s...))
	}
	return b
}

// DecodeBytesList reads the slot b as a list of byte strings.
func DecodeBytesList[L ~[]S, S ~[]byte](d *Decoder, b []byte, v *L) *Error {
	if len(b) == 0 {
		*v = nil
		return nil
	}
	l, err := OpenList(b)
	if err != nil {
		return err
	}
	if err := d.Charge(l.N, SlotCost); err != nil {
		return err
	}
	s := Make(d, *v, l.N)
	for i := range s {
		x, off, ok := l.Next()
		if !ok {
			return Fail(ErrEnds, off).At(i, 0)
		}
		s[i] = S(d.Bytes(x))
	}
	*v = s
	return nil
}

// Bytes returns b with cap equal to len, so that appending to it does not overwrite its neighbours
// in the message. It returns nil if b is empty.
func Bytes(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b[:len(b):len(b)]
}
