package zmymodel

// size returns the bytes that a value of t takes among the scalars, 0 for a tail.
func (t *Type) size() int {
	switch t.Kind {
	case Array:
		if n := t.Len * t.Elem.size(); n <= 255 {
			return n
		}
		return 0
	case Inline:
		return t.Elem.sections().s
	}
	return scalars[t.Kind]
}

// long reports whether t is an array of scalars that is too long for the scalar section. n is its
// size in bytes.
func (t *Type) long() (n int, ok bool) {
	if t.Kind != Array || t.size() > 0 {
		return 0, false
	}
	n = t.Len * t.Elem.size()
	return n, n > 0
}

// dense reports whether t is a struct whose lists are dense.
func (t *Type) dense() bool { return t.Kind == Struct && !t.Sparse }

// elem returns the type of the elements of a list or an array, or of a map's values. A pointer to a
// dense struct is encoded as the struct.
func (t *Type) elem() *Type {
	if e := t.Elem; e.Kind == Opt && e.Elem.dense() {
		return e.Elem
	}
	return t.Elem
}

// empty reports whether t is a struct without fields.
func (t *Type) empty() bool { return t.Kind == Struct && len(t.Fields) == 0 }

// sections are the bytes of scalars and the number of tails of a struct.
type sections struct{ s, n int }

func (t *Type) sections() sections { return t.first(len(t.Fields)) }

// first returns the sections of a struct with the first k fields.
func (t *Type) first(k int) (c sections) {
	for _, f := range t.Fields[:k] {
		if n := f.Type.size(); n > 0 {
			c.s += n
		} else {
			c.n++
		}
	}
	return c
}

// accepts reports whether a struct with the sections c can be read as the dense struct t
// (FORMAT.md, section 2, "Versions").
func (t *Type) accepts(c sections) bool {
	mine := t.sections()
	if c.s >= mine.s && c.n >= mine.n {
		return true
	}
	for k := 1; k < len(t.Fields); k++ {
		if t.first(k) == c {
			return true
		}
	}
	return false
}

// Units of the budget, section 9.
const (
	slotUnits = 24
	anyUnits  = 32
	pairUnits = 16
)

// units returns the cost of a value of t.
func (t *Type) units() int {
	if n := t.size(); n > 0 {
		return n
	}
	if n, ok := t.long(); ok {
		return n
	}
	switch t.Kind {
	case Any:
		return anyUnits
	case Array:
		return t.Len * t.Elem.units()
	case Struct:
		sum := 0
		for _, f := range t.Fields {
			if !f.Reserved {
				sum += f.Type.units()
			}
		}
		if t.Keeps {
			sum += slotUnits
		}
		return sum
	}
	return slotUnits
}

// IsFixed reports whether t is a scalar, IsLong whether it is an array of scalars that is a tail.
// IsDense reports whether t is a struct whose lists are dense, IsEmpty whether it is a struct
// without fields.
func (t *Type) IsFixed() bool { return t.size() > 0 }
func (t *Type) IsLong() bool  { _, ok := t.long(); return ok }
func (t *Type) IsDense() bool { return t.dense() }
func (t *Type) IsEmpty() bool { return t.empty() }

// Element returns the type of the elements of lists, arrays and maps of type t, as encoded.
func (t *Type) Element() *Type { return t.elem() }

// Compare compares two keys of type t in the order of maps.
func (t *Type) Compare(x, y Value) int {
	switch a, b := []byte(bytesOf(x)), []byte(bytesOf(y)); {
	case t.less(a, b):
		return -1
	case t.less(b, a):
		return 1
	}
	return 0
}

// Payload returns the type of the payload of a kind of any.
func Payload(kind byte) *Type { return anyForms[kind].typ }

// Sections returns the bytes of a struct's scalars and the number of its tails. Units returns the
// cost of a value of t.
func (t *Type) Sections() (scalars, tails int) { c := t.sections(); return c.s, c.n }
func (t *Type) Units() int                     { return t.units() }
