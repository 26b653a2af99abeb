package msgp

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// NOTE: msgp's generator reads Go source without type-checking it. So it gets a scratch file,
// written from the IR, that spells every type with words that the generator knows. The code that it
// generates compiles with the real types of the subject's package, since each word is also the name
// of a real type there:
//
//   - a type of the package itself keeps its name, and gets methods;
//   - types that cannot have methods (of other packages, instantiated, unnamed)
//     get an alias zzAn. The generator's directive "replace" makes it treat the alias as
//     zzMn, a type of our own with the same fields;
//   - numbers of math/big are replaced by types of package zzmsgpx in the same way, raw
//     JSON by []byte, and values inside interfaces by zzmsgpx.Any.
//
// None of these conversions copies anything.
const (
	supportPath = contender.ModulePath + "/zzmsgpx"
	anyAlias    = "zzAny"
)

type scratch struct {
	pkg    *ir.Package
	types  *print.File // aliases and mirrors, which join the package
	decls  strings.Builder
	dirs   []string // directives
	names  map[*ir.Type]string
	done   map[string]bool // aliases of known types
	hooked []string        // aliases of types that marshal themselves
	mirror int
}

// newScratch describes root. It returns the name of the type that gets the methods.
func newScratch(p *ir.Package, root *ir.Type) (*scratch, string) {
	s := &scratch{pkg: p, types: print.For(p, "zmy lab"), names: map[*ir.Type]string{}, done: map[string]bool{}}
	name := s.spell(root)
	if m, ok := strings.CutPrefix(name, "zzA"); ok {
		return s, "zzM" + m
	}
	if root.Kind == ir.Struct {
		return s, name
	}
	s.types.P("type zzRoot ", root)
	s.decls.WriteString("type zzRoot " + s.shape(root) + "\n")
	return s, "zzRoot"
}

// source returns the scratch file.
func (s *scratch) source() []byte {
	var w strings.Builder
	w.WriteString("package " + s.pkg.Name + "\n\n//msgp:timezone utc\n//msgp:clearomitted\n//msgp:maps binkeys shim\n")
	for _, d := range s.dirs {
		w.WriteString("//msgp:" + d + "\n")
	}
	w.WriteString("\n" + s.decls.String())
	return []byte(w.String())
}

var words = map[ir.Kind]string{
	ir.Bool: "bool", ir.Int: "int", ir.Int8: "int8", ir.Int16: "int16", ir.Int32: "int32", ir.Int64: "int64",
	ir.Uint: "uint", ir.Uint8: "byte", ir.Uint16: "uint16", ir.Uint32: "uint32", ir.Uint64: "uint64",
	ir.Float32: "float32", ir.Float64: "float64", ir.Complex64: "complex64", ir.Complex128: "complex128",
	ir.String: "string", ir.Time: "time.Time", ir.Duration: "time.Duration", ir.Number: "json.Number",
}

// known has types that get an alias, which the generator replaces by another type.
var known = map[ir.Kind]struct{ alias, pkg, name, with string }{
	ir.RawJSON:  {"zzRawJSON", "encoding/json", "RawMessage", "[]byte"},
	ir.BigInt:   {"zzBigInt", "math/big", "Int", "zzmsgpx.BigInt"},
	ir.BigFloat: {"zzBigFloat", "math/big", "Float", "zzmsgpx.BigFloat"},
	ir.BigRat:   {"zzBigRat", "math/big", "Rat", "zzmsgpx.BigRat"},
}

// spell returns the word for t in the scratch file.
func (s *scratch) spell(t *ir.Type) string {
	if k, ok := known[t.Kind]; ok {
		if !s.done[k.alias] {
			s.done[k.alias] = true
			s.types.P("type ", k.alias, " = ", print.Package(k.pkg).Ident(k.name))
			s.dirs = append(s.dirs, "replace "+k.alias+" with:"+k.with)
		}
		return k.alias
	}
	if t.Kind == ir.Any {
		if !s.done[anyAlias] {
			s.done[anyAlias] = true
			s.types.P("type ", anyAlias, " = any")
		}
		return anyAlias
	}
	named := gosrc.Named(t)
	if w := words[t.Kind]; w != "" && (!named || t.Kind >= ir.Time) {
		return w
	}
	if named || t.Kind == ir.Struct {
		return s.named(t)
	}
	return s.shape(t)
}

