// Package harness builds and runs the workers. Each contender gets a test binary of the subject's
// own package, built by overlay in a temporary workspace. Nothing is ever written to the user's
// folders.
//
// NOTE, the map: workspace.go makes the temporary folder; runtime.go finds the ZMY runtime;
// build.go builds a worker; overlay.go and mask.go say what the compiler sees in place of the
// user's files; vendor.go copies vendored modules; source.go writes the generated main file;
// process.go runs a worker and watches over it, session.go starts it again after a stall; late.go
// decides when it is late; drift.go compares module versions.
package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/plan"
)

// Config holds the settings of a workspace.
type Config struct {
	Subject *plan.Subject
	// Sources holds the folders worker, fidelity and values of package lab, whose files are
	// compiled together with the subject; worker holds more packages below it.
	Sources fs.FS
	// Runtime is the folder of the ZMY runtime's module; if it is "", the workspace looks for it.
	Runtime string
	// Version is the release of this program, "" if it was built from a checkout. An installed
	// release uses the runtime of its own version, unless Runtime or the user's workspace has one.
	Version string
	Streams bool   // also modes that write to an io.Writer and read from an io.Reader
	Limits  Limits // limits of the workers; the zero value means DefaultLimits
	CPUs    []int  // processors for the workers; empty means any
	// TempDir is the folder in which the temporary folder is made, "" for the system's.
	TempDir string
}

// Workspace is the temporary folder of one run. Close removes it.
type Workspace struct {
	cfg     Config
	temp    *Temp
	dir     string // same as temp.Dir
	runtime *zmyRuntime
	findRT  sync.Once
	rtErr   error

	generating sync.Mutex // codecs' generators may keep state in global variables

	lab    map[string]string // files of the lab's own module: path in builds → path on disk
	copied map[string]string // folders of modules that overlays cannot change → their copies

	vendorUse, vendorReplaces []string // results of vendored
}

// labDir is the folder of the lab's own module as builds see it, by the overlay; on disk it does
// not exist. The go command's cache also identifies packages by their folders. So with the same
// folder in each run, they are compiled once, and not again for each temporary folder.
const labDir = "/zmylab.invalid/lab"

// moduleDir returns the folder of a contender's module as builds see it, for the same reason.
// Otherwise each run would compile the module, and the user's package with all that the harness
// instantiates for its type, once more. On disk the module is the folder moduleName.
func moduleDir(contender string) string { return "/zmylab.invalid/c/" + contender }

const moduleName = "mod"

const tempPrefix = "zmylab-"

// New makes the workspace, and removes those that dead runs left behind.
func New(ctx context.Context, cfg Config) (*Workspace, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if cfg.Limits == (Limits{}) {
		cfg.Limits = DefaultLimits()
	}
	t, err := NewTemp(cfg.TempDir)
	if err != nil {
		return nil, err
	}
	w := &Workspace{cfg: cfg, temp: t, dir: t.Dir}
	if err := w.fill(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Close removes the temporary folder.
func (w *Workspace) Close() error { return w.temp.Close() }

// Temp is a temporary folder. If its process dies before Close, the next run removes the folder.
type Temp struct {
	Dir  string   // path without symbolic links
	mark *os.File // file that is locked while this process lives
}

// NewTemp makes a folder in base, or in the system's folder if base is "". It also removes the
// folders that dead runs left behind.
func NewTemp(base string) (*Temp, error) {
	if base == "" {
		base = os.TempDir()
	}
	sweep(base)
	dir, err := os.MkdirTemp(base, tempPrefix)
	if err != nil {
		return nil, err
	}
	t := &Temp{Dir: dir}
	if t.mark, err = mark(dir); err == nil {
		t.Dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Dir = dir
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// Close removes the folder.
func (t *Temp) Close() error {
	err := removeAll(t.Dir)
	if t.mark != nil {
		err = errors.Join(err, t.mark.Close())
	}
	return err
}

// Folder returns the path of a folder that a part of the run may make for itself. Close removes it
// with the workspace.
func (w *Workspace) Folder(name string) string { return filepath.Join(w.dir, "own-"+name) }

// removeAll removes a folder, even if it contains read-only copies from the module cache.
func removeAll(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	walk := func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(p, 0o755)
		}
		return nil
	}
	return errors.Join(filepath.WalkDir(dir, walk), os.RemoveAll(dir))
}

// markName is the file that marks a folder as the lab's. The run that made it holds a lock on it,
// which ends with the process in any case.
const markName = ".zmylab"

// mark writes the file. It locks the file before giving it its name, so that sweep never finds it
// unlocked.
func mark(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, markName+"-")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(lock(f), os.Rename(f.Name(), filepath.Join(dir, markName))); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// sweep removes the folders of runs whose process is gone: those with an unlocked mark. It ignores
// errors, since a folder may belong to another user, and another run may sweep too.
func sweep(base string) {
	dirs, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, d := range dirs {
		if !d.IsDir() || !strings.HasPrefix(d.Name(), tempPrefix) {
			continue
		}
		dir := filepath.Join(base, d.Name())
		f, err := os.OpenFile(filepath.Join(dir, markName), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if lock(f) == nil {
			_ = removeAll(dir) // best effort
		}
		_ = f.Close()
	}
}

// fill writes the lab's module, and copies vendored modules and the subject's module if necessary.
func (w *Workspace) fill() error {
	w.lab, w.copied = map[string]string{}, map[string]string{}
	files, err := contender.LabModule(w.cfg.Sources)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := w.addLab(name, text); err != nil {
			return err
		}
	}
	if w.vendorUse, w.vendorReplaces, err = w.vendored(); err != nil {
		return fmt.Errorf("your vendor folder: %w", err)
	}
	if w.work().Mirror == "" {
		return nil
	}
	return w.mirror()
}

// addLab adds a file to the lab's own module.
func (w *Workspace) addLab(name string, data []byte) error {
	to := filepath.Join(w.dir, "lab", filepath.FromSlash(name))
	w.lab[path.Join(labDir, name)] = to
	return writeFile(to, data)
}

func (w *Workspace) work() *plan.Work { return w.cfg.Subject.Work }

// mirror copies the subject's module from the module cache, where overlays are not allowed, into
// the workspace.
func (w *Workspace) mirror() error {
	from, to := w.work().Mirror, filepath.Join(w.dir, "mirror")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return fmt.Errorf("copy %s: %w", w.cfg.Subject.Pkg.Module.Path, err)
	}
	w.copied[from] = to
	name := filepath.Join(to, "go.mod")
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return writeFile(name, []byte("module "+w.cfg.Subject.Pkg.Module.Path+"\n"))
	}
	return nil
}

// packageDir returns the folder of the subject's package as builds see it.
func (w *Workspace) packageDir() string { return w.seen(w.cfg.Subject.Pkg.Dir) }

// seen returns the path under which builds see a file or folder: in the copy of its module, if
// there is one, else its own.
func (w *Workspace) seen(name string) string {
	out, least := name, len(name)+1
	for from, to := range w.copied {
		if rel, err := filepath.Rel(from, name); err == nil && filepath.IsLocal(rel) && len(rel) < least {
			out, least = filepath.Join(to, rel), len(rel)
		}
	}
	return out
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// Supported returns an error if the lab cannot run on this system.
func Supported() error {
	if runtime.GOOS == "windows" {
		return errors.New("zmy lab needs Linux or macOS: its workers are driven over inherited pipes and timed with getrusage; " +
			"on Windows run it inside WSL")
	}
	return nil
}
