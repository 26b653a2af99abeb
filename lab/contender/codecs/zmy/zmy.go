// Package zmy is the contender ZMY native, this project's own format, with the code that `zmy gen`
// writes. Types without zmy struct tags get field numbers in the order of declaration.
package zmy

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/gobin"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Info{
	Name:    "zmy",
	Family:  "binary",
	Text:    "ZMY native, generated code for your type (message limit raised to 64 MiB)",
	Modules: []run.Module{{Path: contender.RuntimePath}},
	Abilities: contender.Abilities{
		Evolution:     "yes; fields are known by their numbers, zmy.lock refuses changes that break",
		Languages:     "yes; Java and Rust, in this repository",
		Maps:          "yes",
		Any:           "yes; kinds are kept",
		Time:          "nanoseconds; and the zone, an option",
		Deterministic: "yes; always in the order of keys",
		ZeroCopy:      "yes; views, modes alias",
		Validation:    "yes; a message is verified before it is read",
		Streaming:     "yes; streams of chunks",
		Licence:       "Apache-2.0",
	},
	Adopt: &run.Adopt{Install: install, Release: release, Generate: direct, Derive: derive, Import: contender.RuntimePath,
		Marshal: "zmy.Marshal(v)", Unmarshal: "zmy.Unmarshal(b, &v)", Limit: limit,
		MarshalLarge: "zmy.MarshalOptions{MaxWire: MAX}.Marshal(v)", UnmarshalLarge: "zmy.UnmarshalOptions{MaxWire: MAX}.Unmarshal(b, &v)"},
	For:      instance,
	Plan:     plan,
	Generate: generate,
}

const (
	install = contender.RequireClone + "\ngo -C ../zmy install ./cmd/zmy"
	release = contender.RequireRelease + "\ngo install " + contender.RuntimePath + "/cmd/zmy@VERSION"
	direct  = "zmy gen -type=TYPE"
	derive  = "zmy gen -derive -type=TYPE"
	limit   = 128 << 10 // DefaultMaxWire
)

// instance returns the calls of generated functions for a type that cannot have methods, or nil for
// other types. For such a type zmy.Marshal would use reflection, which does not know derived field
// numbers.
func instance(t *contender.Target) *run.Adopt {
	if !contender.Methodless(t) {
		return nil
	}
	f := func(op, args string) string { return gobin.FuncName(op, t.Root) + "(" + args + ", &v)" }
	return &run.Adopt{Install: install, Release: release, Generate: direct, Derive: derive,
		Marshal: f("AppendZMY", "nil"), Unmarshal: f("UnmarshalZMY", "b"), Limit: limit,
		MarshalLarge:   f("AppendZMYOptions", "nil, zmy.MarshalOptions{MaxWire: MAX}"),
		UnmarshalLarge: f("UnmarshalZMYOptions", "b, zmy.UnmarshalOptions{MaxWire: MAX}")}
}

func native(t *contender.Target) (*ir.Package, *ir.ZMYPlan, error) {
	p := *t.IR
	p.Roots = []*ir.Type{t.Root}
	z, err := check.ZMY(&p, check.ZMYOptions{Derive: true})
	return &p, z, err
}

func plan(t *contender.Target) *run.Why {
	_, _, err := native(t)
	return gosrc.WhyErr(t, err)
}

func generate(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
	p, z, err := native(t)
	if err != nil {
		return nil, err
	}
	code, err := gobin.Emit(p, z, gobin.Options{By: "zmy lab"})
	if err != nil {
		return nil, err
	}
	s, err := contender.Bind("zmy", "zzadapter.New(zzCode).Without(zzLeftOut)"+contender.ByTags("zmy", "json"))
	if err != nil {
		return nil, err
	}
	s.Package["zz_zmy.go"] = code
	s.Package["zz_zmy_bind.go"], err = bind(t, z, code)
	return s, err
}

