package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/run"
)

// Worker is a built worker, which can be started any number of times.
type Worker struct {
	Name    string
	Path    string // path of the program
	Modules []run.Module
	Notes   []string // differences between module versions, and committed code that had to stay
	Seconds float64
	Size    int64 // bytes of the program's file
	Loaded  int64 // bytes of the file without symbols and debugging information; 0 if unknown

	scratch string // working folder of its processes
	limits  Limits
	cpus    []int    // processors for its processes; empty means any
	under   []string // program, with arguments, that runs its processes; see Under
	env     []string // added to the environment of its processes
}

// leastShare is the memory in bytes below which Share does not reduce a limit.
const leastShare = 1 << 30

// Share reduces the worker's memory limit, for n workers that run side by side in half of the machine's memory.
func (o *Worker) Share(n int) { o.limits.Memory = share(o.limits.Memory, totalMemory()/2, n) }

// share returns the limit of one of n workers that have all bytes together. If all is not known, it is 0.
func share(limit, all int64, n int) int64 {
	if all <= 0 {
		all = limit
	}
	return min(limit, max(leastShare, all/int64(max(n, 1))))
}

// Anywhere returns the worker for processes that may run on any processor.
func (o *Worker) Anywhere() *Worker { return o.On(nil) }

// Elsewhere returns the worker for processes with another working folder and another folder for
// temporary files, so that they do not see what earlier processes left.
func (o *Worker) Elsewhere(name string) (*Worker, error) {
	w := *o
	w.scratch = filepath.Join(filepath.Dir(o.scratch), name)
	temp := filepath.Join(w.scratch, "tmp")
	w.env = append(slices.Clone(o.env), "TMPDIR="+temp)
	return &w, os.MkdirAll(temp, 0o755)
}

// Scratch returns the path of a file in the working folder of the worker's processes.
func (o *Worker) Scratch(name string) string { return filepath.Join(o.scratch, name) }

// BuildError is the error of a build that failed.
type BuildError struct {
	Command string
	Output  string // end of the output
	Err     error
}

func (e *BuildError) Error() string { return e.Command + ": " + e.Err.Error() + "\n" + e.Output }

func (e *BuildError) Unwrap() error { return e.Err }

// Build generates the sources of a contender and compiles its worker. The folder c/NAME then holds
// the contender's module (mod), the go.work that joins it with the user's modules and the lab's,
// the overlay that puts its files into the subject's package, and the program. Only the overlay
// knows the temporary paths of the lab's files and of the contender's; see labDir and moduleDir.
// Several goroutines may call Build, for different contenders.
func (w *Workspace) Build(ctx context.Context, info contender.Info, t *contender.Target) (*Worker, error) {
	start := time.Now()
	w.generating.Lock()
	src, err := info.Generate(ctx, t, &tools{w, info})
	w.generating.Unlock()
	if err != nil {
		return nil, err
	}
	out := &Worker{Name: info.Name, limits: w.cfg.Limits, cpus: w.cfg.CPUs}
	dir := filepath.Join(w.dir, "c", info.Name)
	out.Path, out.scratch = filepath.Join(dir, "worker"), filepath.Join(dir, "scratch")
	note, err := w.compile(ctx, dir, info, src, mainFile(w.cfg.Subject, info, src, w.cfg.Streams))
	if err != nil {
		return nil, err
	}
	if note != "" {
		out.Notes = append(out.Notes, note)
	}
	out.Seconds = time.Since(start).Seconds()
	st, err := os.Stat(out.Path)
	if err != nil {
		return nil, err
	}
	out.Size, out.Loaded = st.Size(), loaded(out.Path)
	if err := out.drift(ctx, w, dir, info); err != nil {
		return nil, err
	}
	return out, os.MkdirAll(out.scratch, 0o755)
}

// compile builds dir/worker from the subject's package and one contender's sources. note names
// committed codec code of the user's that could not be left out.
func (w *Workspace) compile(ctx context.Context, dir string, info contender.Info, src *contender.Sources,
	main []byte) (note string, err error) {
	if err := w.writeModule(ctx, filepath.Join(dir, moduleName), info, src); err != nil {
		return "", err
	}
	if err := w.writeWork(ctx, dir, info); err != nil {
		return "", err
	}
	masked, err := w.compileMasked(ctx, dir, maskNames, info, src, main)
	if len(masked) == 0 || err == nil || ctx.Err() != nil {
		return "", err
	}
	// The user's other code may call methods that were renamed. Then the files are hidden instead,
	// if that compiles.
	if _, again := w.compileMasked(ctx, dir, maskFiles, info, src, main); again != nil {
		return "", err // the first error is about the user's own code
	}
	return fmt.Sprintf("committed code in %s could not be left out, since other code calls it: "+
		"where its methods are what %s looks for, they were measured", strings.Join(masked, ", "), info.Name), nil
}

