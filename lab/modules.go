package lab

import (
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// nameModules tells of each problem from which module the type in question comes, if that
// is not the subject's. Struct tags in other modules are not the user's to write, so that
// advice to write one becomes advice that can be followed.
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
