package schema_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dynamic"
)

// Versions that differ by nothing that breaks read each other's messages: an old
// program carries what it does not know, byte for byte, and a new one changes
// nothing for the old.
func TestSafeChangesAreSafe(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 200
	}
	seen := map[schema.Code]int{}
	for seed := range uint64(n) {
		e := evolver{r: rand.New(rand.NewPCG(seed, 1))}
		versions := []*schema.Schema{e.message()}
		for range 1 + e.r.IntN(3) {
			versions = append(versions, e.next(versions[len(versions)-1]))
		}
		var codecs []*dynamic.Codec
		for i, s := range versions {
			c, err := dynamic.New(s)
			if err != nil {
				t.Fatalf("seed %d version %d: %v", seed, i, err)
			}
			codecs = append(codecs, c)
		}
		for i, before := range versions {
			for j := i + 1; j < len(versions); j++ {
				changes := schema.Diff(before, versions[j])
				if schema.Breaks(changes) {
					t.Fatalf("seed %d: %d to %d: %v", seed, i, j, changes)
				}
				for _, c := range changes {
					seen[c.Code]++
				}
				if err := e.agree(codecs[i], codecs[j]); err != nil {
					t.Fatalf("seed %d: %d and %d: %v\nbefore %s\nafter  %s", seed, i, j, err, before.FullText(), versions[j].FullText())
				}
			}
		}
	}
	for _, c := range []schema.Code{schema.FieldAdded, schema.FieldReserved, schema.FieldRenamed, schema.FieldDeprecated,
		schema.UnionArmAdded, schema.TypeRenamed} {
		if seen[c] < n/30 {
			t.Errorf("%s was made %d times only", c, seen[c])
		}
	}
}

// agree lets an old and a new program read each other's messages.
func (e *evolver) agree(old, new *dynamic.Codec) error {
	msg, err := new.Encode(e.structure(new.Schema(), 0, 0))
	if err != nil {
		return fmt.Errorf("new message: %w", err)
	}
	v, err := old.Decode(msg)
	if err != nil {
		return fmt.Errorf("old reads new: %w", err)
	}
	if back, err := old.Encode(v); err != nil || !bytes.Equal(back, msg) {
		return fmt.Errorf("old passes on: %w\n%x, was\n%x", err, back, msg)
	}
	if msg, err = old.Encode(e.structure(old.Schema(), 0, 0)); err != nil {
		return fmt.Errorf("old message: %w", err)
	}
	if v, err = new.Decode(msg); err != nil {
		return fmt.Errorf("new reads old: %w", err)
	}
	upgraded, err := new.Encode(v)
	if err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	before, err := old.JSON(msg)
	if err != nil {
		return err
	}
	if after, err := old.JSON(upgraded); err != nil || !bytes.Equal(before, after) {
		return fmt.Errorf("upgraded: %w\n%s, was\n%s", err, after, before)
	}
	return nil
}

// evolver makes messages, their next versions, and values of them.
type evolver struct {
	r *rand.Rand
	s *schema.Schema
}

func (e *evolver) message() *schema.Schema {
	e.s = &schema.Schema{Types: []schema.Type{{Kind: schema.Struct, Name: "T"}}}
	fields := e.fields(0, 1+e.r.IntN(6), 3)
	e.s.Types[0].Fields = fields
	e.s.Types[0].Sparse = e.r.IntN(5) == 0
	return e.s
}

// fields makes n fields, numbered from first.
func (e *evolver) fields(first, n, depth int) (out []schema.Field) {
	for i := range n {
		out = append(out, schema.Field{Number: uint32(first + i), Name: fmt.Sprintf("F%d", first+i), Type: e.typ(depth)})
	}
	return out
}

func (e *evolver) add(t schema.Type) uint32 {
	e.s.Types = append(e.s.Types, t)
	return uint32(len(e.s.Types) - 1)
}

var leaves = []schema.Kind{
	schema.Bool, schema.Int8, schema.Int16, schema.Int32, schema.Int64, schema.Uint8, schema.Uint32, schema.Float64, schema.Time,
	schema.String, schema.Bytes, schema.Any,
}

func (e *evolver) typ(depth int) uint32 {
	leaf := leaves[e.r.IntN(len(leaves))]
	if depth == 0 {
		return e.add(schema.Type{Kind: leaf})
	}
	switch e.r.IntN(9) {
	case 0, 1:
		return e.structType(depth - 1)
	case 2:
		return e.add(schema.Type{Kind: schema.List, Elem: e.elem(depth - 1)})
	case 3:
		key := e.add(schema.Type{Kind: []schema.Kind{schema.String, schema.Int8, schema.Uint32}[e.r.IntN(3)]})
		return e.add(schema.Type{Kind: schema.Map, Key: key, Elem: e.elem(depth - 1)})
	case 4:
		return e.add(schema.Type{Kind: schema.Array, Len: uint32(1 + e.r.IntN(3)), Elem: e.elem(depth - 1)})
	case 5:
		return e.add(schema.Type{Kind: schema.Opt, Elem: e.structType(depth - 1)})
	case 6:
		u := schema.Type{Kind: schema.Union, Name: "U"}
		for i := range 1 + e.r.IntN(2) {
			u.Fields = append(u.Fields, schema.Field{Number: uint32(2 + 3*i), Name: fmt.Sprintf("A%d", i), Type: e.structType(depth - 1)})
		}
		return e.add(u)
	}
	return e.add(schema.Type{Kind: leaf})
}

