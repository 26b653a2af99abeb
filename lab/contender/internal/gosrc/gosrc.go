// Package gosrc is what contenders that bring generated code share.
package gosrc

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Named reports whether t has a name that is not predeclared, so that values of
// its underlying type need a conversion inside other types.
func Named(t *ir.Type) bool { return t.Name != nil && t.Name.Pkg != "" }

// Twin is a file that declares a type of the same fields as the subject, for methods that must meet
// none of the user's.
func Twin(t *contender.Target, name string) ([]byte, error) {
	f := print.For(t.IR, "zmy lab")
	f.P("type ", name, " ", t.Root)
	return f.Bytes()
}

// TypeList is a file that declares zzTypes, a []reflect.Type: the types named first, then those of
// the target that keep picks.
func TypeList(t *contender.Target, keep func(*ir.Type) bool, first ...string) ([]byte, error) {
	f := print.For(t.IR, "zmy lab")
	reflect := print.Package("reflect")
	f.P("var zzTypes = []", reflect.Ident("Type"), "{")
	for _, name := range first {
		f.P(reflect.Ident("TypeFor"), "[", name, "](),")
	}
	for _, x := range contender.Walked(t) {
		if keep(x) {
			f.P(reflect.Ident("TypeFor"), "[", x, "](),")
		}
	}
	f.P("}")
	return f.Bytes()
}

// RunGenerator runs the generator whose text is folder generate of texts, as package zzgenerate in
// a program of its own in the subject's package, and returns the files that it writes. module has
// the codec's go.mod and go.sum; prog has Main, what joins the package, and what else the generator
// reads.
func RunGenerator(ctx context.Context, tools contender.Tools, module map[string][]byte, texts fs.FS, prog *contender.Sources,
) (map[string][]byte, error) {
	if prog.Module == nil {
		prog.Module = map[string][]byte{}
	}
	prog.Module["go.mod"], prog.Module["go.sum"] = module["go.mod"], module["go.sum"]
	prog.Imports = []string{"zzgenerate " + strconv.Quote(contender.ModulePath+"/generate")}
	if err := contender.AddFolder(prog.Module, texts, "generate", "generate"); err != nil {
		return nil, err
	}
	return tools.RunInPackage(ctx, prog)
}

// Why turns a problem of the source into the reason why a contender is left out.
func Why(p ir.Problem) *run.Why {
	return &run.Why{What: "skipped: " + p.Path + " " + p.Msg, Where: where(p.Pos), Next: p.Hint}
}

// Skip is the reason why a contender cannot carry the type that a visit met.
func Skip(t *contender.Target, v contender.Visit, reason, next string) *run.Why {
	what := "skipped: " + v.Path + " has type " + print.TypeExprIn(v.Type, t.IR.Path)
	if next == contender.LeaveOut && v.In == "" {
		next = "leave this contender out: it is the type itself that it cannot carry"
	}
	return &run.Why{What: what, Where: where(v.Pos), Reason: reason, Next: next, Package: v.Package(), Owner: v.In}
}

// Also adds a problem to those before it: the first is why a contender is left out, the
// others are its More.
func Also(why, another *run.Why) *run.Why {
	if why == nil {
		return another
	}
	why.More = append(why.More, another)
	return why
}

// Fallback is the reason of generated code that would call encoding/json, which the user can allow.
const Fallback = "it would fall back to encoding/json"

// Plan refuses a target for every type on the way through it that refuse has a reason for.
func Plan(refuse func(t *contender.Target, x *ir.Type) string) func(*contender.Target) *run.Why {
	return PlanNext(refuse, func(string) string { return contender.LeaveOut })
}

// PlanNext is Plan with what a user can do about each reason.
func PlanNext(refuse func(t *contender.Target, x *ir.Type) string, next func(reason string) string) func(*contender.Target) *run.Why {
	return func(t *contender.Target) (why *run.Why) {
		contender.Walk(t, func(v contender.Visit) bool {
			switch reason := refuse(t, v.Type); {
			case reason == "", reason == Fallback && t.AllowFallback:
			case reason == Fallback:
				why = Also(why, Skip(t, v, reason, "-allow-fallback"))
			default:
				why = Also(why, Skip(t, v, reason, next(reason)))
			}
			return true
		})
		return why
	}
}

// Plain is how a format of plain data is spoken of, which has scalars, text, bytes, times, lists,
// maps and structs alone.
type Plain struct {
	Dynamic string // why it has no values of any type
	Lacks   string // "benc has no form for"
	Knows   string // what knows no methods of types: "benc"
}

// Refuse says why the format cannot carry a type that is met on the way through the target, or "".
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

// RefusePointer says it of pointers that the format cannot carry.
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

// Unnameable is the reason of types that code of the subject's package cannot spell.
const Unnameable = "code of this package cannot name it"

// Kept reports a field that generated code of package pkg carries.
func Kept(f *ir.Field, pkg string) bool {
	return f.Usable(pkg) && (f.Exported || f.Embedded && f.Type.Kind == ir.Struct) && !contender.Ignored(f)
}

func where(p ir.Pos) string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// WhyErr is Why for an ir.Problems, with all of them, nil for no error. The packages of the
// types in question are found in t.
func WhyErr(t *contender.Target, err error) *run.Why {
	if err == nil {
		return nil
	}
	var ps ir.Problems
	if !errors.As(err, &ps) || len(ps) == 0 {
		return &run.Why{What: "skipped: " + err.Error()}
	}
	met := map[string]contender.Visit{}
	contender.Walk(t, func(v contender.Visit) bool {
		met[inside(v.Path)] = v
		return true
	})
	var why *run.Why
	for _, p := range ps {
		one := Why(p)
		if v, ok := met[inside(p.Path)]; ok {
			one.Package, one.Owner = v.Package(), v.In
		}
		why = Also(why, one)
	}
	return why
}

// inside is a path without its root: ".Items[].Done" of "order.Order.Items[].Done".
func inside(path string) string {
	if own, ok := strings.CutPrefix(path, "field "); ok && !strings.Contains(path, "(") {
		return own // of the root
	}
	path = strings.TrimSuffix(path[strings.LastIndex(path, "(")+1:], ")") // "field X (v1.Pod.Y.X)"
	head, rest, _ := strings.Cut(path, ".")
	if head != "" && !strings.ContainsAny(head[:1], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") { // a package's name
		_, rest, _ = strings.Cut(rest, ".")
	}
	return rest
}
