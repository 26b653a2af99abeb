package zmyreflect

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"

	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

type (
	plannedType  = zmytype.Type[reflect.Type, *reflect.StructField]
	plannedField = zmytype.Place[reflect.Type, *reflect.StructField]
)

// Types plans the struct type t and all types within it. generated reports whether a type has
// generated methods of its own. If derive is set, structs without struct tags get numbers in the
// order of their fields. The error is a *TypeError.
func Types(t reflect.Type, generated func(reflect.Type) bool, derive bool) (*zmytype.Plan[reflect.Type, *reflect.StructField], error) {
	if t.Kind() != reflect.Struct {
		return nil, &TypeError{Msg: fmt.Sprintf("a message is a struct, not %v", t), Hint: "wrap it in a struct with one field"}
	}
	plan, problems := zmytype.Compile(newSource(t, generated), []reflect.Type{t},
		zmytype.Options[reflect.Type, *reflect.StructField]{Derive: derive, Blind: true})
	if problems == nil {
		return plan, nil
	}
	first := &problems[0]
	if first.Type != nil && first.Type != t && first.Field == nil {
		first.Msg = first.Place + ": " + first.Msg
	}
	path := strings.ReplaceAll(strings.TrimPrefix(first.Way, t.String()), "[]", "")
	return nil, &TypeError{Path: strings.TrimPrefix(path, "."), Msg: first.Msg, Hint: first.Hint, Generator: first.Generator}
}

// compile fills p from the plan that package zmytype makes of t.
func (p *Plan) compile(t reflect.Type, generated, stale func(reflect.Type) bool) error {
	plan, err := Types(t, generated, false)
	if err != nil {
		return err
	}
	types := make([]typ, len(plan.Types))
	for i, from := range plan.Types {
		types[i].fill(from, types)
		p.boxed = p.boxed || from.Shape == zmytype.ShapeMethods
	}
	for i, from := range plan.Types {
		types[i].fillStruct(from, types) // its steps depend on the filled types of the fields
	}
	root := plan.Roots[0]
	p.root, p.aliases = &types[root.ID], root.Aliases()
	for i := range types {
		z := &types[i]
		if z.isStruct() && generated(z.rt) && !stale(z.rt) && !z.agrees() {
			return &TypeError{
				Msg: fmt.Sprintf("generated code of %v has another form than reflection sees, by a directive //zmy:sparse or "+
					"//zmy:reserved in a comment", z.rt),
				Hint: "write it as the struct tag of a blank field, or generate code for the type around it", Generator: true,
			}
		}
	}
	return nil
}

// fill sets everything in z except the fields of structs. types has all types by their ID.
func (z *typ) fill(from *plannedType, types []typ) {
	z.rt, z.shape, z.domain, z.order = from.Type, from.Shape, from.Domain, from.Order
	z.via, z.appends, z.size, z.ptrs = from.Via, from.Appends, from.Size, from.ElemPtr
	z.cost, z.mem, z.skips = from.Cost, from.Memory, from.Skips
	z.form, z.nilable = formOf(from), from.Nilable()
	if from.Elem != nil {
		z.elem = &types[from.Elem.ID]
	}
	if from.Words != "" {
		return // reserved fields have no Go type
	}
	switch e := from.Elem; from.Shape {
	case zmytype.ShapeFixed, zmytype.ShapeFixedTail, zmytype.ShapeArray:
		if from.Kind == zmytype.Array {
			z.stride = z.rt.Elem().Size()
		}
	case zmytype.ShapePacked:
		z.stride = z.rt.Elem().Size()
		f := formOf(e)
		z.helper = e.Kind != zmytype.Array && (f == formPlain || f == formBool || f == formTime)
	case zmytype.ShapeDense:
		z.stride = z.rt.Elem().Size()
	case zmytype.ShapeList:
		z.stride = z.rt.Elem().Size()
		z.plain = e.Type == anyType
		z.helper = e.Shape == zmytype.ShapeString || e.Shape == zmytype.ShapeBytes || z.plain
	case zmytype.ShapeMap:
		z.key = &types[from.Key.ID]
		z.stride = z.rt.Elem().Size()
		z.none = from.IsSet()
		z.plain = e.Type == anyType
		z.helper = from.Key.Shape == zmytype.ShapeString && (e.Shape == zmytype.ShapeString || z.plain)
		z.pool = &sync.Pool{New: func() any { return newMapScratch(z) }}
	}
}

