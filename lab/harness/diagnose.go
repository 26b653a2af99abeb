package harness

import (
	"context"
	"path/filepath"

	"github.com/zmylab/zmy/lab/contender"
)

// Diagnose compiles the worker of a contender again, after Build, and returns the output of the
// compiler. The given packages are compiled with the given compiler flags. In the output, a file
// that the contender adds to the subject's package has the name that JoinedName returns, and lies
// in the package's folder.
func (w *Workspace) Diagnose(ctx context.Context, info contender.Info, flags string, packages []string) (string, error) {
	dir := filepath.Join(w.dir, "c", info.Name)
	args := []string{"go", "test", "-c", "-vet=off", "-overlay", filepath.Join(dir, "overlay.json"), "-o", filepath.Join(dir, "diagnosed")}
	for _, p := range packages {
		args = append(args, "-gcflags="+p+"="+flags)
	}
	out, err := w.goRun(ctx, dir, info.Env, append(args, w.cfg.Subject.Pkg.Path)...)
	return w.hideDirs(string(out)), err
}

// JoinedName returns the compiler's name for a file that a contender adds to the subject's package.
func JoinedName(name string) string { return testName(name) }
