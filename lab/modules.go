package lab

import (
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// nameModules tells of each problem from which module the type in question comes, if that
// is not the subject's: there the user cannot change it.
func (l *lab) nameModules(w *run.Why) {
	for _, one := range append([]*run.Why{w}, w.More...) {
		if one.Package == "" || inModule(one.Package, l.subject.Pkg.Module.Path) {
			continue
		}
		if first, _, _ := strings.Cut(one.Package, "/"); !strings.Contains(first, ".") {
			one.Module = "std"
			continue
		}
		for m := range l.subject.Work.Modules {
			if inModule(one.Package, m) && len(m) > len(one.Module) {
				one.Module = m
			}
		}
	}
}

func inModule(pkg, module string) bool { return pkg == module || strings.HasPrefix(pkg, module+"/") }