// formOf returns how a fixed value is encoded.
func formOf(t *plannedType) form {
	switch {
	case t.Shape != zmytype.ShapeFixed && t.Shape != zmytype.ShapeFixedTail:
		return formPlain
	case t.Kind == zmytype.Array:
		if f := formOf(t.Elem); f == formPlain || f == formBool {
			return f
		}
		return formArray
	case t.Kind == zmytype.Struct:
		return formInline
	case t.Kind == zmytype.Bool:
		return formBool
	case t.Kind == zmytype.Time:
		return formTime + form(t.Time)
	}
	return formPlain
}

// fillStruct sets the fields of a struct.
func (z *typ) fillStruct(from *plannedType, types []typ) {
	if !from.IsStruct() && z.form != formInline {
		return
	}
	z.fields = make([]field, len(from.Fields))
	for i, f := range from.Fields {
		to := &z.fields[i]
		*to = field{number: f.Number, typ: &types[f.Type.ID], reserved: f.Reserved(), off: f.Offset, tail: f.Tail}
		if !to.reserved {
			to.place(f.Field)
		}
		if to.tail >= 0 {
			z.tails = append(z.tails, to)
		}
	}
	if !from.IsStruct() {
		return // an inline struct has no header
	}
	z.scalars, z.head, z.older, z.after = from.Scalars, from.Header(), from.Older, from.After
	if from.Unknown != nil {
		z.unknown = new(field)
		z.unknown.place(from.Unknown)
	}
	z.finish()
}

// place sets where the field is in the Go struct.
func (f *field) place(in *reflect.StructField) {
	f.name, f.index, f.offset, f.exported = in.Name, in.Index[0], in.Offset, in.IsExported()
}

// finish computes the steps that write and read a struct's scalars and reserved fields. Scalars
// that are neighbours both in the message and in memory become one step.
func (z *typ) finish() {
	for i := range z.fields {
		f := &z.fields[i]
		if f.tail >= 0 {
			name := f.name
			if f.reserved {
				name = "reserved"
				z.steps = append(z.steps, step{act: actTail, f: f})
			}
			z.names = append(z.names, name)
			continue
		}
		s := step{act: actFixed, off: f.off, n: f.typ.size, f: f}
		switch {
		case f.reserved:
			s.act = actReserved
		case canRun && f.typ.form == formPlain:
			s.act, s.from = actRun, f.offset
			if last := len(z.steps) - 1; last >= 0 && z.steps[last].joins(s) {
				z.steps[last].n += s.n
				continue
			}
		}
		z.steps = append(z.steps, s)
	}
	if z.shape == zmytype.ShapeSparse {
		z.desc = &wire.Desc{Shape: wire.ShapeSparse, Head: z.head, Sizes: make([]int, len(z.fields))}
		for i, f := range z.fields {
			if f.tail < 0 {
				z.desc.Sizes[i] = f.typ.size
			}
		}
	}
}

// joins reports whether t follows s directly, both in the message and in memory.
func (s *step) joins(t step) bool {
	return s.act == actRun && s.off+s.n == t.off && s.from+uintptr(s.n) == t.from
}

// agrees reports whether generated code writes the zero value with the same bytes as t. The header
// in these bytes shows which fields there are, including those reserved in comments.
func (t *typ) agrees() bool {
	want, err := reflect.New(t.rt).Interface().(zmyAppender).AppendZMY(nil)
	if err != nil {
		return true // nothing to compare with
	}
	e := wire.NewEncoder(0, math.MaxInt32)
	got, failed := t.appendStruct(&e, nil, newOf(t), t.head, 4, 1<<10)
	return failed == nil && bytes.Equal(got, want)
}

// pointers returns the bytes that each element of a list takes for a pointer, 0 if elements are not
// pointers.
func (t *typ) pointers() int {
	if t.ptrs {
		return int(t.rt.Elem().Size())
	}
	return 0
}

// chargeMap charges the budget for n pairs.
func (t *typ) chargeMap(d *wire.Decoder, n int) *wire.Error {
	key, val := int(t.rt.Key().Size()), int(t.rt.Elem().Size())
	apart := t.key.mem + t.elem.mem - key - val // bytes of the zones of times
	if t.ptrs {
		apart = t.elem.mem
	}
	return d.ChargeMap(n, wire.PairCost+t.key.cost+t.elem.cost, key, val, apart)
}