func (w *Workspace) compileMasked(ctx context.Context, dir string, how masking, info contender.Info, src *contender.Sources,
	main []byte) (masked []string, err error) {
	o := &overlay{dir: filepath.Join(dir, "overlay"), Replace: maps.Clone(w.lab)}
	if err := o.addTree(moduleDir(info.Name), filepath.Join(dir, moduleName)); err != nil {
		return nil, err
	}
	if masked, err = w.lay(o, how, info.Family, src, main); err != nil {
		return nil, err
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := o.write(overlay); err != nil {
		return nil, err
	}
	_, err = w.goRun(ctx, dir, info.Env, "go", "test", "-c", "-vet=off", "-ldflags=-w", "-overlay", overlay,
		"-o", filepath.Join(dir, "worker"), w.cfg.Subject.Pkg.Path)
	return masked, err
}

func isDefault(godebug string) bool { return strings.HasPrefix(godebug, "default=") }

// outputTail is the number of bytes kept from the end of a failing build's output.
const outputTail = 4 << 10

// goRun runs a go command in the workspace of one contender, with env added to the environment, and
// returns what it prints.
func (w *Workspace) goRun(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := w.goCommand(ctx, dir, args...)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, w.failed(slices.Concat(env, args), out, err)
}

// failed returns the error of a command, without names of temporary folders.
func (w *Workspace) failed(command []string, output []byte, err error) error {
	return &BuildError{Command: w.hideDirs(strings.Join(command, " ")), Output: w.hideDirs(tail(output, outputTail)), Err: err}
}

// goCommand returns a go command for the workspace of one contender. It runs in the package's
// folder, so that errors name files as the user does.
func (w *Workspace) goCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := command(ctx, args[0], args[1:]...)
	cmd.Dir = w.packageDir()
	cmd.Env = append(slices.Clone(w.work().Env), "GOWORK="+filepath.Join(dir, "go.work"), "PWD="+cmd.Dir)
	return cmd
}

func (w *Workspace) hideDirs(s string) string { return strings.ReplaceAll(s, w.dir, "$WORK") }

func tail(b []byte, most int) string {
	b = bytes.TrimSpace(b)
	if len(b) > most {
		b = append([]byte("…"), b[len(b)-most:]...)
	}
	return string(b)
}

// writeModule writes the contender's own module into dir.
func (w *Workspace) writeModule(ctx context.Context, dir string, info contender.Info, src *contender.Sources) error {
	for name, data := range src.Module {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("file %q of the contender's module lies outside of it", name)
		}
		if strings.HasSuffix(name, ".go") {
			data = contender.Relocate(data)
		}
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), data); err != nil {
			return err
		}
	}
	mod := new(modfile.File)
	if data := src.Module["go.mod"]; data != nil {
		f, err := modfile.Parse("go.mod", data, nil)
		if err != nil {
			return err
		}
		mod = f
	} else if err := errors.Join(mod.AddModuleStmt(contender.ModulePath), mod.AddGoStmt(contender.MinGo)); err != nil {
		return err
	}
	if err := w.require(ctx, mod, info); err != nil {
		return err
	}
	data, err := mod.Format()
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "go.mod"), data)
}

// require adds the contender's modules that its own go.mod does not require.
func (w *Workspace) require(ctx context.Context, mod *modfile.File, info contender.Info) error {
	for _, m := range info.Modules {
		version := m.Version
		if m.Path == contender.RuntimePath {
			rt, err := w.zmy(ctx)
			if err != nil {
				return err
			}
			version = rt.Version
		}
		known := slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == m.Path })
		if version == "" || known {
			continue
		}
		if err := mod.AddRequire(m.Path, version); err != nil {
			return err
		}
	}
	return nil
}

// writeWork writes the go.work of one worker: the user's modules, the lab's, the contender's, and
// the runtime if it is needed.
func (w *Workspace) writeWork(ctx context.Context, dir string, info contender.Info) error {
	work := w.work()
	use := []string{moduleDir(info.Name), labDir}
	for _, d := range work.Use {
		use = append(use, w.seen(d))
	}
	if slices.ContainsFunc(info.Modules, func(m run.Module) bool { return m.Path == contender.RuntimePath }) {
		rt, err := w.zmy(ctx)
		if err != nil {
			return err
		}
		if rt.Dir != "" && !rt.inWork {
			use = append(use, rt.Dir)
		}
	}
	use = append(use, w.vendorUse...)
	for _, d := range info.Use {
		if !slices.ContainsFunc(use, func(u string) bool { return sameDir(u, d) }) {
			use = append(use, d)
		}
	}
	version := plan.HigherGo(work.Go, contender.MinGo)
	for _, d := range append(use[1:len(use):len(use)], filepath.Join(dir, moduleName)) {
		data, err := os.ReadFile(filepath.Join(d, "go.mod"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		if f, err := modfile.ParseLax("go.mod", data, nil); err == nil && f.Go != nil {
			version = plan.HigherGo(version, f.Go.Version)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "go %s\n\n", version)
	for _, d := range use {
		fmt.Fprintf(&b, "use %s\n", modfile.AutoQuote(d))
	}
	for _, r := range w.replaces() {
		fmt.Fprintf(&b, "replace %s\n", r)
	}
	for _, g := range work.Godebug {
		fmt.Fprintf(&b, "godebug %s\n", g)
	}
	if work.Go != "" && work.Go != version && !slices.ContainsFunc(work.Godebug, isDefault) {
		fmt.Fprintf(&b, "godebug default=go%s\n", work.Go) // the lab's modules may have raised the go line
	}
	if err := writeFile(filepath.Join(dir, "go.work.sum"), []byte(work.Sum)); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "go.work"), []byte(b.String()))
}

// replaces returns the replace lines of go.work: those for a vendor folder, the user's own, and one
// for the copy of the subject's module if the user's module requires it.
func (w *Workspace) replaces() []string {
	work, path := w.work(), w.cfg.Subject.Pkg.Module.Path
	all := slices.Concat(w.vendorReplaces, work.Replaces)
	if work.Mirror == "" || slices.Contains(work.Use, work.Mirror) {
		return all
	}
	all = slices.DeleteFunc(all, func(line string) bool { return strings.HasPrefix(line, path+" ") })
	return append(all, path+" => "+modfile.AutoQuote(w.seen(work.Mirror)))
}

// command returns a command that dies with ctx, together with its children, and does not get Ctrl-C
// from the terminal.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = procAttr()
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}
