package contract

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// Of makes a record from the contract of types of the package path. exprs are the types, as the
// user wrote them, and roots the types of the plan that they name.
func Of(path string, c *ir.JSONContract, exprs []string, roots []*ir.Type) *File {
	name := func(t *ir.JSONType) string {
		if t.Holder != "" {
			return t.Holder
		}
		n := print.TypePath(t.Type, path)
		if words[n] {
			return path + "." + n
		}
		return n
	}
	s := spelling{name}
	f := &File{}
	for i, form := range c.Roots {
		f.Roots = append(f.Roots, Root{exprs[i], s.of(roots[i], form)})
	}
	taken := map[string]bool{}
	for _, j := range c.Types {
		if t := s.typ(j); !taken[t.Name] {
			taken[t.Name] = true
			f.Types = append(f.Types, t)
		}
	}
	f.sort()
	return f
}

func (s spelling) typ(j *ir.JSONType) *Type {
	t := &Type{Name: s.name(j), Pos: j.Type.Pos}
	if n := j.Type.Name; n != nil {
		t.ignores = ignoresOf(n.Dirs)
	}
	if j.Reads.Name != "" {
		t.Reads = j.Reads.Name
	}
	if w := j.Writes; w.Name != "" {
		t.Kind, t.Writes = Methods, w.Name
		if w.Pointer {
			t.Writes = "*" + w.Name
		}
		if w.Owner != nil {
			t.Of = print.TypePath(w.Owner, "")
		}
		return t
	}
	switch {
	case j.Object():
		t.Kind = Object
	case len(j.Values) > 0:
		t.Kind, t.Form = Enum, s.of(j.Type, j.Form)
		for _, v := range j.Values {
			t.Values = append(t.Values, Value{v.Text, v.Name})
		}
		return t
	default:
		t.Kind, t.Form = Alias, s.of(j.Type, j.Form)
		if j.Type.Kind == ir.Pointer {
			t.Form = "?" + s.of(j.Type.Elem, j.Form)
		}
		return t
	}
	for _, m := range j.Members {
		t.Members = append(t.Members, Member{
			Name: m.Name, Go: m.Path(), Form: s.of(m.Type, m.Form), Null: m.Form.Null, Empty: m.Empty, Zero: m.OmitZero, Missing: m.Missing,
			Quoted: m.Form.Quoted, Required: m.Required, Decimals: m.Decimals, Pos: m.Field.Pos, ignores: ignoresOf(m.Field.Dirs),
		})
	}
	if j.Rest != nil {
		t.Rest = s.rest(j)
	}
	return t
}

// rest spells the form of the other members of an object. A map holds them, or json.RawMessage.
func (s spelling) rest(j *ir.JSONType) string {
	for _, f := range j.Type.Fields {
		t := f.Type
		if t.Kind == ir.Pointer {
			t = t.Elem
		}
		if strings.Contains(f.Tag, "fxjson:") && t.Kind == ir.Map {
			return s.of(t.Elem, j.Rest)
		}
	}
	if form := formWords[j.Rest.Kind]; form != "" {
		return form
	}
	return "any"
}

// Directive is the directive in a comment of a field or type that accepts a break.
const Directive = "zmy:breaking-ignore"

// ignore is a directive //zmy:breaking-ignore RULE reason.
type ignore struct{ rule, reason string }

func ignoresOf(dirs []string) (out []ignore) {
	for _, d := range dirs {
		if text, ok := strings.CutPrefix(d, Directive); ok && (text == "" || text[0] == ' ') {
			rule, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
			out = append(out, ignore{rule, strings.TrimSpace(reason)})
		}
	}
	return out
}

// Ignores returns a problem for each directive of the source that names no rule or gives no reason.
func (f *File) Ignores() (ps ir.Problems) {
	add := func(pos ir.Pos, path string, list []ignore) {
		for _, i := range list {
			known := slices.ContainsFunc(Rules(), func(r Rule) bool { return r.ID == i.rule })
			switch {
			case !known:
				ps = append(ps, ir.Problem{Pos: pos, Path: path, Msg: "directive //" + Directive + " names no rule: " + i.rule,
					Hint: "zmy breaking -json -h lists them"})
			case i.reason == "":
				ps = append(ps, ir.Problem{Pos: pos, Path: path, Msg: "directive //" + Directive + " " + i.rule + " gives no reason",
					Hint: "write it behind the rule"})
			}
		}
	}
	for _, t := range f.Types {
		add(t.Pos, t.Name, t.ignores)
		for _, m := range t.Members {
			add(m.Pos, t.Name+"."+m.Name, m.ignores)
		}
	}
	return ps
}
