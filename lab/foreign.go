package lab

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/place"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/run"
)

// foreign fills in the run's subject if no code can be generated in its package. It then also notes
// the package that the lab was started in, and a name that is still free in that package, for a
// type that the user declares there.
func (l *Opened) foreign(ctx context.Context) {
	s := l.subject
	var no *place.Error
	if s.Work.Mirror == "" && !errors.As(place.Check(s.Pkg.Dir), &no) {
		return
	}
	l.run.Subject.Foreign, l.run.Subject.Methods = true, formMethods(s.Root)
	out, err := gocmd.Output(ctx, l.o.Dir, nil, "list", "-find", "-json=Name,Dir,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles", ".")
	var home struct {
		Name, Dir                                      string
		GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles []string
	}
	if err != nil || json.Unmarshal(out, &home) != nil {
		return // the lab was not started in a package
	}
	var taken []string
	for _, name := range slices.Concat(home.GoFiles, home.CgoFiles, home.IgnoredGoFiles, home.TestGoFiles) {
		if src, err := os.ReadFile(filepath.Join(home.Dir, name)); err == nil {
			declared, _ := plan.Declared(name, src) // a file that does not parse takes no names
			taken = append(taken, declared...)
		}
	}
	own := l.run.Subject.Type
	for slices.Contains(taken, own) {
		own = "Own" + own
	}
	l.run.Subject.Home, l.run.Subject.Own = home.Name, own
}

// formMethods lists the methods with which t writes and reads its own JSON or text. A type that is
// declared from t does not have them.
func formMethods(t *ir.Type) []string {
	var out []string
	for _, m := range []struct {
		name  string
		hooks ir.Hooks
	}{
		{"MarshalJSON", ir.HasMarshalJSON | ir.HasMarshalJSONPtr},
		{"UnmarshalJSON", ir.HasUnmarshalJSON | ir.HasUnmarshalJSONPtr},
		{"MarshalText", ir.HasMarshalText | ir.HasMarshalTextPtr},
		{"UnmarshalText", ir.HasUnmarshalText | ir.HasUnmarshalTextPtr},
	} {
		if t.Hooks&m.hooks != 0 {
			out = append(out, m.name)
		}
	}
	return out
}

// nameModules notes for each problem which module declares the type in question, if it is not the
// subject's module. Users cannot write struct tags in other modules, so nameModules replaces advice
// to write a tag.
func (l *Opened) nameModules(w *run.Why) {
	for _, one := range append([]*run.Why{w}, w.More...) {
		l.nameModule(one)
		if one.Owner != "" && !inModule(one.Owner, l.subject.Pkg.Module.Path) && strings.Contains(one.Next, `:"-"`) {
			one.Next = "copy what is sent into a struct of your own without that field"
		}
	}
}

// nameModule sets one.Module to the module of the package that declares the type in question. It is
// "std" if the first element of the package's path has no dot, else the longest path of a module in
// the build that contains the package. In the subject's own module it stays "".
func (l *Opened) nameModule(one *run.Why) {
	if one.Package == "" || inModule(one.Package, l.subject.Pkg.Module.Path) {
		return
	}
	if first, _, _ := strings.Cut(one.Package, "/"); !strings.Contains(first, ".") {
		one.Module = "std"
		return
	}
	for m := range l.subject.Work.Modules {
		if inModule(one.Package, m) && len(m) > len(one.Module) {
			one.Module = m
		}
	}
}

func inModule(pkg, module string) bool { return pkg == module || strings.HasPrefix(pkg, module+"/") }
