package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/lab/contender"
)

// zmyRuntime is the module that generated code imports: the one in folder Dir or, if Dir is empty,
// the release Version.
type zmyRuntime struct {
	Dir     string // folder of the module
	Version string // release to require
	inWork  bool   // whether the user's workspace has it already
}

// zmy finds the runtime, once. The order is: the folder of -runtime, the user's workspace, the
// version of this program if it is an installed release, the version that the user's module
// requires, the checkout from which this program was built.
func (w *Workspace) zmy(ctx context.Context) (*zmyRuntime, error) {
	w.findRT.Do(func() { w.runtime, w.rtErr = w.findRuntime(ctx) })
	return w.runtime, w.rtErr
}

func (w *Workspace) findRuntime(ctx context.Context) (*zmyRuntime, error) {
	if w.cfg.Runtime != "" {
		dir, err := filepath.Abs(w.cfg.Runtime)
		if err != nil {
			return nil, err
		}
		if modulePath(dir) != contender.RuntimePath {
			return nil, fmt.Errorf("-runtime %s: there is no module %s", w.cfg.Runtime, contender.RuntimePath)
		}
		return w.runtimeIn(dir), nil
	}
	for _, dir := range w.work().Use {
		if modulePath(dir) == contender.RuntimePath {
			return w.runtimeIn(dir), nil
		}
	}
	if w.cfg.Version != "" {
		return &zmyRuntime{Version: w.cfg.Version}, nil
	}
	if rt := w.resolvedRuntime(ctx); rt != nil {
		return rt, nil
	}
	if _, file, _, ok := runtime.Caller(0); ok {
		dir := filepath.Dir(filepath.Dir(filepath.Dir(file)))
		if modulePath(dir) == contender.RuntimePath {
			return w.runtimeIn(dir), nil
		}
	}
	return nil, fmt.Errorf("the module %s is not to be found; name its folder with -runtime DIR", contender.RuntimePath)
}

func (w *Workspace) runtimeIn(dir string) *zmyRuntime {
	rt := &zmyRuntime{Dir: dir}
	for _, use := range w.work().Use {
		rt.inWork = rt.inWork || sameDir(use, dir)
	}
	return rt
}

// resolvedRuntime returns the runtime that the user's own module requires, or nil.
func (w *Workspace) resolvedRuntime(ctx context.Context) *zmyRuntime {
	out, err := gocmd.Output(ctx, w.work().Home, nil, "list", "-m", "-json", contender.RuntimePath)
	if err != nil {
		return nil // not required: the caller looks elsewhere
	}
	var m struct {
		Version string
		Replace *struct{ Dir, Version string }
	}
	if json.Unmarshal(out, &m) != nil {
		return nil
	}
	if r := m.Replace; r != nil && r.Version == "" && r.Dir != "" {
		return w.runtimeIn(r.Dir)
	}
	return &zmyRuntime{Version: m.Version}
}

// modulePath returns the path of the module whose go.mod is in dir, or "".
func modulePath(dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return ""
	}
	return modfile.ModulePath(data)
}

func sameDir(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
