package schema

import (
	"fmt"
	"math"
)

// Limits of a schema. They bound the cost of a hostile one.
const (
	MaxTypes  = 1 << 14 // types in the table
	MaxFields = 1 << 14 // fields of one struct, arms of one union
	MaxSparse = 8 * 255 // fields of a sparse struct, whose bitmap has 1 to 255 bytes
	MaxFixed  = 255     // bytes of an inline struct, or of an array among the scalars
	MaxChain  = 64      // nested lists, arrays, maps and pointers without a struct between; nested inline structs
)

// Check returns an error that says why s is not a valid schema, or nil. All other functions of this
// package, except Of and Parse, expect a schema that has passed Check.
func (s *Schema) Check() error { return s.check(true) }

// check is Check. If numbers is not set, it does not look at the numbers of fields and arms: Diff
// reports gaps as changes of their own.
//
// The order matters, since a schema may be hostile. checkRefs comes first: all other checks follow
// the indices that it has checked. checkChains bounds the recursion of cyclic. checkInline and
// Layout come after cyclic, because they would recurse without end into a type that contains
// itself.
func (s *Schema) check(numbers bool) error {
	if len(s.Types) == 0 || len(s.Types) > MaxTypes {
		return fmt.Errorf("schema: %d types; there must be 1 to %d", len(s.Types), MaxTypes)
	}
	if s.Types[0].Kind != Struct {
		return fmt.Errorf("schema: type 0 is %s; a message is a struct", s.Types[0].Kind)
	}
	for i := range s.Types {
		err := s.checkRefs(&s.Types[i])
		if err == nil && numbers {
			err = s.Types[i].checkNumbers()
		}
		if err != nil {
			return fmt.Errorf("schema: type %d%s: %w", i, named(s.Types[i].Name), err)
		}
	}
	if err := s.checkChains(); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	state := make([]uint8, len(s.Types))
	for i := range s.Types {
		if s.cyclic(uint32(i), state) {
			return fmt.Errorf("schema: type %d%s contains itself", i, named(s.Types[i].Name))
		}
	}
	if err := s.checkInline(); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	for i := range s.Types {
		if err := s.checkType(&s.Types[i]); err != nil {
			return fmt.Errorf("schema: type %d%s: %w", i, named(s.Types[i].Name), err)
		}
	}
	_, err := s.Layout()
	return err
}

func named(s string) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf(" (%.40q)", s)
}

// checkRefs checks one type without looking at the types that it refers to.
func (s *Schema) checkRefs(t *Type) error {
	n := uint32(len(s.Types))
	switch k := t.Kind; {
	case k == 0 || k >= numKinds:
		return fmt.Errorf("unknown %s", k)
	case t.Elem >= n || t.Key >= n:
		return fmt.Errorf("refers to a type beyond the table of %d", n)
	case !k.hasElem() && t.Elem != 0, k != Map && t.Key != 0:
		return fmt.Errorf("%s holds no other type", k)
	case k == Reserved && (t.Len > MaxFixed || len(t.Name) > 256):
		return fmt.Errorf("%s of %d bytes with a name of %d", k, t.Len, len(t.Name))
	case k != Reserved && (k == Array) != (t.Len > 0) || t.Len > math.MaxInt32: // int may have 32 bits
		return fmt.Errorf("%s of length %d", k, t.Len)
	case !k.hasFields() && (len(t.Fields) > 0 || t.Lineage != 0 || t.Deprecated), t.Sparse && k != Struct:
		return fmt.Errorf("%s has no fields", k)
	case !k.isInteger() && len(t.Values) > 0:
		return fmt.Errorf("%s has no named values", k)
	case len(t.Fields) > MaxFields:
		return fmt.Errorf("%d fields; at most %d", len(t.Fields), MaxFields)
	case t.Sparse && (len(t.Fields) == 0 || len(t.Fields) > MaxSparse):
		return fmt.Errorf("sparse struct of %d fields; there must be 1 to %d", len(t.Fields), MaxSparse)
	}
	for i := range t.Fields {
		if t.Fields[i].Type >= n {
			return fmt.Errorf("field %d refers to a type beyond the table of %d", i, n)
		}
	}
	return nil
}

// checkNumbers checks the numbers of fields and arms.
func (t *Type) checkNumbers() error {
	next := uint32(0)
	if t.Kind == Union {
		next = 1
	}
	for i := range t.Fields {
		switch n := t.Fields[i].Number; {
		case t.Kind == Struct && n != next:
			return fmt.Errorf("field number %d stands where %d is next", n, next)
		case t.Kind == Union && (n < next || n > math.MaxUint16):
			return fmt.Errorf("arm number %d where at least %d is next", n, next)
		default:
			next = n + 1
		}
	}
	return nil
}

