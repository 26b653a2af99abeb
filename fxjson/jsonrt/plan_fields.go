package jsonrt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/zmylab/zmy/internal/jsontag"
)

// field is a field of a struct as JSON sees it.
type field struct {
	name      string
	path      string // the path from the struct: names of embedded structs, then name, as in Base.id
	lit       string // ,"name": with HTML escaped
	plainLit  string // lit with HTML unescaped
	steps     []step // from the struct to the field, through embedded ones
	typ       reflect.Type
	tagged    bool
	omitEmpty bool
	omitZero  bool
	quoted    bool // option string, if it applies to the type
	decimals  int  // number of decimals of a float, -1 for the shortest form
	bare      bool // the field is of an unexported embedded type, whose methods reflection may not call

	inline  *inlined // the field takes unknown members
	problem string   // of struct tag fxjson, "" for none

	required bool
	intern   bool
}

// step leads from a struct to one of its fields.
type step struct {
	offset uintptr
	index  int
	ptr    reflect.Type // if not nil, the struct is reached through a pointer to this type
	hidden bool         // reflection may not set that pointer
}

// level is an embedded struct whose fields are yet to be collected.
type level struct {
	typ   reflect.Type
	steps []step
	ptr   reflect.Type // see step
	hide  bool
	path  string // see field
	twice bool   // it is embedded more than once at the same depth
}

// members are the fields of a struct as JSON sees it.
type members struct {
	fields  []field
	inline  *inlined // nil for none
	problem string   // of the struct tags fxjson, "" for none
}

// fieldsOf returns the fields of a struct, without the field that takes unknown members.
func fieldsOf(t reflect.Type) []field { return membersOf(t).fields }

// membersOf returns the members of a struct as JSON sees it. Fields are in the order in which they
// are written, fields of embedded structs included. A field is left out if another field of its
// name is shallower, or is at the same depth and tagged while this one is not. If the two are equal
// in depth and tags, both are left out.
func membersOf(t reflect.Type) (m members) {
	var all []field
	var rest []inlined // in order of depth
	seen := map[reflect.Type]bool{}
	for here := []level{{typ: t}}; len(here) > 0; {
		var next []level
		found := map[reflect.Type]int{} // index in next
		for _, l := range here {
			if seen[l.typ] {
				continue
			}
			seen[l.typ] = true
			inlines := 0
			for i := range l.typ.NumField() {
				f, deeper, ok := l.field(i)
				if f.problem != "" && m.problem == "" {
					m.problem = f.problem
				}
				switch {
				case !ok:
				case f.inline != nil:
					rest = append(rest, *f.inline)
					if l.twice {
						rest = append(rest, *f.inline)
					}
					if inlines++; inlines > 1 && m.problem == "" {
						m.problem = "a struct has one inlined map or json.RawMessage at most"
					}
				case deeper == nil:
					all = append(all, f)
					if l.twice {
						all = append(all, f) // a second time, so that its name is ambiguous
					}
				default:
					if at, again := found[deeper.typ]; again {
						next[at].twice = true
					} else {
						found[deeper.typ] = len(next)
						next = append(next, *deeper)
					}
				}
			}
		}
		here = next
	}
	m.fields = dominant(all)
	if n := len(rest); n == 1 || n > 1 && len(rest[0].steps) < len(rest[1].steps) {
		m.inline = &rest[0]
	}
	return m
}

