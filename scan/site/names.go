package site

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// namer names functions as runtime/pprof does. The compiler numbers the function literals of a
// function in the order of the source, which go/ssa does not always follow.
type namer struct {
	fset *token.FileSet
	mu   sync.Mutex
	seen map[*ssa.Function]string
	anon map[*ssa.Function][]*ssa.Function // function literals by position, ranges over functions resolved
}

func newNamer(fset *token.FileSet) *namer {
	return &namer{fset: fset, seen: map[*ssa.Function]string{}, anon: map[*ssa.Function][]*ssa.Function{}}
}

// name returns the name of fn in profiles.
func (n *namer) name(fn *ssa.Function) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.of(fn)
}

func (n *namer) of(fn *ssa.Function) string {
	if name, ok := n.seen[fn]; ok {
		return name
	}
	name := n.make(fn)
	n.seen[fn] = name
	return name
}

func (n *namer) make(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		return n.literal(fn, parent)
	}
	generic := ""
	if fn.Origin() != nil || fn.TypeParams().Len() > 0 {
		generic = "[...]"
	}
	origin := fn
	if o := fn.Origin(); o != nil {
		origin = o
	}
	pkg := pathOf(origin)
	if recv := origin.Signature.Recv(); recv != nil {
		named := namedOf(recv.Type())
		if named == nil {
			return pkg + "." + fn.Name()
		}
		typ := named.Obj().Name()
		if named.TypeParams().Len() > 0 || named.TypeArgs().Len() > 0 {
			typ += "[...]"
		}
		if isPointer(recv.Type()) {
			typ = "(*" + typ + ")"
		}
		return pkg + "." + typ + "." + origin.Name()
	}
	name := origin.Name()
	if i := strings.IndexByte(name, '#'); i >= 0 { // init#1 is the first function init of a package
		k, _ := strconv.Atoi(name[i+1:])
		name = name[:i] + "." + strconv.Itoa(k-1)
	}
	return pkg + "." + name + generic
}

// literal names a function literal. Literals within a literal are numbered apart: F.func1.2.
func (n *namer) literal(fn, parent *ssa.Function) string {
	for isYield(parent) && parent.Parent() != nil {
		parent = parent.Parent()
	}
	all, ok := n.anon[parent]
	if !ok {
		all = literals(parent, nil)
		slices.SortFunc(all, func(a, b *ssa.Function) int { return cmp.Compare(a.Pos(), b.Pos()) })
		n.anon[parent] = all
	}
	if isYield(fn) {
		k := 0
		for _, f := range all {
			if isYield(f) {
				k++
			}
			if f == fn {
				break
			}
		}
		return n.of(parent) + "-range" + strconv.Itoa(k)
	}
	k := 0
	for _, f := range all {
		if !isYield(f) {
			k++
		}
		if f == fn {
			break
		}
	}
	sep := ".func"
	if parent.Parent() != nil {
		sep = "."
	}
	return n.of(parent) + sep + strconv.Itoa(k)
}

func literals(fn *ssa.Function, all []*ssa.Function) []*ssa.Function {
	for _, f := range fn.AnonFuncs {
		all = append(all, f)
		if isYield(f) {
			all = literals(f, all)
		}
	}
	return all
}

// isYield reports whether fn is the body of a loop over a function.
func isYield(fn *ssa.Function) bool {
	_, ok := fn.Syntax().(*ast.RangeStmt)
	return ok
}

// pathOf returns the prefix of names of fn's package: dots of the last element are escaped.
func pathOf(fn *ssa.Function) string {
	if fn.Pkg == nil {
		return ""
	}
	if fn.Pkg.Pkg.Name() == "main" {
		return "main"
	}
	path := strings.TrimSuffix(fn.Pkg.Pkg.Path(), ".test")
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i] + strings.ReplaceAll(path[i:], ".", "%2e")
}
