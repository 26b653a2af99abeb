package schema

import (
	"fmt"
	"math"
)

// Bounds of a schema, so that hostile ones cost little.
const (
	MaxTypes  = 1 << 14 // types in the table
	MaxFields = 1 << 14 // fields of one struct, arms of one union
	MaxSparse = 8 * 255 // fields of a sparse struct, whose bitmap has 1 to 255 bytes
	MaxFixed  = 255     // bytes of what stands inline
	MaxChain  = 64      // lists, arrays, maps and pointers inside each other without a struct between; structs inline in each other
)

// Check reports the first thing in which s is no schema. All other functions of
// this package, Of and Parse aside, expect a schema that has passed.
func (s *Schema) Check() error { return s.check(true) }

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

// checkRefs looks at one type without following it.
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
	case k != Reserved && (k == Array) != (t.Len > 0) || t.Len > math.MaxInt32:
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

// checkNumbers looks at the numbers of fields and arms.
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

// checkChains bounds how deep lists, maps, pointers and arrays stand inside each
// other with no struct on the way: no limit of messages would.
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

// cyclic reports whether type i contains itself by value. state is 0 for types not
// seen, 1 for those on the way, 2 for those done.
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

// checkInline holds structs that stand inline to be used in no other way.
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

// inlineLevels is how many structs stand inline inside each other from type i on.
// Each is spelled wherever it stands, so that the text of a chain would be long.
func (s *Schema) inlineLevels(i uint32, levels []int) int {
	if levels[i] == 0 {
		levels[i] = 1 // types that contain themselves have been refused
		for j := range s.Types[i].Fields {
			if f := &s.Types[i].Fields[j]; f.Inline {
				levels[i] = max(levels[i], 1+s.inlineLevels(f.Type, levels))
			}
		}
	}
	return levels[i]
}

// inline marks the structs that stand inline.
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

// checkType looks at how t is put together from types that have an end.
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
	switch {
	case k.Kind.isInteger(), k.Kind == Duration, k.Kind == Bool, k.Kind == String:
		return true
	}
	return k.Kind == Array && s.Types[k.Elem].Kind == Uint8 && k.Len <= 255
}
