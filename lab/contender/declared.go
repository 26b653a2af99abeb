package contender

import (
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/run"
)

// NOTE: some generators read the source files of one package one by one, without type-checking
// them. For the user's own package they have to be told which files to read, and they fail on a
// file that declares a generic type. The lab's own rows do not depend on this: their code is made
// from types.

// Declared says where the named types of a target are declared. It serves generators that read the
// source files of one package without type-checking them.
type Declared struct {
	Files     []string // files of the target's package that declare types of the target, sorted
	Instances []string // instances of generic types: Page[…]
	Generic   []string // those of Files that declare any generic type, even one that the target does not use
}

// DeclaredTypes returns where the given types of t are declared.
func DeclaredTypes(t *Target, types iter.Seq[*ir.Type]) (d Declared) {
	for x := range types {
		switch n := x.Name; {
		case n == nil || n.Pkg == "":
		case len(n.Args) > 0:
			d.Instances = append(d.Instances, n.Name+"[…]")
		case n.Pkg == t.IR.Path:
			d.Files = append(d.Files, x.Pos.File)
		}
	}
	for _, list := range []*[]string{&d.Files, &d.Instances} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	for _, name := range d.Files {
		if t.Dir != "" && declaresGeneric(filepath.Join(t.Dir, name)) {
			d.Generic = append(d.Generic, name)
		}
	}
	return d
}

func declaresGeneric(file string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return false // the go command reports the error
	}
	generic := false
	ast.Inspect(f, func(n ast.Node) bool {
		t, ok := n.(*ast.TypeSpec)
		generic = generic || ok && t.TypeParams != nil
		return !generic
	})
	return generic
}

// Methodless reports whether the root cannot have generated methods: it is an instance of a generic
// type, or declared in another package.
func Methodless(t *Target) bool {
	n := t.Root.Name
	return n != nil && (len(n.Args) > 0 || n.Pkg != t.IR.Path)
}

// PerFile completes a for a codec whose generator reads single files of the target's package. It
// sets a.Files to the file named by only, or, if only is "", to all files that declare types of the
// target. If one of these files declares a generic type, the generator cannot read it: then
// a.Manual has instructions for the user, and a.Generate is "".
func PerFile(a run.Adopt, t *Target, only string) *run.Adopt {
	d := DeclaredTypes(t, func(yield func(*ir.Type) bool) {
		for v := range Walk(t) {
			if !yield(v.Type) {
				return
			}
		}
	})
	a.Files = d.Files
	if only != "" {
		a.Files = []string{only}
	}
	generic := slices.DeleteFunc(d.Generic, func(f string) bool { return !slices.Contains(a.Files, f) })
	if len(generic) > 0 {
		a.Manual = "a file of their own for the generic types in " + strings.Join(generic, ", ") +
			", which its generator cannot read; then run it: " + a.Generate
		a.Generate = ""
	}
	return &a
}
