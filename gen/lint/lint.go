// Package lint finds what will hurt later in the messages of a package. That is code which works
// today, but loses data, makes messages that readers refuse, or prevents a later version.
//
// NOTE, the map of the package:
//
//	lint.go     running the rules, and what suppresses them
//	rules.go    the rules and what they are for
//	fields.go   rules about fields
//	package.go  rules about sizes, named values and the record
package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/lock"
)

// Finding is one result of a rule.
type Finding struct {
	Rule string
	Pos  ir.Pos
	Path string // Order.Created; the package if the finding is about the whole package
	Msg  string
	Hint string
}

// Problem returns the finding as a problem of the source.
func (f Finding) Problem() ir.Problem {
	return ir.Problem{Pos: f.Pos, Path: f.Rule + ": " + f.Path, Msg: f.Msg, Hint: f.Hint}
}

// Run applies rules to the messages of a package. It returns findings in the order of the source.
// If the generator would refuse the messages, the error is an ir.Problems.
func Run(p *load.Pkg, rules []Rule) ([]Finding, error) {
	old, err := gen.ReadLock(p)
	if err != nil {
		return nil, err
	}
	plans, err := gen.Plans(p, old)
	if err != nil || len(plans) == 0 {
		return nil, err
	}
	x := &pass{pkg: p, old: old}
	for _, r := range rules {
		x.rule = r.Name
		if r.whole != nil {
			r.whole(x)
		}
		for _, plan := range plans {
			for _, t := range plan.Types {
				if r.each != nil && x.mine(t.Type) {
					r.each(x, t)
				}
				for _, f := range t.Fields {
					if r.field != nil && x.mine(t.Type) && f.Field != nil {
						r.field(x, t, f)
					}
				}
			}
		}
	}
	return x.suppress(plans, rules), nil
}

// pass is one run over a package.
type pass struct {
	pkg  *load.Pkg
	old  *lock.File
	rule string
	out  []Finding
}

// mine reports whether the package declares the type. Types of other packages are left to their own
// lint.
func (x *pass) mine(t *ir.Type) bool { return t.Name == nil || t.Name.Pkg == x.pkg.Path }

func (x *pass) add(pos ir.Pos, path, hint, format string, args ...any) {
	x.out = append(x.out, Finding{x.rule, pos, path, fmt.Sprintf(format, args...), hint})
}

// field adds a finding about a field of t.
func (x *pass) field(t *ir.ZMYType, f *ir.Field, hint, format string, args ...any) {
	path := f.Name
	if t.Type.Name != nil {
		path = t.Type.Name.Name + "." + path
	}
	x.add(f.Pos, path, hint, format, args...)
}

// A directive //zmy:lint-ignore suppresses the findings of one rule in some lines. The directive
// itself is a finding if it has no reason, if its rule is unknown, or if its rule has run and found
// nothing in those lines.

// ignore is a directive //zmy:lint-ignore RULE reason.
type ignore struct {
	pos      ir.Pos
	path     string
	rule     string
	from, to int // lines of the file to which it applies
	reason   bool
	used     bool
}

// suppress removes findings that a directive suppresses. It adds findings for directives that are
// wrong or that suppress nothing.
func (x *pass) suppress(plans []*ir.ZMYPlan, rules []Rule) []Finding {
	ignores := x.ignores(plans)
	out := slices.DeleteFunc(x.out, func(f Finding) bool {
		for _, i := range ignores {
			if i.rule == f.Rule && i.reason && i.pos.File == f.Pos.File && i.from <= f.Pos.Line && f.Pos.Line <= i.to {
				i.used = true
				return true
			}
		}
		return false
	})
	for _, i := range ignores {
		known := slices.ContainsFunc(Rules(), func(r Rule) bool { return r.Name == i.rule })
		ran := slices.ContainsFunc(rules, func(r Rule) bool { return r.Name == i.rule })
		f := Finding{Rule: "lint-ignore", Pos: i.pos, Path: i.path}
		switch {
		case !known:
			f.Msg, f.Hint = fmt.Sprintf("there is no rule %q", i.rule), "zmy lint -h lists them"
		case !i.reason:
			f.Msg, f.Hint = "no reason is given", "write it behind the rule: //zmy:lint-ignore "+i.rule+" reason"
		case ran && !i.used:
			f.Msg, f.Hint = i.rule+" finds nothing here", "remove the directive"
		default:
			continue
		}
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Rule, b.Rule))
	})
	return slices.Compact(out) // two plans may reach the same type
}

// ignores returns the directives of types and fields. A directive of a type applies to its fields
// too.
func (x *pass) ignores(plans []*ir.ZMYPlan) (out []*ignore) {
	seen := map[ir.Pos]bool{}
	add := func(dirs []string, pos ir.Pos, path string, to int) {
		for _, d := range dirs {
			text, ok := strings.CutPrefix(d, "zmy:lint-ignore")
			if !ok {
				continue
			}
			rule, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
			out = append(out, &ignore{pos: pos, path: path, rule: rule, from: pos.Line, to: to, reason: strings.TrimSpace(reason) != ""})
		}
	}
	for _, plan := range plans {
		for _, t := range plan.Types {
			n := t.Type.Name
			if !x.mine(t.Type) || n != nil && seen[t.Type.Pos] {
				continue
			}
			name := ""
			if n != nil {
				seen[t.Type.Pos] = true
				last := t.Type.Pos.Line
				for _, f := range t.Type.Fields {
					last = max(last, f.Pos.Line)
				}
				add(n.Dirs, t.Type.Pos, n.Name, last)
				name = n.Name + "."
			}
			for _, f := range t.Type.Fields {
				if !seen[f.Pos] {
					seen[f.Pos] = true
					add(f.Dirs, f.Pos, name+f.Name, f.Pos.Line)
				}
			}
		}
	}
	return out
}