// field looks at field i. For a member it returns f. For an embedded struct it returns deeper, the
// level of the struct's own fields. ok is false if JSON does not see the field; f.problem may be
// set even then.
func (l level) field(i int) (f field, deeper *level, ok bool) {
	sf := l.typ.Field(i)
	base := embeddable(sf.Type)
	under := sf.Type
	if under.Kind() == reflect.Pointer {
		under = under.Elem()
	}
	if !sf.IsExported() && (!sf.Anonymous || under.Kind() != reflect.Struct) {
		return f, nil, false
	}
	opts, problems := jsontag.Of(sf.Tag)
	if opts.Inline {
		return l.inline(i, opts)
	}
	for _, p := range problems {
		f.problem = "field " + sf.Name + ": " + p.Msg + "; " + p.Hint
	}
	tag := sf.Tag.Get("json")
	if tag == "-" {
		return f, nil, false
	}
	name, options, _ := strings.Cut(tag, ",")
	if !validName(name) {
		name = ""
	}
	steps := append(slices.Clone(l.steps), step{sf.Offset, i, l.ptr, l.hide})
	if name == "" && sf.Anonymous && base.Kind() == reflect.Struct {
		d := &level{typ: base, steps: steps, path: l.path + sf.Name + "."}
		if sf.Type.Kind() == reflect.Pointer {
			d.ptr, d.hide = base, !sf.IsExported()
		}
		return f, d, true
	}
	has := func(o string) bool { return slices.Contains(strings.Split(options, ","), o) }
	f = field{name: name, steps: steps, typ: sf.Type, tagged: name != "", omitEmpty: has("omitempty"), omitZero: has("omitzero"),
		quoted: has("string") && quotable(base.Kind()), decimals: opts.Decimals, bare: !sf.IsExported(), problem: f.problem,
		required: opts.Required, intern: opts.Intern}
	if name == "" {
		f.name = sf.Name
	}
	f.path = l.path + f.name
	f.plainLit = `,"` + f.name + `":`
	var html bytes.Buffer
	json.HTMLEscape(&html, []byte(f.plainLit))
	f.lit = html.String()
	return f, nil, true
}

// embeddable returns t, or the type that the unnamed pointer type t points to. That type may be an
// embedded struct.
func embeddable(t reflect.Type) reflect.Type {
	if t.Name() == "" && t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// inline is field for a field with option inline or unknown. A struct is treated like an embedded
// one.
func (l level) inline(i int, opts jsontag.Options) (f field, deeper *level, ok bool) {
	sf := l.typ.Field(i)
	base := embeddable(sf.Type)
	steps := append(slices.Clone(l.steps), step{sf.Offset, i, l.ptr, l.hide})
	switch {
	case !sf.IsExported():
	case inlinedMap(base):
		f.inline = &inlined{field{name: sf.Name, steps: steps, typ: sf.Type}, opts.Unknown}
		return f, nil, true
	case base.Kind() == reflect.Struct && !methodsOf(base):
		d := &level{typ: base, steps: steps, path: l.path + sf.Name + "."}
		if sf.Type.Kind() == reflect.Pointer {
			d.ptr = base
		}
		return f, d, true
	}
	f.problem = "field " + sf.Name + " cannot be inlined: inline an exported struct, a map with string keys, json.RawMessage, or " +
		"a pointer to one of them, without methods"
	return f, nil, false
}

// quotable reports whether option string applies to a kind.
func quotable(k reflect.Kind) bool {
	return reflect.Bool <= k && k <= reflect.Float64 || k == reflect.String
}

// validName reports whether a struct tag's name is accepted.
func validName(s string) bool {
	for _, c := range s {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) {
			return false
		}
	}
	return s != ""
}

// dominant returns, for each name, the field that takes precedence over all others of that name, if
// there is one. The fields are in the order of the struct.
func dominant(all []field) []field {
	rank := func(f field) int { // less wins
		r := 2 * len(f.steps)
		if !f.tagged {
			r++
		}
		return r
	}
	byName := map[string][]field{}
	for _, f := range all {
		byName[f.name] = append(byName[f.name], f)
	}
	var out []field
	for _, fs := range byName {
		slices.SortStableFunc(fs, func(a, b field) int { return rank(a) - rank(b) })
		if len(fs) == 1 || rank(fs[0]) < rank(fs[1]) {
			out = append(out, fs[0])
		}
	}
	slices.SortFunc(out, func(a, b field) int {
		return slices.CompareFunc(a.steps, b.steps, func(x, y step) int { return cmp.Compare(x.index, y.index) })
	})
	return out
}
