// Package house holds the rules of the code base that a compiler does not know:
// who may import whom, where unsafe code may live, what generated code may use,
// and that no committed text names a path of one machine. Its test applies them to
// every module of the workspace; ARCHITECTURE.md prints the same list.
//
// Rules are functions from facts to violations, so that each can be tested on
// made-up packages and files.
package house

import (
	"cmp"
	"slices"
	"strings"
)

// Module is the import path of the core module; the others are nested in it.
const Module = "github.com/zmylab/zmy"

// Package is what the import rules see of a package.
type Package struct {
	Path    string   // import path
	Imports []string // of its Go files without tests
	Tests   []string // of its tests, in and beside the package
}

// Violation is one breach of a rule.
type Violation struct {
	Where string // import path or file
	What  string
	Rule  string // why it matters, as ARCHITECTURE.md says it
}

func (v Violation) String() string { return v.Where + ": " + v.What + " (" + v.Rule + ")" }

// Graph is the project's packages by import path.
type Graph map[string]Package

// NewGraph indexes packages.
func NewGraph(packages []Package) Graph {
	g := make(Graph, len(packages))
	for _, p := range packages {
		g[p.Path] = p
	}
	return g
}

// reach returns all that path imports, directly and through packages of the
// graph, each with the chain that leads there. Test imports are left out.
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

// within reports whether path is dir or lies below it; both are below [Module]
// without naming it: within(p, "gen/emit").
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

// short is path without the module's.
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
