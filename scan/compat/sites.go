package compat

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/zmylab/zmy/scan/site"
)

// Found is what AtSites found.
type Found struct {
	Types []Subject
	Sites int      // JSON sites of the packages
	Left  []string // why some sites gave no type, one sentence each, sorted
}

// AtSites returns the types that reach JSON sites of the packages: calls of Marshal, Unmarshal and
// their like, also through wrappers. Tests and generated code do not count.
func AtSites(ctx context.Context, dir string, patterns []string, progress func(string)) (*Found, error) {
	r, err := site.Find(ctx, site.Config{Dir: dir, Patterns: patterns, Progress: progress})
	if err != nil {
		return nil, err
	}
	f := &Found{}
	own := map[string]bool{}
	for _, p := range r.Packages {
		own[p.Path] = true
	}
	for _, s := range r.Sites {
		if s.Kind.Format != "json" || s.Test || s.Generated {
			continue
		}
		f.Sites++
		if len(s.Values) == 0 {
			f.left(fmt.Sprintf("%s:%d: %s", s.Pos.Filename, s.Pos.Line, s.Why))
		}
		for _, v := range s.Values {
			subject, why := named(v.Type, own)
			switch {
			case why != "":
				f.left(fmt.Sprintf("%s:%d: %s %s", s.Pos.Filename, s.Pos.Line, v.Name, why))
			case subject.Type != "" && !slices.Contains(f.Types, subject):
				f.Types = append(f.Types, subject)
			}
		}
	}
	slices.SortFunc(f.Types, func(a, b Subject) int {
		return slices.Compare([]string{a.Package, a.Type}, []string{b.Package, b.Type})
	})
	slices.Sort(f.Left)
	f.Left = slices.Compact(f.Left)
	return f, nil
}

func (f *Found) left(why string) { f.Left = append(f.Left, why) }

// named returns the type as its package spells it, without pointers around it. A type without any
// declared one in it, such as map[string]any, gives neither a subject nor a reason. own are the import
// paths of the code base: one without a dot would pass for the standard library's.
func named(t types.Type, own map[string]bool) (s Subject, why string) {
	for {
		p, ok := types.Unalias(t).(*types.Pointer)
		if !ok {
			break
		}
		t = p.Elem()
	}
	var pkgs []*types.Package
	local := false
	var walk func(t types.Type)
	walk = func(t types.Type) {
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			o := t.Obj()
			if o.Pkg() == nil {
				return
			}
			if o.Parent() != o.Pkg().Scope() {
				local = true
			}
			if !slices.Contains(pkgs, o.Pkg()) {
				pkgs = append(pkgs, o.Pkg())
			}
			for a := range t.TypeArgs().Types() {
				walk(a)
			}
		case *types.Pointer:
			walk(t.Elem())
		case *types.Slice:
			walk(t.Elem())
		case *types.Array:
			walk(t.Elem())
		case *types.Map:
			walk(t.Key())
			walk(t.Elem())
		case *types.Struct:
			local = true
		}
	}
	walk(t)
	switch {
	case local:
		return s, "is declared in a function, where nothing outside can name it"
	case len(pkgs) == 0:
		return s, ""
	}
	standard := func(p *types.Package) bool {
		first, _, _ := strings.Cut(p.Path(), "/")
		return !strings.Contains(first, ".") && !own[p.Path()]
	}
	if !slices.ContainsFunc(pkgs, func(p *types.Package) bool { return !standard(p) }) {
		return s, ""
	}
	// The type is spelled in a package of the code base, where its unexported names are known: not in package time for a
	// map[time.Duration]Order.
	home := pkgs[max(0, slices.IndexFunc(pkgs, func(p *types.Package) bool { return own[p.Path()] }))]
	if !own[home.Path()] {
		home = pkgs[slices.IndexFunc(pkgs, func(p *types.Package) bool { return !standard(p) })]
	}
	expr := types.TypeString(t, func(p *types.Package) string {
		if p == home {
			return ""
		}
		return p.Name()
	})
	return Subject{Package: home.Path(), Type: expr, found: true}, ""
}
