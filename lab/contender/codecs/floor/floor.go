// Package floor measures the work that no codec can avoid, for comparison with codecs: copying a
// message once and, for a decoded value that shares nothing, the allocations and one copy of its
// text. A floor is not a codec: it knows the values beforehand. It is never ranked.
package floor

import (
	"context"
	"fmt"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// The floors.
var (
	MemcpyInfo = info("floor-memcpy", "floor: one copy of as many bytes as the value has content, nothing else", "NewMemcpy")

	SlabInfo = info("floor-slab", "floor: decoding makes the value's slices, maps, pointers and dynamic values and copies its text "+
		"once, nothing else", "NewSlab")
)

func info(name, text, fn string) contender.Info {
	return contender.Info{
		Name: name, Family: contender.FamilyFloor, Text: text, Extra: true,
		Abilities: contender.Abilities{Evolution: "n/a", Languages: "n/a", Maps: "n/a", Any: "n/a", Time: "n/a", Deterministic: "n/a",
			ZeroCopy:   "n/a",
			Validation: "n/a", Streaming: "n/a", Licence: "Apache-2.0"},
		Plan: gosrc.Plan(refuse),
		Generate: func(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
			return generate(t, fn)
		},
	}
}

func refuse(t *contender.Target, x *ir.Type) string {
	if x.Kind == ir.Pointer {
		x = x.Elem
	}
	switch x.Kind {
	case ir.Interface:
		return "what an interface holds is not known beforehand"
	case ir.Chan, ir.Func, ir.Unsafe, ir.Invalid:
		return "it has no content"
	}
	if !x.Spellable(t.IR.Path) {
		return gosrc.Unnameable
	}
	return ""
}

func generate(t *contender.Target, fn string) (*contender.Sources, error) {
	s, err := contender.Bind("floor", "zzadapter."+fn+"(zzCode)")
	if err != nil {
		return nil, err
	}
	s.Package["zz_floor.go"], err = code(t)
	return s, err
}

// NOTE: for each struct, and for the root, two functions are generated:
//
//	func zzText1(m *zzMaps, b []byte, v *T) []byte   appends the text, records the maps
//	func zzOwn1(m *zzMaps, s []byte, v *T) []byte    takes text and maps in the same order
//
// zzMaps has a field for each type of map, with the pairs of each map of that type. The pairs are
// recorded since a map's order is random: zzOwn1 must take text in the order in which zzText1
// appended it. What values of type any hold is recorded in zzAny.
type writer struct {
	*print.File
	pkg     string
	structs []*ir.Type // a struct's functions have its index as their number
	maps    []*ir.Type // a map's list is field m0, m1 …
	holds   map[*ir.Type]bool
}

// code returns the file that joins the subject's package.
func code(t *contender.Target) ([]byte, error) {
	w := &writer{File: print.For(t.IR, "zmy lab"), pkg: t.IR.Path, holds: map[*ir.Type]bool{}}
	adapter := print.Pkg{Path: contender.ModulePath + "/adapter", Name: "zzadapter"}
	root := number(&w.structs, t.Root)
	for i := 0; i < len(w.structs); i++ { // printing one struct's functions may add more structs
		w.functions(i, w.structs[i])
	}
	w.P("type zzMaps struct {")
	for i, m := range w.maps {
		w.P("m", i, " [][]", w.pair(m))
	}
	w.P("zzAny ", adapter.Ident("Dynamic"), "\n}\n")
	w.P("var zzCode = ", adapter.Ident("Code"), "[", t.Root, ", zzMaps]{Text: zzText", root, ", Own: zzOwn", root, "}")
	return w.Bytes()
}

func (w *writer) pair(m *ir.Type) string {
	return fmt.Sprintf("struct {\nzzK %s\nzzV %s\n}", w.Type(m.Key), w.Type(m.Elem))
}

// number returns the index of t in the list, to which it is added if it is new.
func number(list *[]*ir.Type, t *ir.Type) int {
	i := slices.Index(*list, t)
	if i < 0 {
		i = len(*list)
		*list = append(*list, t)
	}
	return i
}

func (w *writer) functions(n int, t *ir.Type) {
	w.P("func zzText", n, "(zzm *zzMaps, zzb []byte, zzv *", t, ") []byte {")
	w.inside("zzv", t, w.text)
	w.P("return zzb\n}\n")
	w.P("func zzOwn", n, "(zzm *zzMaps, zzb []byte, zzv *", t, ") []byte {")
	w.inside("zzv", t, w.own)
	w.P("return zzb\n}\n")
}

// inside visits the fields of a struct, or the root itself.
func (w *writer) inside(v string, t *ir.Type, visit func(string, *ir.Type)) {
	if t.Kind != ir.Struct {
		visit("(*"+v+")", t)
		return
	}
	for _, f := range t.Fields {
		if f.Name != "_" && f.Usable(w.pkg) && (f.Exported || f.Embedded) && !contender.Ignored(f) {
			visit(v+"."+f.Name, f.Type)
		}
	}
}

// shares reports whether a shallow copy of a value of type t shares memory with it. Structs that
// encode themselves do not count: their values are copied as they are.
func (w *writer) shares(t *ir.Type) bool {
	if known, ok := w.holds[t]; ok {
		return known
	}
	w.holds[t] = true // in a recursive type, the pointer that closes the cycle shares
	w.holds[t] = w.look(t)
	return w.holds[t]
}

func (w *writer) look(t *ir.Type) bool {
	switch t.Kind {
	case ir.String, ir.Number, ir.Bytes, ir.RawJSON, ir.Slice, ir.Map, ir.Pointer, ir.Any, ir.BigInt, ir.BigFloat, ir.BigRat:
		return true
	case ir.Array:
		return w.shares(t.Elem)
	case ir.Struct:
		if t.Hooks&contender.OwnForm != 0 {
			return false
		}
		found := false
		w.inside("", t, func(_ string, x *ir.Type) { found = found || w.shares(x) })
		return found
	}
	return false
}

// text prints code that appends the text of the addressable x and records its maps.
func (w *writer) text(x string, t *ir.Type) {
	if !w.shares(t) {
		return
	}
	switch t.Kind {
	case ir.String, ir.Number, ir.Bytes, ir.RawJSON:
		w.P("zzb = append(zzb, ", x, "...)")
	case ir.Any:
		w.P("zzb = zzm.zzAny.Text(zzb, ", x, ")")
	case ir.Slice, ir.Array:
		if w.shares(t.Elem) {
			i := w.Unique("zzi")
			w.P("for ", i, " := range ", x, " {\n_ = ", i) // a list of lists of numbers has no text, so i is not used
			w.text(x+"["+i+"]", t.Elem)
			w.P("}")
		}
	case ir.Pointer:
		w.P("if ", x, " != nil {")
		w.text("(*"+x+")", t.Elem)
		w.P("}")
	case ir.Struct:
		w.P("zzb = zzText", number(&w.structs, t), "(zzm, zzb, &", x, ")")
	case ir.Map:
		e, i, k, v := w.Unique("zze"), w.Unique("zzi"), w.Unique("zzk"), w.Unique("zzv")
		w.P("if ", x, " != nil {\nvar ", e, " []", w.pair(t))
		w.P("for ", k, ", ", v, " := range ", x, " {\n", e, " = append(", e, ", ", w.pair(t), "{", k, ", ", v, "})\n}")
		list := "zzm." + w.mapField(t)
		w.P(list, " = append(", list, ", ", e, ")")
		w.P("for ", i, " := range ", e, " {\n_ = ", i)
		w.text(e+"["+i+"].zzK", t.Key)
		w.text(e+"["+i+"].zzV", t.Elem)
		w.P("}\n}")
	}
}

func (w *writer) mapField(t *ir.Type) string { return fmt.Sprint("m", number(&w.maps, t)) }

// own prints code that replaces everything that the addressable x shares with the original value.
func (w *writer) own(x string, t *ir.Type) {
	if !w.shares(t) {
		return
	}
	switch t.Kind {
	case ir.String, ir.Number:
		n := w.Unique("zzn")
		w.P(n, " := len(", x, ")\n", x, ", zzb = ", w.Type(t), "(",
			w.Ident(print.Pkg{Path: contender.ModulePath + "/adapter", Name: "zzadapter"}.Ident("Text")), "(zzb[:", n, "])), zzb[", n, ":]")
	case ir.Bytes, ir.RawJSON:
		n := w.Unique("zzn")
		w.P("if ", x, " != nil {\n", n, " := len(", x, ")\n", x, ", zzb = ", w.Type(t), "(zzb[:", n, ":", n, "]), zzb[", n, ":]\n}")
	case ir.BigInt, ir.BigFloat, ir.BigRat:
		set := "Set"
		if t.Kind == ir.BigFloat {
			set = "Copy" // Set rounds
		}
		n := w.Unique("zzn")
		w.P(n, " := ", x, "\n", x, " = *new(", w.Type(t), ").", set, "(&", n, ")")
	case ir.Any:
		w.P(x, ", zzb = zzm.zzAny.Own(zzb, ", x, ")")
	case ir.Slice:
		y, i := w.Unique("zzy"), w.Unique("zzi")
		w.P("if ", x, " != nil {\n", y, " := make(", w.Type(t), ", len(", x, "))\ncopy(", y, ", ", x, ")")
		if w.shares(t.Elem) {
			w.P("for ", i, " := range ", y, " {")
			w.own(y+"["+i+"]", t.Elem)
			w.P("}")
		}
		w.P(x, " = ", y, "\n}")
	case ir.Array:
		i := w.Unique("zzi")
		w.P("for ", i, " := range ", x, " {")
		w.own(x+"["+i+"]", t.Elem)
		w.P("}")
	case ir.Pointer:
		y := w.Unique("zzy")
		w.P("if ", x, " != nil {\n", y, " := new(", w.Type(t.Elem), ")\n*", y, " = *", x)
		w.own("(*"+y+")", t.Elem)
		w.P(x, " = ", y, "\n}")
	case ir.Struct:
		w.P("zzb = zzOwn", number(&w.structs, t), "(zzm, zzb, &", x, ")")
	case ir.Map:
		y, e, i, k, v := w.Unique("zzy"), w.Unique("zze"), w.Unique("zzi"), w.Unique("zzk"), w.Unique("zzv")
		list := "zzm." + w.mapField(t)
		w.P("if ", x, " != nil {\n", e, " := ", list, "[0]\n", list, " = ", list, "[1:]\n", y, " := make(", w.Type(t), ", len(", e, "))")
		w.P("for ", i, " := range ", e, " {\n", k, ", ", v, " := ", e, "[", i, "].zzK, ", e, "[", i, "].zzV")
		w.own(k, t.Key)
		w.own(v, t.Elem)
		w.P(y, "[", k, "] = ", v, "\n}\n", x, " = ", y, "\n}")
	}
}