// elem is typ, but no pointer to a dense struct.
func (e *evolver) elem(depth int) uint32 {
	i := e.typ(depth)
	if e.s.Types[i].Kind == schema.Opt {
		return e.s.Types[i].Elem
	}
	return i
}

func (e *evolver) structType(depth int) uint32 {
	fields := e.fields(0, 1+e.r.IntN(4), depth)
	return e.add(schema.Type{Kind: schema.Struct, Name: "S", Fields: fields, Sparse: e.r.IntN(4) == 0})
}

// next makes a version of which nothing breaks.
func (e *evolver) next(s *schema.Schema) *schema.Schema {
	e.s = &schema.Schema{Types: slices.Clone(s.Types)}
	for i := range s.Types {
		t := e.s.Types[i]
		t.Fields = slices.Clone(t.Fields)
		switch {
		case t.Kind == schema.Struct:
			e.change(&t)
		case t.Kind == schema.Union && e.r.IntN(2) == 0:
			last := t.Fields[len(t.Fields)-1].Number
			t.Fields = append(t.Fields, schema.Field{Number: last + 1 + uint32(e.r.IntN(3)), Name: fmt.Sprintf("A%d", 100+last),
				Type: e.structType(1)})
		}
		e.s.Types[i] = t
	}
	return e.s
}

// change renames, deprecates, reserves and adds.
func (e *evolver) change(t *schema.Type) {
	if e.r.IntN(8) == 0 {
		t.Name += "x"
	}
	for j := range t.Fields {
		f := &t.Fields[j]
		switch e.r.IntN(12) {
		case 0:
			f.Name += "x"
		case 1:
			f.Deprecated = true
		case 2:
			if !f.Reserved {
				f.Reserved, f.Name, f.JSON = true, "", ""
				f.Type = e.add(schema.Type{Kind: schema.Reserved, Name: "gone", Len: uint32(e.size(f.Type))})
			}
		}
	}
	if e.r.IntN(2) == 0 {
		t.Fields = append(t.Fields, e.fields(len(t.Fields), 1+e.r.IntN(3), 1)...)
	}
}

// size is that of a type among the scalars, 0 for a tail.
func (e *evolver) size(i uint32) int {
	switch t := &e.s.Types[i]; t.Kind {
	case schema.Bool, schema.Int8, schema.Uint8:
		return 1
	case schema.Int16:
		return 2
	case schema.Int32, schema.Uint32:
		return 4
	case schema.Int64, schema.Float64:
		return 8
	case schema.Time:
		return 12
	case schema.Reserved:
		return int(t.Len)
	case schema.Array:
		if n := int(t.Len) * e.size(t.Elem); n <= schema.MaxFixed {
			return n
		}
	}
	return 0
}

func (e *evolver) structure(s *schema.Schema, i uint32, depth int) *dynamic.Struct {
	t := &s.Types[i]
	v := &dynamic.Struct{Name: t.Name}
	for j := range t.Fields {
		if f := &t.Fields[j]; !f.Reserved && e.r.IntN(5) > 0 {
			v.Fields = append(v.Fields, dynamic.Field{Field: f, Value: e.value(s, f.Type, depth+1)})
		}
	}
	return v
}

func (e *evolver) value(s *schema.Schema, i uint32, depth int) any {
	t := &s.Types[i]
	if t.Kind != schema.Array && e.r.IntN(6) == 0 {
		return nil
	}
	n := e.r.IntN(4)
	switch t.Kind {
	case schema.Bool:
		return n > 0
	case schema.Int8, schema.Int16, schema.Int32, schema.Int64:
		return int64(e.r.IntN(256) - 128)
	case schema.Uint8, schema.Uint32:
		return uint64(e.r.IntN(256))
	case schema.Float64:
		return e.r.Float64()
	case schema.Time:
		return time.Unix(e.r.Int64N(1<<32), 5).UTC()
	case schema.String:
		return "äöüß"[:2*n]
	case schema.Bytes:
		return make([]byte, n)
	case schema.Any:
		return []any{int(e.r.Int32()), "x", []any{true}}[:n]
	case schema.Opt:
		return e.value(s, t.Elem, depth)
	case schema.Struct:
		return e.structure(s, i, depth)
	case schema.Union:
		arm := &t.Fields[e.r.IntN(len(t.Fields))]
		return &dynamic.Union{Number: uint16(arm.Number), Name: arm.Name, Value: e.structure(s, arm.Type, depth)}
	case schema.Array:
		n = int(t.Len)
		fallthrough
	case schema.List:
		if t.Kind == schema.List && s.Types[t.Elem].Kind == schema.Uint8 {
			return make([]byte, n)
		}
		list := make([]any, n)
		for k := range list {
			list[k] = e.value(s, t.Elem, depth)
		}
		return list
	case schema.Map:
		m := dynamic.Map{}
		for k := range n {
			key := any(fmt.Sprint(k))
			switch s.Types[t.Key].Kind {
			case schema.Int8:
				key = int64(k - 1)
			case schema.Uint32:
				key = uint64(k)
			}
			m = append(m, dynamic.Pair{Key: key, Value: e.value(s, t.Elem, depth)})
		}
		return m
	}
	panic(t.Kind)
}