// checkChains limits how deep lists, maps, pointers and arrays are nested without a struct between.
// The depth limit of messages counts structs, so it would not limit these.
func (s *Schema) checkChains() error {
	for i := range s.Types {
		t := &s.Types[i]
		for n := 0; t.Kind.hasElem(); n++ {
			if n == MaxChain {
				return fmt.Errorf("type %d: more than %d types inside each other without a struct between", i, MaxChain)
			}
			t = &s.Types[t.Elem]
		}
	}
	return nil
}

// cyclic reports whether type i contains itself by value. state[i] is 0 before a type is visited, 1
// during the visit, and 2 after it.
func (s *Schema) cyclic(i uint32, state []uint8) bool {
	if state[i] > 0 {
		return state[i] == 1
	}
	t := &s.Types[i]
	state[i] = 1
	if t.Kind == Array && s.cyclic(t.Elem, state) {
		return true
	}
	for j := range t.Fields {
		if t.Kind == Struct && s.cyclic(t.Fields[j].Type, state) {
			return true
		}
	}
	state[i] = 2
	return false
}

// checkInline checks that inline structs are used in no other way than inline.
func (s *Schema) checkInline() error {
	inline := s.inline()
	if inline[0] {
		return fmt.Errorf("the message cannot stand inline")
	}
	levels := make([]int, len(s.Types))
	for i := range s.Types {
		if inline[i] && s.inlineLevels(uint32(i), levels) > MaxChain {
			return fmt.Errorf("type %d%s: more than %d structs inline inside each other", i, named(s.Types[i].Name), MaxChain)
		}
	}
	for i := range s.Types {
		t := &s.Types[i]
		if t.Kind.hasElem() && (inline[t.Elem] || t.Kind == Map && inline[t.Key]) {
			return fmt.Errorf("type %d holds a struct that stands inline", i)
		}
		for j := range t.Fields {
			f := &t.Fields[j]
			e := &s.Types[f.Type]
			if f.Inline != inline[f.Type] || f.Inline && (t.Kind != Struct || e.Kind != Struct || e.Sparse) {
				return fmt.Errorf("type %d field %d: a dense struct stands inline everywhere or nowhere", i, j)
			}
		}
	}
	return nil
}

// inlineLevels returns how many inline structs are nested from type i on, i included. The canonical
// text repeats an inline struct wherever it is used, so a long chain would make a huge text.
func (s *Schema) inlineLevels(i uint32, levels []int) int {
	if levels[i] == 0 {
		levels[i] = 1 // types that contain themselves were refused before
		for j := range s.Types[i].Fields {
			if f := &s.Types[i].Fields[j]; f.Inline {
				levels[i] = max(levels[i], 1+s.inlineLevels(f.Type, levels))
			}
		}
	}
	return levels[i]
}

// inline reports for each type whether it is an inline struct.
func (s *Schema) inline() []bool {
	out := make([]bool, len(s.Types))
	for i := range s.Types {
		for j := range s.Types[i].Fields {
			if f := &s.Types[i].Fields[j]; f.Inline {
				out[f.Type] = true
			}
		}
	}
	return out
}

// checkType checks which types t is made of. The types must not contain themselves by value.
func (s *Schema) checkType(t *Type) error {
	if t.Kind == Map && !s.isKey(&s.Types[t.Key]) {
		return fmt.Errorf("map key %s has no wire type", s.Types[t.Key].Kind)
	}
	for i := range t.Fields {
		if k := s.Types[t.Fields[i].Type].Kind; t.Kind == Union && k != Struct {
			return fmt.Errorf("arm %d is %s; arms are structs", t.Fields[i].Number, k)
		}
	}
	if !t.Kind.hasElem() {
		return nil
	}
	e := &s.Types[t.Elem]
	switch {
	case t.Kind == Opt && (e.Kind == Opt || e.Kind == Any || e.Kind == Union):
		return fmt.Errorf("pointer to %s has no wire type", e.Kind)
	case (t.Kind == List || t.Kind == Array) && e.Kind == Struct && len(e.Fields) == 0:
		return fmt.Errorf("list of empty structs has no wire type")
	case t.Kind != Opt && e.Kind == Opt && s.Types[e.Elem].Kind == Struct && !s.Types[e.Elem].Sparse:
		return fmt.Errorf("elements that point to structs are those structs")
	}
	return nil
}

func (s *Schema) isKey(k *Type) bool {
	return k.Kind.isInteger() || k.Kind == Duration || k.Kind == Bool || k.Kind == String ||
		k.Kind == Array && s.Types[k.Elem].Kind == Uint8 && k.Len <= 255
}
