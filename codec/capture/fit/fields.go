package fit

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// field is a member of a struct's JSON.
type field struct {
	name      string
	index     []int // for reflect
	typ       reflect.Type
	omitEmpty bool
	omitZero  bool
	quoted    bool // option string
	tagged    bool
}

var known sync.Map // reflect.Type → []field

// fieldsOf returns the members of struct type t as encoding/json sees them: names, embedding, and of
// several fields with one name the one that wins.
func fieldsOf(t reflect.Type) []field {
	if f, ok := known.Load(t); ok {
		return f.([]field)
	}
	all := collect(t)
	slices.SortStableFunc(all, func(a, b field) int { return strings.Compare(a.name, b.name) })
	var out []field
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].name == all[0].name {
			n++
		}
		if f, ok := winner(all[:n]); ok {
			out = append(out, f)
		}
		all = all[n:]
	}
	slices.SortFunc(out, func(a, b field) int { return slices.Compare(a.index, b.index) })
	f, _ := known.LoadOrStore(t, out)
	return f.([]field)
}

// winner returns the least nested field, or of several the only one with a tag.
func winner(list []field) (field, bool) {
	slices.SortStableFunc(list, func(a, b field) int {
		switch {
		case len(a.index) != len(b.index):
			return len(a.index) - len(b.index)
		case a.tagged != b.tagged && a.tagged:
			return -1
		case a.tagged != b.tagged:
			return 1
		}
		return 0
	})
	tie := len(list) > 1 && len(list[0].index) == len(list[1].index) && list[0].tagged == list[1].tagged
	return list[0], !tie
}

// collect returns all fields of t and of the structs that it embeds, level by level.
func collect(t reflect.Type) (out []field) {
	type level struct {
		t     reflect.Type
		index []int
	}
	seen := map[reflect.Type]bool{t: true}
	for now := []level{{t, nil}}; len(now) > 0; {
		var next []level
		for _, s := range now {
			for i := range s.t.NumField() {
				sf := s.t.Field(i)
				index := append(slices.Clip(s.index), i)
				name, opts, _ := strings.Cut(sf.Tag.Get("json"), ",")
				if sf.Tag.Get("json") == "-" {
					continue
				}
				in := sf.Type
				if in.Kind() == reflect.Pointer {
					in = in.Elem()
				}
				if sf.Anonymous && name == "" && in.Kind() == reflect.Struct {
					if !seen[in] && (sf.IsExported() || sf.Type.Kind() == reflect.Struct) {
						seen[in] = true
						next = append(next, level{in, index})
					}
					continue
				}
				if sf.IsExported() {
					out = append(out, fieldOf(&sf, name, opts, index))
				}
			}
		}
		now = next
	}
	return out
}

func fieldOf(sf *reflect.StructField, name, opts string, index []int) field {
	f := field{name: name, index: index, typ: sf.Type, tagged: name != ""}
	if name == "" {
		f.name = sf.Name
	}
	for o := range strings.SplitSeq(opts, ",") {
		switch o {
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
		case "string":
			k := sf.Type.Kind()
			if k == reflect.Pointer {
				k = sf.Type.Elem().Kind()
			}
			f.quoted = k == reflect.String || k >= reflect.Bool && k <= reflect.Float64
		}
	}
	return f
}

// form says how encoding/json writes a type.
type form uint8

const (
	asKind   form = iota
	asTime        // time.Time
	asJSON        // MarshalJSON
	asText        // MarshalText
	asNumber      // json.Number
	asOpaque      // interfaces with methods, channels, functions, complex numbers
)

var (
	timeType   = reflect.TypeFor[time.Time]()
	numberType = reflect.TypeFor[json.Number]()
	jsonMaker  = reflect.TypeFor[json.Marshaler]()
	textMaker  = reflect.TypeFor[encoding.TextMarshaler]()
	jsonTaker  = reflect.TypeFor[json.Unmarshaler]()
	textTaker  = reflect.TypeFor[encoding.TextUnmarshaler]()
)

var takers sync.Map // reflect.Type → bool

// takesOwn reports whether t reads JSON or text by a method of its own.
func takesOwn(t reflect.Type) bool {
	if own, ok := takers.Load(t); ok {
		return own.(bool)
	}
	p := reflect.PointerTo(t)
	own := p.Implements(jsonTaker) || p.Implements(textTaker)
	takers.Store(t, own)
	return own
}

var forms sync.Map // reflect.Type → form

// formOf returns the form of t. A method with a pointer receiver counts, since values that programs
// marshal mostly are addressable.
func formOf(t reflect.Type) form {
	if f, ok := forms.Load(t); ok {
		return f.(form)
	}
	p := reflect.PointerTo(t)
	f := asKind
	switch k := t.Kind(); {
	case t == timeType:
		f = asTime
	case t == numberType:
		f = asNumber
	case k == reflect.Interface && t.NumMethod() > 0,
		k == reflect.Chan, k == reflect.Func, k == reflect.UnsafePointer, k == reflect.Complex64, k == reflect.Complex128:
		f = asOpaque
	case k == reflect.Pointer, k == reflect.Interface:
	case p.Implements(jsonMaker):
		f = asJSON
	case p.Implements(textMaker):
		f = asText
	}
	forms.Store(t, f)
	return f
}
