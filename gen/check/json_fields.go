package check

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/jsontag"
)

// NOTE. encoding/json chooses a struct's fields in two steps. First it walks embedded structs level
// by level and collects every candidate with its path. A struct that is embedded twice in one level
// counts twice. Then it chooses among candidates with the same name: the shallowest, and at that
// depth tagged ones before untagged ones. If more than one is left, none is shown. The test
// compares with encoding/json itself.

// found is a candidate: a field and the path to it.
type found struct {
	*ir.JSONField
	path []int // indexes of the embedded fields, then of the field
}

// level is an embedded struct that is yet to be walked.
type level struct {
	t     *ir.Type
	steps []ir.JSONStep
	path  []int
	times int // how often the level above embeds it
}

// fieldSet is the fields of a struct as JSON sees them.
type fieldSet struct {
	fields   []*ir.JSONField // in the order in which encoding/json writes them
	inline   *ir.JSONInline  // takes the members that match no field; nil for none
	problems []fieldProblem
}

// fieldProblem is an error in a field's struct tag fxjson.
type fieldProblem struct {
	field *ir.Field
	jsontag.Problem
}

// collector walks a struct and its embedded structs.
type collector struct {
	fieldSet
	all     []found
	rest    []found // inlined maps and json.RawMessages, in order of depth
	unknown []bool  // for each of rest, whether its members count as unknown
	next    []*level
}

// jsonFields returns the fields that encoding/json uses for a struct, and the field that struct tag
// fxjson inlines.
func jsonFields(t *ir.Type) fieldSet {
	var c collector
	visited := map[*ir.Type]bool{}
	for levels := []*level{{t: t, times: 1}}; len(levels) > 0; levels = c.next {
		c.next = nil
		for _, l := range levels {
			if !visited[l.t] {
				visited[l.t] = true
				c.level(l)
			}
		}
	}
	shown := dominant(c.all)
	slices.SortFunc(shown, func(a, b found) int { return slices.Compare(a.path, b.path) })
	c.fields = make([]*ir.JSONField, len(shown))
	for i, f := range shown {
		c.fields[i] = f.JSONField
	}
	if n := len(c.rest); n == 1 || n > 1 && len(c.rest[0].path) < len(c.rest[1].path) {
		c.inline = &ir.JSONInline{JSONField: c.rest[0].JSONField, Unknown: c.unknown[0]}
	}
	return c.fieldSet
}

// level collects the fields of one struct.
func (c *collector) level(l *level) {
	before := len(c.rest)
	for i, f := range l.t.Fields {
		opts, problems := jsontag.Of(reflect.StructTag(f.Tag))
		for _, p := range problems {
			c.problems = append(c.problems, fieldProblem{f, p})
		}
		if !opts.Inline {
			c.all, c.next = collect(c.all, c.next, l, i, f)
			continue
		}
		base, pointer := embeddedType(f.Type)
		p := inlinable(f, base)
		if p.Msg == "" && base.Kind != ir.Struct && len(c.rest) > before {
			p = jsontag.Problem{Msg: "a struct has one inlined map or json.RawMessage at most", Hint: "remove one of them"}
		}
		path := append(slices.Clone(l.path), i)
		switch {
		case p.Msg != "":
			c.problems = append(c.problems, fieldProblem{f, p})
		case base.Kind == ir.Struct:
			step := ir.JSONStep{Field: f, Index: i, Pointer: pointer}
			c.next = enqueue(c.next, &level{base, append(slices.Clone(l.steps), step), path, 1})
		default:
			jf := &ir.JSONField{Name: f.Name, Steps: l.steps, Index: i, Field: f, Type: f.Type, Decimals: -1}
			for range min(l.times, 2) { // twice, so that neither is used if the struct is embedded twice
				c.rest, c.unknown = append(c.rest, found{jf, path}), append(c.unknown, opts.Unknown)
			}
		}
	}
}

// inlinable returns a problem if the field f cannot be inlined. t is its type, without the pointer.
func inlinable(f *ir.Field, t *ir.Type) (p jsontag.Problem) {
	const hint = "inline a struct, a map with string keys, json.RawMessage, or a pointer to one of them"
	switch {
	case !f.Exported:
		return jsontag.Problem{Msg: "an inlined field is exported", Hint: "give it another name"}
	case t.Kind == ir.RawJSON:
	case t.Kind != ir.Struct && (t.Kind != ir.Map || t.Key.Kind != ir.String || t.Key.Hooks&ir.JSONHooks != 0):
		return jsontag.Problem{Msg: "the field cannot be inlined", Hint: hint}
	case t.Hooks&ir.JSONHooks != 0:
		return jsontag.Problem{Msg: "the field cannot be inlined: its type has JSON or text methods", Hint: hint + ", without methods"}
	}
	return p
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
		all = append(all, found{jf, path}) // twice, so that the two cancel each other
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

// dominant keeps the winner among the candidates of each name, if there is one.
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

// embeddedType removes one unnamed pointer from t, as encoding/json does.
func embeddedType(t *ir.Type) (base *ir.Type, pointer bool) {
	if t.Kind == ir.Pointer && t.Name == nil {
		return t.Elem, true
	}
	return t, false
}

// isStruct reports whether t is a struct to reflection. Besides structs these are the built-in
// kinds that are structs; none of them has an exported field.
func isStruct(t *ir.Type) bool {
	switch t.Kind {
	case ir.Struct, ir.Time, ir.BigInt, ir.BigFloat, ir.BigRat:
		return true
	}
	return false
}

// quotable reports whether option "string" has an effect on the type.
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

// validName reports whether encoding/json accepts a name of a struct tag. Quotation marks,
// backslashes and commas are not allowed.
func validName(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return s != ""
}