// LeavesOut returns the fields of a target that its messages do not contain. The names have the
// notation of fidelity.Field.
func LeavesOut(t *contender.Target) (names []string) {
	_, z, err := native(t)
	if err != nil {
		return nil
	}
	for _, n := range z.Notes {
		if o := n.Owner.Name; n.Left && o != nil {
			names = append(names, o.Pkg+"."+o.Name+"."+n.Field.Name)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// leftOut writes the list of fields that the messages do not have. It skips types that the package
// cannot name.
func leftOut(f *print.File, z *ir.ZMYPlan, pkg string) {
	field := print.Pkg{Path: contender.LabPath + "/fidelity", Name: "zzfidelity"}.Ident("Field")
	typeFor := print.Package("reflect").Ident("TypeFor")
	written := map[*ir.Field]bool{}
	f.P("var zzLeftOut = []", field, "{")
	for _, n := range z.Notes {
		if !n.Left || written[n.Field] || !n.Owner.Spellable(pkg) {
			continue
		}
		written[n.Field] = true
		f.P("{Type: ", typeFor, "[", n.Owner, "](), Name: ", strconv.Quote(n.Field.Name), "},")
	}
	f.P("}")
}

// bind writes the variable that passes the generated code to the adapter.
func bind(t *contender.Target, z *ir.ZMYPlan, code []byte) ([]byte, error) {
	funcs, err := gosrc.Funcs(code)
	if err != nil {
		return nil, err
	}
	f := print.For(t.IR, "zmy lab")
	call := func(op string) string { // a method, or a function if the root can have none
		fn, _ := gosrc.Find(funcs, func(x gosrc.Func) bool { return strings.HasPrefix(x.Name, op) })
		if fn.Recv != "" {
			return "v." + fn.Name + "(b, o)"
		}
		return fn.Name + "(b, o, v)"
	}
	adapter := print.Pkg{Path: contender.ModulePath + "/adapter", Name: "zzadapter"}
	zmy := print.Package(contender.RuntimePath)
	write, read := call("AppendZMYOptions"), call("UnmarshalZMYOptions")
	f.P("var zzCode = ", adapter.Ident("Code"), "[", t.Root, "]{")
	f.P("Append: func(b []byte, v *", t.Root, ", o ", zmy.Ident("MarshalOptions"), ") ([]byte, error) { return ", write, " },")
	f.P("Unmarshal: func(b []byte, v *", t.Root, ", o ", zmy.Ident("UnmarshalOptions"), ") error { return ", read, " },")
	accessors(f, funcs, t.Leaf)
	f.P("}\n")
	leftOut(f, z, t.IR.Path)
	return f.Bytes()
}

// accessors writes the accessors that read the leaf from a view. Mode view verifies the whole
// message first. Mode lazy checks only what it opens on the way. Nothing is written if views do not
// lead to the leaf.
func accessors(f *print.File, funcs []gosrc.Func, leaf string) {
	if leaf == "" {
		return
	}
	var out []string
	limits := f.Ident(print.Pkg{Path: contender.ModulePath + "/adapter", Name: "zzadapter"}.Ident("Limits"))
	for _, m := range []struct{ mode, suffix, args string }{{"view", "Options", "(b, " + limits + ")"}, {"lazy", "Lazy", "(b)"}} {
		open, ok := gosrc.Find(funcs, func(x gosrc.Func) bool {
			return x.Recv == "" && strings.HasPrefix(x.Name, "View") && strings.HasSuffix(x.Name, m.suffix)
		})
		if !ok {
			return
		}
		body, ok := walk(funcs, open.Results[0], leaf)
		if !ok {
			return
		}
		clone := f.Ident(print.Pkg{Path: "strings", Name: "strings"}.Ident("Clone"))
		// Strings from a view point into the message. The other codecs' accessors copy them, so
		// these do too; modes -alias do not.
		for _, way := range []struct{ suffix, mark, own string }{{"", "", clone}, {"-alias", "Alias: true, ", "string"}} {
			out = append(out, fmt.Sprintf("{Mode: %q, Path: %q, %sNew: func() func([]byte) (string, error) {\n"+
				"return func(b []byte) (string, error) {\nv0, err := %s%s\nif err != nil {\nreturn \"\", err\n}\n%s}\n}},",
				m.mode+way.suffix, leaf, way.mark, open.Name, m.args, strings.ReplaceAll(body, ownMark, way.own)))
		}
	}
	worker := print.Pkg{Path: contender.LabPath + "/worker", Name: "zzworker"}
	f.P("Accessors: []", worker.Ident("Accessor"), "{")
	for _, s := range out {
		f.P(s)
	}
	f.P("},")
}

// ownMark stands, in the code from walk, for the function that makes the result from the leaf:
// strings.Clone, or string, which does not copy.
const ownMark = "\x00"

// walk returns code for the steps from a view to the leaf. Each step calls a method of the present
// view, which returns another view, a view that may be absent, or an element of a list. ok is false
// if views do not lead to the leaf.
func walk(funcs []gosrc.Func, view, leaf string) (body string, ok bool) {
	at := "v0"
	steps := strings.Split(leaf, ".")
	for i, step := range steps {
		field, indexed := strings.CutSuffix(step, "[0]")
		get, found := gosrc.Find(funcs, func(x gosrc.Func) bool { return x.Recv == view && x.Name == field })
		if !found || strings.Contains(field, "[") || indexed != (len(get.Params) == 1) || indexed && get.Params[0] != "int" {
			return "", false
		}
		call := at + "." + field + "()"
		if indexed {
			body += "if " + at + "." + field + "Len() == 0 {\nreturn \"\", nil\n}\n"
			call = at + "." + field + "(0)"
		}
		next := at + "x"
		switch {
		case len(get.Results) == 1:
			body += next + " := " + call + "\n"
		case get.Results[1] == "bool":
			body += next + ", ok := " + call + "\nif !ok {\nreturn \"\", nil\n}\n"
		default:
			return "", false // this method decodes: it returns no view
		}
		at, view = next, get.Results[0]
		if i == len(steps)-1 {
			return body + "return " + ownMark + "(string(" + at + ")), nil\n", !strings.HasSuffix(view, "View")
		}
	}
	return "", false
}
