// Package gosrc has helpers for contenders that refuse types or add generated code.
package gosrc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Named reports whether t has a name other than a predeclared one. Code that reads a value of the
// underlying type may then have to convert it to t.
func Named(t *ir.Type) bool { return t.Name != nil && t.Name.Pkg != "" }

// Twin returns a file that declares the type name with the same fields as the subject. Methods on
// it cannot collide with the user's.
func Twin(t *contender.Target, name string) ([]byte, error) {
	f := print.For(t.IR, "zmy lab")
	f.P("type ", name, " ", t.Root)
	return f.Bytes()
}

// TypeList returns a file that declares zzTypes, a []reflect.Type: the types in first, then those
// of the target that keep accepts.
func TypeList(t *contender.Target, keep func(*ir.Type) bool, first ...string) ([]byte, error) {
	f := print.For(t.IR, "zmy lab")
	reflect := print.Package("reflect")
	f.P("var zzTypes = []", reflect.Ident("Type"), "{")
	for _, name := range first {
		f.P(reflect.Ident("TypeFor"), "[", name, "](),")
	}
	for v := range contender.Walk(t) {
		if keep(v.Type) {
			f.P(reflect.Ident("TypeFor"), "[", v.Type, "](),")
		}
	}
	f.P("}")
	return f.Bytes()
}

// Generator is a codec's generator that runs in a program of its own, inside the subject's package:
// it works by reflection on the live type.
type Generator struct {
	Codec string // name of the codec
	Texts fs.FS  // has the generator's source in folder generate, which becomes package zzgenerate
	Run   string // the Go statement that writes the code to files in the working folder
	// Types are files that declare types which the code names. Lists are files that only the
	// generator's program needs.
	Types, Lists map[string][]byte
	Hide         []string // see [PrefixImports]
}

// Sources returns the sources of a worker with the generated code. main is the Go expression of its
// contender.
func (g *Generator) Sources(ctx context.Context, tools contender.Tools, main string) (*contender.Sources, error) {
	s, err := contender.Bind(g.Codec, main)
	if err != nil {
		return nil, err
	}
	maps.Copy(s.Package, g.Types)
	prog := &contender.Sources{Package: maps.Clone(s.Package), Module: map[string][]byte{}, Main: g.Run}
	maps.Copy(prog.Package, g.Lists)
	code, err := RunGenerator(ctx, tools, s.Module, g.Texts, prog)
	if err != nil {
		return nil, err
	}
	for name, text := range code {
		if s.Package[name], err = PrefixImports(text, g.Hide...); err != nil {
			return nil, fmt.Errorf("%s: %w", g.Codec, err)
		}
	}
	return s, nil
}

// RunGenerator runs a codec's generator and returns the files that it writes. The generator's
// source is the folder generate of texts; it becomes package zzgenerate of a separate program in
// the subject's package. module has the codec's go.mod and go.sum. prog has Main, the files that
// join the package, and other files that the generator reads.
func RunGenerator(ctx context.Context, tools contender.Tools, module map[string][]byte, texts fs.FS, prog *contender.Sources,
) (map[string][]byte, error) {
	prog.Module["go.mod"], prog.Module["go.sum"] = module["go.mod"], module["go.sum"]
	prog.Imports = []string{"zzgenerate " + strconv.Quote(contender.ModulePath+"/generate")}
	if err := contender.AddFolder(prog.Module, texts, "generate", "generate"); err != nil {
		return nil, err
	}
	return tools.RunInPackage(ctx, prog)
}

// Why turns a problem in the source into the reason for leaving a contender out.
func Why(p ir.Problem) *run.Why {
	p.Pos.Col = 0
	return &run.Why{What: "skipped: " + p.Path + " " + p.Msg, Where: p.Pos.String(), Next: p.Hint}
}

// Fallback is the reason if generated code would call encoding/json. The user can allow that.
const Fallback = "it would fall back to encoding/json"

// Plan returns a function that refuses a target if refuse returns a reason for one of its types.
func Plan(refuse func(t *contender.Target, x *ir.Type) string) func(*contender.Target) *run.Why {
	return PlanNext(refuse, func(string) string { return contender.LeaveOut })
}