// named declares a type that has a name, or that needs one, and returns the name.
func (s *scratch) named(t *ir.Type) string {
	if n := s.names[t]; n != "" {
		return n
	}
	if own := t.Name; own != nil && own.Pkg == s.pkg.Path && len(own.Args) == 0 && !opaque(t) {
		s.names[t] = own.Name
		s.decls.WriteString("type " + own.Name + " " + s.shape(t) + "\n")
		return own.Name
	}
	s.mirror++
	n := strconv.Itoa(s.mirror)
	alias := "zzA" + n
	s.names[t] = alias
	s.types.P("type ", alias, " = ", t)
	switch word := words[t.Kind]; {
	case opaque(t):
		s.dirs = append(s.dirs, hookDirective(t)+" "+alias)
		s.hooked = append(s.hooked, alias)
	case word != "":
		s.dirs = append(s.dirs, "replace "+alias+" with:"+word)
	default:
		s.types.P("type zzM", n, " ", t)
		s.dirs = append(s.dirs, "replace "+alias+" with:zzM"+n)
		s.decls.WriteString("type zzM" + n + " " + s.shape(t) + "\n")
	}
	return alias
}

// shape spells the underlying type of t.
func (s *scratch) shape(t *ir.Type) string {
	switch t.Kind {
	case ir.Bytes, ir.Slice:
		return "[]" + s.spell(t.Elem)
	case ir.Array:
		return fmt.Sprintf("[%d]%s", t.Len, s.spell(t.Elem))
	case ir.Map:
		return "map[" + s.spell(t.Key) + "]" + s.spell(t.Elem)
	case ir.Pointer:
		return "*" + s.spell(t.Elem)
	case ir.Struct:
		return s.fields(t)
	}
	return words[t.Kind]
}

func (s *scratch) fields(t *ir.Type) string {
	var w strings.Builder
	w.WriteString("struct {\n")
	for _, f := range t.Fields {
		key, omit, ok := member(f, s.pkg.Path)
		if !ok {
			continue
		}
		word := s.spell(f.Type)
		if omit && !strings.HasPrefix(word, "zz") { // the generator cannot tell whether a replaced type is empty
			key += ",omitempty"
		}
		fmt.Fprintf(&w, "\t%s %s `msg:%q`\n", f.Name, word, key)
	}
	w.WriteString("}")
	return w.String()
}

// member returns a field's key. It is the key that encoding/json would choose: users of msgp write
// it so, and it makes the messages comparable.
func member(f *ir.Field, pkg string) (key string, omit, ok bool) {
	name, opts, _ := strings.Cut(reflect.StructTag(f.Tag).Get("json"), ",")
	if name == "-" && opts == "" || !f.Exported && (!f.Embedded || !f.Usable(pkg) || f.Type.Kind != ir.Struct) {
		return "", false, false
	}
	if name == "" || strings.ContainsAny(name, ",`\"\\") {
		name = f.Name
	}
	return name, slices.Contains(strings.Split(opts, ","), "omitempty"), true
}

// opaque reports whether t is a struct without accessible fields that can marshal itself.
func opaque(t *ir.Type) bool {
	accessible := func(f *ir.Field) bool { return f.Exported || f.Embedded }
	return t.Kind == ir.Struct && len(t.Fields) > 0 && !slices.ContainsFunc(t.Fields, accessible) && hookDirective(t) != ""
}

func hookDirective(t *ir.Type) string {
	switch {
	case t.Hooks.Has(ir.HasMarshalBinaryPtr | ir.HasUnmarshalBinaryPtr):
		return "binmarshal"
	case t.Hooks.Has(ir.HasMarshalTextPtr | ir.HasUnmarshalTextPtr):
		return "textmarshal"
	}
	return ""
}
