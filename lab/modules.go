package lab

import (
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// nameModules notes for each problem which module declares the type in question, if it is not the
// subject's module. Users cannot write struct tags in other modules, so advice to write one is
// replaced.
func (l *lab) nameModules(w *run.Why) {
	for _, one := range append([]*run.Why{w}, w.More...) {
		l.nameModule(one)
		if one.Owner != "" && !inModule(one.Owner, l.subject.Pkg.Module.Path) && strings.Contains(one.Next, `:"-"`) {
			one.Next = "copy what is sent into a struct of your own without that field"
		}
	}
}

func (l *lab) nameModule(one *run.Why) {
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
