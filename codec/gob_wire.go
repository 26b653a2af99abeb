package codec

import "slices"

// This file reads the parts of gob's format that the documentation of encoding/gob describes in
// "Encoding Details". A message is its length and then that many bytes, which begin with the id of
// a type. A negative id is followed by the definition of the type -id, a positive one by a value of
// that type.

const gobInterface = 8 // the id of interface types, the same for all programs

// splitGob splits a message that stands alone into the definitions of types and the value. It
// returns the length of the definitions and the id of the value's type. ok is false unless b ends
// with the value.
func splitGob(b []byte) (definitions int, value int64, ok bool) {
	r := gobReader{b: b}
	for {
		start := len(b) - len(r.b)
		size := r.uint()
		if r.bad || size > uint64(len(r.b)) {
			return 0, 0, false
		}
		in := gobReader{b: r.b[:size]}
		id := in.int()
		if in.bad {
			return 0, 0, false
		}
		r.b = r.b[size:]
		if id >= 0 {
			return start, id, len(r.b) == 0
		}
	}
}

// gobDefinesNoInterface reports whether no type in the definitions contains an interface. A value
// that contains an interface brings definitions of its own, which a decoder does not accept twice.
// If in doubt it returns false.
func gobDefinesNoInterface(definitions []byte) bool {
	r := gobReader{b: definitions}
	for len(r.b) > 0 {
		size := r.uint()
		if r.bad || size > uint64(len(r.b)) {
			return false
		}
		in := gobReader{b: r.b[:size]}
		r.b = r.b[size:]
		if in.int() >= 0 {
			return false
		}
		in.walk(gobWireType)
		if in.bad || len(in.b) > 0 || slices.Contains(in.refs, gobInterface) {
			return false
		}
	}
	return true
}

// gobShape is the structure of a part of a definition.
type gobShape struct {
	kind   byte        // 's'tring, 'n'umber, 't'ype id, '{' struct, '[' slice
	fields []*gobShape // the fields of a struct in order, or the element of a slice
}

// The types of definitions, from encoding/gob/type.go.
var (
	gobString  = &gobShape{kind: 's'}
	gobNumber  = &gobShape{kind: 'n'}
	gobTypeID  = &gobShape{kind: 't'}
	gobCommon  = gobStruct(gobString, gobNumber)
	gobField   = gobStruct(gobString, gobTypeID)
	gobMethods = gobStruct(gobCommon)

	gobWireType = gobStruct(
		gobStruct(gobCommon, gobTypeID, gobNumber), // array: element, length
		gobStruct(gobCommon, gobTypeID),            // slice: element
		gobStruct(gobCommon, &gobShape{kind: '[', fields: []*gobShape{gobField}}),
		gobStruct(gobCommon, gobTypeID, gobTypeID), // map: key, element
		gobMethods, gobMethods, gobMethods, // GobEncoder, BinaryMarshaler, TextMarshaler
	)
)

func gobStruct(fields ...*gobShape) *gobShape { return &gobShape{kind: '{', fields: fields} }

// gobReader reads numbers and shapes. After malformed bytes, bad stays set.
type gobReader struct {
	b    []byte
	bad  bool
	refs []int64 // type ids that were read
}

func (r *gobReader) walk(s *gobShape) {
	switch s.kind {
	case 's':
		n := r.uint()
		if n > uint64(len(r.b)) {
			r.bad = true
			return
		}
		r.b = r.b[n:]
	case 'n':
		r.int()
	case 't':
		r.refs = append(r.refs, r.int())
	case '[':
		for n := r.uint(); n > 0 && !r.bad; n-- {
			r.walk(s.fields[0])
		}
	case '{':
		for at := -1; !r.bad; {
			delta := r.uint()
			if delta == 0 {
				return
			}
			if delta > uint64(len(s.fields)-1-at) {
				r.bad = true
				return
			}
			at += int(delta)
			r.walk(s.fields[at])
		}
	}
}

// uint reads an unsigned number: a number below 128 is one byte. For a larger number, the first
// byte is the negated count of the bytes that follow, and these hold the number, the highest byte
// first.
func (r *gobReader) uint() uint64 {
	if r.bad || len(r.b) == 0 {
		r.bad = true
		return 0
	}
	first := r.b[0]
	r.b = r.b[1:]
	if first < 0x80 {
		return uint64(first)
	}
	n := -int(int8(first))
	if n > 8 || n > len(r.b) {
		r.bad = true
		return 0
	}
	var u uint64
	for _, c := range r.b[:n] {
		u = u<<8 | uint64(c)
	}
	r.b = r.b[n:]
	return u
}

// int reads a signed number. If its lowest bit is set, the other bits are complemented.
func (r *gobReader) int() int64 {
	u := r.uint()
	if u&1 != 0 {
		return ^int64(u >> 1)
	}
	return int64(u >> 1)
}
