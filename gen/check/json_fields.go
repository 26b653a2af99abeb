package check

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/zmylab/zmy/gen/ir"
)

// NOTE. encoding/json chooses a struct's fields in two strokes. First it walks
// embedded structs level by level and collects every candidate with the path
// that leads to it; a struct embedded twice in one level counts twice. Then, of
// candidates with one name, the shallowest wins, a tagged one before untagged
// ones; if that leaves more than one, none is shown. The test compares with
// encoding/json itself.

// found is a candidate: a field and the way to it.
type found struct {
	*ir.JSONField
	path []int // indexes, the field's own last
}

// level is an embedded struct waiting to be walked.
type level struct {
	t     *ir.Type
	steps []ir.JSONStep
	path  []int
	times int // how often its level embeds it
}

// jsonFields returns the fields that encoding/json uses for a struct, in the
// order in which it writes them.
func jsonFields(t *ir.Type) []*ir.JSONField {
	var all []found
	visited := map[*ir.Type]bool{}
	for levels := []*level{{t: t, times: 1}}; len(levels) > 0; {
		var next []*level
		for _, l := range levels {
			if visited[l.t] {
				continue
			}
			visited[l.t] = true
			for i, f := range l.t.Fields {
				all, next = collect(all, next, l, i, f)
			}
		}
		levels = next
	}
	shown := dominant(all)
	slices.SortFunc(shown, func(a, b found) int { return slices.Compare(a.path, b.path) })
	out := make([]*ir.JSONField, len(shown))
	for i, f := range shown {
		out[i] = f.JSONField
	}
	return out
}

// collect adds the field to the candidates, or its struct to the next level.
func collect(all []found, next []*level, l *level, i int, f *ir.Field) ([]found, []*level) {
	base, pointer := embeddedType(f.Type)
	if f.Embedded && !f.Exported && !isStruct(base) || !f.Embedded && !f.Exported {
		return all, next
	}
	tag := reflect.StructTag(f.Tag).Get("json")
	if tag == "-" {
		return all, next
	}
	name, opts, _ := strings.Cut(tag, ",")
	if !validName(name) {
		name = ""
	}
	path := append(slices.Clone(l.path), i)
	if name == "" && f.Embedded && isStruct(base) {
		step := ir.JSONStep{Field: f, Index: i, Pointer: pointer}
		return all, enqueue(next, &level{base, append(slices.Clone(l.steps), step), path, 1})
	}
	jf := &ir.JSONField{
		Name: cmp.Or(name, f.Name), Steps: l.steps, Index: i, Field: f, Type: f.Type, Tagged: name != "",
		OmitEmpty: hasOption(opts, "omitempty"),
		OmitZero:  hasOption(opts, "omitzero"),
		Quoted:    hasOption(opts, "string") && quotable(base),
	}
	if jf.OmitZero {
		jf.Zero = zeroOf(f.Type)
	}
	all = append(all, found{jf, path})
	if l.times > 1 {
		all = append(all, found{jf, path}) // its double, to cancel it
	}
	return all, next
}

func enqueue(next []*level, l *level) []*level {
	for _, other := range next {
		if other.t == l.t {
			other.times++
			return next
		}
	}
	return append(next, l)
}

// dominant keeps, of the candidates with one name, the one that wins.
func dominant(all []found) []found {
	byName := map[string][]found{}
	for _, f := range all {
		byName[f.Name] = append(byName[f.Name], f)
	}
	var shown []found
	for _, same := range byName {
		rank := func(a, b found) int {
			return cmp.Or(cmp.Compare(len(a.path), len(b.path)), untagged(a)-untagged(b))
		}
		slices.SortStableFunc(same, rank)
		if len(same) == 1 || rank(same[0], same[1]) != 0 {
			shown = append(shown, same[0])
		}
	}
	return shown
}

func untagged(f found) int {
	if f.Tagged {
		return 0
	}
	return 1
}

// embeddedType follows one unnamed pointer, as encoding/json does.
func embeddedType(t *ir.Type) (base *ir.Type, pointer bool) {
	if t.Kind == ir.Pointer && t.Name == nil {
		return t.Elem, true
	}
	return t, false
}

// isStruct includes the kinds known by heart that are structs to reflection;
// none of them has an exported field.
func isStruct(t *ir.Type) bool {
	switch t.Kind {
	case ir.Struct, ir.Time, ir.BigInt, ir.BigFloat, ir.BigRat:
		return true
	}
	return false
}

// quotable reports whether option "string" means anything for the type.
func quotable(t *ir.Type) bool {
	return t.Kind == ir.Bool || t.Kind == ir.String || t.Kind == ir.Number ||
		t.Kind.IsInt() || t.Kind.IsUint() || t.Kind.IsFloat()
}

func zeroOf(t *ir.Type) ir.JSONZero {
	switch nilable := t.Kind == ir.Pointer || t.Kind == ir.Interface; {
	case t.Hooks.Has(ir.HasIsZero) && nilable:
		return ir.ZeroNilMethod
	case t.Hooks.Has(ir.HasIsZero):
		return ir.ZeroMethod
	case t.Hooks.Has(ir.HasIsZeroPtr):
		return ir.ZeroAddr
	}
	return ir.ZeroCompare
}

func hasOption(opts, want string) bool {
	for opt := range strings.SplitSeq(opts, ",") {
		if opt == want {
			return true
		}
	}
	return false
}

// validName reports whether encoding/json takes a tag's name: quotation marks,
// backslashes and commas are not for names.
func validName(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return s != ""
}
