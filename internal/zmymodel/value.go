package zmymodel

// Value is the content of a field or an element. It is nil for an empty slot, else one of the types
// below.
type Value any

type (
	// Fixed is the bytes of a scalar.
	Fixed string
	// Raw is the bytes of a slot, for strings, bytes and big numbers.
	Raw string
	// Elems are the elements of a list or an array. There is at least one.
	Elems []Value
	// Pairs are the pairs of a map, sorted by key. There is at least one.
	Pairs []Pair
	// Some is the value of a pointer that is not nil. Some{nil} is an empty string or list.
	Some struct{ Value }
	// Rec is a struct. A Rec in a slot is not zero.
	Rec struct {
		Fields []Value // Fixed for a scalar, nil or a value for a tail, Raw for a reserved tail
		Rest   Rest
	}
	// Rest is what a message of a newer version has in addition.
	Rest struct {
		Scalars string
		Tails   []string
		Bits    []int // of a sparse struct: the numbers of the additional fields
	}
	// Arm is an arm of a union. The Value of an unknown arm is Raw.
	Arm struct {
		Disc  int
		Value Value
	}
	// Dyn is a value of type any. Payload has the type that belongs to the kind, Raw for unknown
	// kinds.
	Dyn struct {
		Kind    byte
		Payload Value
	}
)

// Pair is one pair of a map.
type Pair struct{ Key, Value Value }

// Zero returns the zero value of the struct type t.
func (t *Type) Zero() *Rec {
	r := &Rec{Fields: make([]Value, len(t.Fields))}
	for i, f := range t.Fields {
		r.Fields[i] = f.Type.zero()
	}
	return r
}

// zero returns the zero value of a field: zero bytes for a scalar, nil for a tail.
func (t *Type) zero() Value {
	switch n := t.size(); {
	case n == 0:
		return nil
	case t.Kind == Inline:
		return t.Elem.Zero()
	default:
		return Fixed(make([]byte, n))
	}
}

// IsZero reports whether r is the zero value.
func (r *Rec) IsZero() bool {
	for _, v := range r.Fields {
		switch v := v.(type) {
		case nil:
		case Fixed:
			if !allZero(string(v)) {
				return false
			}
		case *Rec:
			if !v.IsZero() { // an inline struct
				return false
			}
		default:
			return false
		}
	}
	return allZero(r.Rest.Scalars) && allEmpty(r.Rest.Tails)
}

func allEmpty(list []string) bool {
	for _, s := range list {
		if s != "" {
			return false
		}
	}
	return true
}

func allZero(s string) bool {
	for i := range len(s) {
		if s[i] != 0 {
			return false
		}
	}
	return true
}