// PlanNext is Plan with advice: next returns what a user can do about a reason.
func PlanNext(refuse func(t *contender.Target, x *ir.Type) string, next func(reason string) string) func(*contender.Target) *run.Why {
	return func(t *contender.Target) *run.Why {
		return contender.Refusals(t, func(v contender.Visit) *run.Why {
			switch reason := refuse(t, v.Type); {
			case reason == "", reason == Fallback && t.AllowFallback:
				return nil
			case reason == Fallback:
				return v.Refuse(t, reason, "-allow-fallback")
			default:
				return v.Refuse(t, reason, next(reason))
			}
		})
	}
}

// Plain refuses types for a format that has plain data only: scalars, text, bytes, times, lists,
// maps and structs. Its fields are parts of the reasons.
type Plain struct {
	Dynamic string // the reason for interfaces
	Lacks   string // start of the reason for other types: "benc has no form for"
	Knows   string // the codec's name, in the reason for structs whose marshal methods it ignores
}

// Refuse says why the format cannot carry type x of the target, or returns "".
func (p *Plain) Refuse(t *contender.Target, x *ir.Type) string {
	switch x.Kind {
	case ir.Any, ir.Interface:
		return p.Dynamic
	case ir.Chan, ir.Func, ir.Unsafe, ir.Uintptr, ir.Invalid, ir.Complex64, ir.Complex128, ir.BigInt, ir.BigFloat, ir.BigRat:
		return p.Lacks + " it"
	case ir.Struct:
		if x != t.Root && x.Hooks&contender.OwnForm != 0 {
			return "it writes itself, which " + p.Knows + " does not know"
		}
	}
	return ""
}

// RefusePointer says why the format cannot carry pointer x, or returns "".
func (p *Plain) RefusePointer(x *ir.Type) string {
	if x.Kind != ir.Pointer {
		return ""
	}
	switch x.Elem.Kind {
	case ir.Pointer:
		return p.Lacks + " pointers to pointers"
	case ir.BigInt, ir.BigFloat, ir.BigRat:
		return p.Lacks + " it"
	}
	return ""
}

// Unnameable is the reason for types that code in the subject's package cannot name.
const Unnameable = "code of this package cannot name it"

// Kept reports whether generated code of package pkg carries the field.
func Kept(f *ir.Field, pkg string) bool {
	return f.Usable(pkg) && (f.Exported || f.Embedded && f.Type.Kind == ir.Struct) && !contender.Ignored(f)
}

// WhyErr is [Why] for an error that is an ir.Problems. The result has a reason for each problem,
// with the package of the type, which WhyErr finds by walking t. It returns nil for a nil error.
func WhyErr(t *contender.Target, err error) *run.Why {
	if err == nil {
		return nil
	}
	var ps ir.Problems
	if !errors.As(err, &ps) || len(ps) == 0 {
		return &run.Why{What: "skipped: " + err.Error()}
	}
	met := map[string]contender.Visit{} // by path; an ir.Problem lacks the package, which a visit has
	for v := range contender.Walk(t) {
		met[inside(v.Path)] = v
	}
	var why *run.Why
	for _, p := range ps {
		one := Why(p)
		if v, ok := met[inside(p.Path)]; ok {
			one.Package, one.Owner = v.Package(), v.In
		}
		why = contender.Also(why, one)
	}
	return why
}

// inside returns a path without its root: "Items[].Done" for "order.Order.Items[].Done". The checks
// of generators and Walk name the root differently, and the checks put the path of a field in
// brackets.
func inside(path string) string {
	if own, ok := strings.CutPrefix(path, "field "); ok && !strings.Contains(path, "(") {
		return own // a field of the root
	}
	path = strings.TrimSuffix(path[strings.LastIndex(path, "(")+1:], ")") // "field X (v1.Pod.Y.X)"
	head, rest, _ := strings.Cut(path, ".")
	if head != "" && !strings.ContainsAny(head[:1], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") { // the name of a package
		_, rest, _ = strings.Cut(rest, ".")
	}
	return rest
}
