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
	unknown bool    // the field rest[0] has option unknown
	next    []*level
}

// jsonFields returns the fields that encoding/json uses for a struct, and the map or
// json.RawMessage that the struct tag fxjson inlines.
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
		c.inline = &ir.JSONInline{JSONField: c.rest[0].JSONField, Unknown: c.unknown}
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
			c.field(l, i, f)
			continue
		}
		base, _ := embeddedType(f.Type)
		p := inlinable(f, base)
		if p.Msg == "" && base.Kind != ir.Struct && len(c.rest) > before {
			p = jsontag.Problem{Msg: "a struct has one inlined map or json.RawMessage at most", Hint: "remove one of them"}
		}
		path := append(slices.Clone(l.path), i)
		switch {
		case p.Msg != "":
			c.problems = append(c.problems, fieldProblem{f, p})
		case base.Kind == ir.Struct:
			c.embed(l, i, f, path)
		default:
			jf := &ir.JSONField{Name: f.Name, Steps: l.steps, Index: i, Field: f, Type: f.Type, Decimals: -1}
			if len(c.rest) == 0 {
				c.unknown = opts.Unknown
			}
			c.rest = append(c.rest, l.candidates(jf, path)...)
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

// field adds the field to the candidates, or its struct to the next level.
func (c *collector) field(l *level, i int, f *ir.Field) {
	base, _ := embeddedType(f.Type)
	if !f.Exported && !(f.Embedded && isStruct(base)) {
		return
	}
	tag := reflect.StructTag(f.Tag).Get("json")
	if tag == "-" {
		return
	}
	name, opts, _ := strings.Cut(tag, ",")
	if !validName(name) {
		name = ""
	}
	path := append(slices.Clone(l.path), i)
	if name == "" && f.Embedded && isStruct(base) {
		c.embed(l, i, f, path)
		return
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
	c.all = append(c.all, l.candidates(jf, path)...)
}

// candidates returns the candidate f, twice if the struct is embedded more than once: then the two
// cancel each other.
func (l *level) candidates(f *ir.JSONField, path []int) []found {
	return slices.Repeat([]found{{f, path}}, min(l.times, 2))
}

// embed adds the struct of field i to the next level.
func (c *collector) embed(l *level, i int, f *ir.Field, path []int) {
	base, pointer := embeddedType(f.Type)
	for _, other := range c.next {
		if other.t == base {
			other.times++
			return
		}
	}
	step := ir.JSONStep{Field: f, Index: i, Pointer: pointer}
	c.next = append(c.next, &level{base, append(slices.Clone(l.steps), step), path, 1})
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

// isStruct reports whether t is a struct to reflection. These are kind Struct and the kinds for
// struct types of the standard library, none of which has an exported field.
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

func hasOption(opts, want string) bool { return slices.Contains(strings.Split(opts, ","), want) }

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

// reachable reports whether Go code of the package can name the field that encoding/json reaches by
// reflection. Code cannot name a step through an unexported embedded struct of another package.
// Then Go's promotion must lead to the same field, and the step must not be a pointer, since code
// could not compare it with nil. The struct behind an embedded pointer must have a name, since
// decoding allocates one. The field itself may be an unexported embedded struct to which a struct
// tag gives a name in JSON.
func (c *jsonCheck) reachable(t *ir.Type, f *ir.JSONField) bool {
	// from is the last struct on the path that code can name. skipped has the indexes of the steps
	// after it, which code cannot name; nil if there are none. The next name on the path must be
	// one that promotion finds in from by exactly these steps.
	from, skipped := t, []int(nil)
	check := func(name string, index int) bool {
		if skipped == nil {
			return true
		}
		want := append(skipped, index)
		got := promoted(from, name)
		skipped = nil
		return slices.Equal(got, want)
	}
	for _, st := range f.Steps {
		base, _ := embeddedType(st.Field.Type)
		if st.Pointer && !base.Spellable(c.pkg) {
			return false
		}
		if !st.Field.Usable(c.pkg) {
			if st.Pointer {
				return false
			}
			if skipped == nil {
				skipped = []int{}
			}
			skipped = append(skipped, st.Index)
			continue
		}
		if !check(st.Field.Name, st.Index) {
			return false
		}
		from = base
	}
	return c.settable(f.Field) && check(f.Field.Name, f.Index)
}

// settable reports whether reflection may set the field and call methods of its type.
func (c *jsonCheck) settable(f *ir.Field) bool {
	base, pointer := embeddedType(f.Type)
	return f.Exported || f.Pkg == c.pkg && !pointer && base.Hooks&ir.JSONHooks == 0
}

// promoted returns the path by which Go's promotion finds a field in a struct: the shallowest field
// of that name. It returns nil if there is none, or more than one at that depth.
func promoted(t *ir.Type, name string) []int {
	type place struct {
		t    *ir.Type
		path []int
	}
	seen := map[*ir.Type]bool{}
	for here := []place{{t, nil}}; len(here) > 0; {
		var hits [][]int
		var next []place
		for _, p := range here {
			if seen[p.t] {
				continue
			}
			for i, f := range p.t.Fields {
				path := append(slices.Clone(p.path), i)
				if f.Name == name {
					hits = append(hits, path)
				}
				if base, _ := embeddedType(f.Type); f.Embedded && base.Kind == ir.Struct {
					next = append(next, place{base, path})
				}
			}
		}
		for _, p := range here {
			seen[p.t] = true
		}
		if len(hits) == 1 {
			return hits[0]
		}
		if len(hits) > 1 {
			return nil
		}
		here = next
	}
	return nil
}
