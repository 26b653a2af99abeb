// Package gosrc is what contenders that bring generated code share.
package gosrc

import (
	"errors"
	"io/fs"
	"path"
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

// Add puts the files of a folder into a contender's module, under to.
func Add(s *contender.Sources, fsys fs.FS, dir, to string) error {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		b, err := fs.ReadFile(fsys, path.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		s.Module[path.Join(to, e.Name())] = b
	}
	return nil
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
