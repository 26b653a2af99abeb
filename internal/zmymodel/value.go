package zmymodel

// Value is the content of a field or an element. It is nil where a slot is empty,
// else one of the types below.
type Value any

type (
	// Fixed is a scalar, as its bytes.
	Fixed string
	// Raw is what stands in a slot as it is: strings, bytes, big numbers.
	Raw string
	// Elems are the elements of a list or an array, at least one.
	Elems []Value
	// Pairs are those of a map, by rising keys, at least one.
	Pairs []Pair
	// Some is what a pointer points to; Some{nil} is an empty string or list.
	Some struct{ Value }
	// Rec is a struct. One that stands in a slot is not zero.
	Rec struct {
		Fields []Value // Fixed or nil or the value of a tail; of a reserved tail Raw
		Rest   Rest
	}
	// Rest is what newer versions have more.
	Rest struct {
		Scalars string
		Tails   []string
		Bits    []int // of a sparse struct: the numbers of those fields
	}
	// Arm is an arm of a union, which is Raw if it is not known.
	Arm struct {
		Disc  int
		Value Value
	}
	// Dyn is a value of type any: its payload is Raw, Elems of Dyn, Pairs, or nil.
	Dyn struct {
		Kind    byte
		Payload Value
	}
)

// Pair is one of a map.
type Pair struct{ Key, Value Value }

// Zero is the zero value of the struct t.
func (t *Type) Zero() *Rec {
	r := &Rec{Fields: make([]Value, len(t.Fields))}
	for i, f := range t.Fields {
		r.Fields[i] = f.Type.zero()
	}
	return r
}

// zero is the zero value of a field: bytes for scalars, an empty slot for others.
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

// IsZero reports that r is the zero value.
func (r *Rec) IsZero() bool {
	for _, v := range r.Fields {
		switch v := v.(type) {
		case nil:
		case Fixed:
			if !allZero(string(v)) {
				return false
			}
		case *Rec:
			if !v.IsZero() { // inline
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
