// Package plan resolves what a run of the lab measures: a package, its type, and the modules around
// it.
//
// NOTE, the map: plan.go resolves the subject; workspace.go the modules that its package is built
// with, vendor.go those of a vendor folder; leaf.go finds the string that operation access reads;
// imports.go the imports that a type expression needs; constants.go the constants of its types;
// mask.go finds and hides committed code of codec generators.
package plan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
)

// Options name a subject as the user does.
type Options struct {
	Dir     string   // folder that Package is relative to; "" is the current one
	Env     []string // environment of go commands; nil is the process's own
	Package string   // a folder (of any module) or an import path
	Type    string   // Order, Page[Order]; "" picks the only suitable type, or the only one with a sample function
	Field   string   // path of the string that operation access reads; "" picks the first
}

// Subject is the type to be measured and what its package is built with.
type Subject struct {
	Pkg     *load.Pkg
	IR      *ir.Package
	Root    *ir.Type
	Expr    string   // the type as spelled inside its package
	Imports []string // import specs for the packages that Expr names
	Name    string   // package name and type: order.Order
	Sample  string   // the package's own sample function, or ""
	// Samplers are the package's sample functions for other types, set if there is none for the
	// type itself. They make the values of these types inside generated values.
	Samplers []string
	// Constants maps types to their declared constants, from which most of their values are drawn.
	Constants map[string][]string
	Leaf      *Leaf // nil if no path leads to a string
	Work      *Work
	// CodecFiles were written by codec generators, in the packages of the type and its parts. IR
	// leaves their methods out if the package compiles without them.
	CodecFiles []string
}

// TypesError says that the user must choose a type, and lists the choices.
type TypesError struct {
	Package string
	Types   []load.Candidate
}

