// Package house has the rules of the code base that a compiler does not know: which package may
// import which, that the modules of the Rust crate form layers, where unsafe code may be, what
// generated code may use, and that no committed text names a path of one machine. Its test applies
// them to every module of the workspace. ARCHITECTURE.md has the same list.
//
// A rule is a function that returns violations, so that it can be tested with invented packages and
// files.
package house

import (
	"cmp"
	"slices"
	"strings"
)

// Module is the import path of the core module. The other modules are nested in it.
const Module = "github.com/zmylab/zmy"

// Package has the facts about a package that the import rules need.
type Package struct {
	Path    string   // import path
	Imports []string // of its Go files without tests
	Tests   []string // imports of its tests, in the package and in the external test package
}

// Violation says how a rule is broken.
type Violation struct {
	Where string // import path or file
	What  string
	Rule  string // the rule, as ARCHITECTURE.md states it
}

func (v Violation) String() string { return v.Where + ": " + v.What + " (" + v.Rule + ")" }

// Graph has the project's packages by import path.
type Graph map[string]Package

// NewGraph returns the graph of the packages.
func NewGraph(packages []Package) Graph {
	g := make(Graph, len(packages))
	for _, p := range packages {
		g[p.Path] = p
	}
	return g
}

// reach returns all packages that path imports, directly or through packages of the graph. The
// value for a package is the chain of imports that leads to it. Imports of tests do not count.
func (g Graph) reach(path string) map[string][]string {
	seen := map[string][]string{path: {path}}
	queue := []string{path}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, next := range g[at].Imports {
			if _, ok := seen[next]; !ok {
				seen[next] = append(slices.Clone(seen[at]), next)
				queue = append(queue, next)
			}
		}
	}
	delete(seen, path)
	return seen
}

// within reports whether path is dir or is below it. dir is relative to [Module]: within(p,
// "gen/emit").
func within(path, dir string) bool {
	full := Module + "/" + dir
	return path == full || strings.HasPrefix(path, full+"/")
}

// isStandard reports whether an import path is the standard library's: its first
// element has no dot.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// short returns path without the prefix Module.
func short(path string) string {
	if rest, ok := strings.CutPrefix(path, Module+"/"); ok {
		return rest
	}
	return path
}

func sorted(vs []Violation) []Violation {
	slices.SortFunc(vs, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Where, b.Where), cmp.Compare(a.What, b.What))
	})
	return vs
}
