package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/run"
)

// drift notes the module versions that a worker was built with. It adds a note for each version
// that differs from the pinned one, or from the one with which the user builds the subject's
// package.
func (o *Worker) drift(ctx context.Context, w *Workspace, dir string, info contender.Info) error {
	if len(info.Modules) == 0 && len(info.Use) == 0 {
		return nil // nothing was added that could raise a version
	}
	list := []string{"go", "list", "-e", "-deps", "-test", "-overlay", filepath.Join(dir, "overlay.json"),
		"-f", plan.ModuleFormat, w.cfg.Subject.Pkg.Path}
	out, err := gocmd.Run(ctx, w.goCommand(ctx, dir, list...))
	var failed *gocmd.Error
	if errors.As(err, &failed) {
		return w.failed(list, []byte(failed.Stderr), failed.Err)
	}
	if err != nil {
		return err
	}
	built, home := plan.ParseModules(out), w.work().Modules
	for _, m := range info.Modules {
		got := run.Module{Path: m.Path, Version: m.Version}
		if v := built[m.Path]; v != "" && v != m.Version {
			if got.Version = v; m.Version != "" {
				got.Pinned = m.Version
				o.Notes = append(o.Notes, fmt.Sprintf("built with %s %s instead of %s: your build list asks for it", m.Path, v, m.Version))
			}
		}
		o.Modules = append(o.Modules, got)
	}
	for _, p := range slices.Sorted(maps.Keys(built)) {
		if v := home[p]; v != "" && built[p] != "" && v != built[p] {
			o.Notes = append(o.Notes, fmt.Sprintf("your %s was built at %s instead of %s, which this codec needs", p, built[p], v))
		}
	}
	return nil
}