// Error names every choice with its place.
func (e *TypesError) Error() string {
	if len(e.Types) == 0 {
		return fmt.Sprintf("package %s has no struct type with exported fields; name a type with -type", e.Package)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s has %d suitable types; choose one with -type:", e.Package, len(e.Types))
	for _, t := range e.Types {
		fmt.Fprintf(&b, "\n  -type %-24s %s:%d", t.Name, t.Pos.File, t.Pos.Line)
		if t.Sample {
			fmt.Fprintf(&b, "  values from Sample%s", t.Name)
		}
	}
	return b.String()
}

// Resolve loads the package and describes the type. Its errors are for the user: they say what
// failed, where, and what to do.
func Resolve(ctx context.Context, o Options) (*Subject, error) {
	cfg, pattern, err := where(o)
	if err != nil {
		return nil, err
	}
	pkg, err := load.Load(ctx, cfg, pattern)
	if err != nil {
		if pattern != o.Package {
			err = fmt.Errorf("%s: %w", o.Package, err)
		}
		return nil, err
	}
	if pkg.Module == nil {
		return nil, fmt.Errorf("package %s belongs to the standard library, which cannot be built with additions; "+
			"declare `type T %s.X` in a package of yours and measure that", pkg.Path, pkg.Name)
	}
	if pkg.Module.Dir == "" { // the go command does not name the folder of a vendored module
		pkg.Module.Dir = strings.TrimSuffix(pkg.Dir, filepath.FromSlash(strings.TrimPrefix(pkg.Path, pkg.Module.Path)))
	}
	expr, err := choose(pkg, o.Type)
	if err != nil {
		return nil, err
	}
	s := &Subject{Pkg: pkg, Expr: expr, Name: pkg.Name + "." + expr}
	if err := s.describe(ctx, cfg, pattern); err != nil {
		return nil, err
	}
	if s.Imports, err = exprImports(expr, pkg.GoFiles); err != nil {
		return nil, err
	}
	if name, ok := pkg.SampleFunc(expr); ok {
		s.Sample = name
	} else {
		s.Samplers, s.Constants = pkg.SampleFuncs(), constants(s.Root)
	}
	s.Leaf, err = findLeaf(s.Root, pkg.Path, o.Field)
	return s, err
}

// describe builds the IR. It first builds it as the package is, to learn which packages the types
// come from. It then builds it without the methods in committed codec code, since the workers leave
// them out too.
func (s *Subject) describe(ctx context.Context, cfg load.Config, pattern string) error {
	desc, err := s.Pkg.BuildDeriving(s.Expr)
	if err != nil {
		return err
	}
	s.IR, s.Root = desc, desc.Roots[0]
	if s.Work, err = findWork(ctx, s.Pkg, cfg.Dir, cfg.Env); err != nil {
		return err
	}
	s.CodecFiles = codecFiles(desc, s.Pkg, s.Work)
	cfg.Overlay = masked(s.CodecFiles)
	if len(cfg.Overlay) == 0 {
		return nil
	}
	pkg, err := load.Load(ctx, cfg, pattern)
	if err != nil {
		return ctx.Err() // other code needs the methods, so they stay in the IR
	}
	if desc, err = pkg.BuildDeriving(s.Expr); err == nil {
		s.IR, s.Root = desc, desc.Roots[0]
	}
	return nil
}

// where returns the load configuration and the pattern for a package. For a folder these are the
// folder itself and ".", so that folders of other modules work too.
func where(o Options) (load.Config, string, error) {
	cfg := load.Config{Dir: o.Dir, Env: o.Env}
	if cfg.Env == nil {
		cfg.Env = os.Environ()
	}
	dir := o.Package
	if dir == "" {
		dir = "."
	}
	if strings.HasSuffix(dir, "...") {
		return cfg, "", fmt.Errorf("%s names several packages; the lab measures one type of one package", o.Package)
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(o.Dir, dir)
	}
	info, err := os.Stat(dir)
	switch {
	case err == nil && info.IsDir() && (filepath.IsAbs(o.Package) || hasGoFiles(dir)):
		abs, err := filepath.Abs(dir)
		cfg.Dir = abs
		return cfg, ".", err
	case err == nil && !info.IsDir():
		return cfg, "", fmt.Errorf("%s is a file; name its folder", o.Package)
	case err != nil && (strings.HasPrefix(o.Package, ".") || filepath.IsAbs(o.Package)):
		return cfg, "", fmt.Errorf("there is no folder %s; name a folder (./order) or an import path: `go list ./...` prints those "+
			"of this module", o.Package)
	}
	return cfg, o.Package, nil
}

func hasGoFiles(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	return err == nil && len(files) > 0
}

// choose returns the type to be measured: the one named by expr, or else the package's only
// suitable type, or else the only one with a sample function.
func choose(pkg *load.Pkg, expr string) (string, error) {
	if expr != "" {
		return expr, nil
	}
	types := pkg.Candidates()
	if len(types) == 1 {
		return types[0].Name, nil
	}
	var sampled []load.Candidate
	for _, t := range types {
		if t.Sample {
			sampled = append(sampled, t)
		}
	}
	if len(sampled) == 1 {
		return sampled[0].Name, nil
	}
	return "", &TypesError{Package: pkg.Path, Types: types}
}

// Derived reports whether ZMY field numbers must be derived from the order of declaration: the type
// has none of its own, and derived ones are accepted.
func Derived(s *Subject) bool {
	p := *s.IR
	p.Roots = []*ir.Type{s.Root}
	if _, err := check.ZMY(&p, check.ZMYOptions{}); err == nil {
		return false
	}
	_, err := check.ZMY(&p, check.ZMYOptions{Derive: true})
	return err == nil
}

// Top counts the fields of t itself, as Shape does.
func Top(t *ir.Type) (fields int) {
	for _, f := range t.Fields {
		if f.Exported || f.Embedded {
			fields++
		}
	}
	return fields
}

// Shape counts the fields of t and of all types below it, and their depth of nesting: a struct of
// scalars has depth 1.
func Shape(t *ir.Type) (fields, depth int) {
	seen := map[*ir.Type]bool{}
	var walk func(t *ir.Type, d int)
	walk = func(t *ir.Type, d int) {
		if t == nil {
			return
		}
		switch t.Kind {
		case ir.Struct:
			if depth = max(depth, d); seen[t] {
				return
			}
			seen[t] = true
			for _, f := range t.Fields {
				if f.Exported || f.Embedded {
					fields++
					walk(f.Type, d+1)
				}
			}
		case ir.Pointer, ir.Slice, ir.Array, ir.Map:
			walk(t.Key, d)
			walk(t.Elem, d)
		}
	}
	walk(t, 1)
	return fields, max(depth, 1)
}
