package harness

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/contender"
)

// Diagnose compiles the worker of a contender that was built once more, some packages
// with flags of the compiler, and returns what the compiler printed. Files of the
// contender that join the subject's package go by the names that their generator gave
// them, in the package's folder like the user's own.
func (w *Workspace) Diagnose(ctx context.Context, info contender.Info, flags string, packages []string) (string, error) {
	dir := filepath.Join(w.dir, "c", info.Name)
	args := []string{"go", "test", "-c", "-vet=off", "-overlay", filepath.Join(dir, "overlay.json"), "-o", filepath.Join(dir, "diagnosed")}
	for _, p := range packages {
		args = append(args, "-gcflags="+p+"="+flags)
	}
	cmd := w.goCommand(ctx, dir, append(args, w.cfg.Subject.Pkg.Path)...)
	cmd.Env = append(cmd.Env, info.Env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", &BuildError{Command: strings.Join(w.shown(slices.Clone(args)), " "), Output: w.hideDirs(tail(out, outputTail)), Err: err}
	}
	return w.hideDirs(string(out)), nil
}

// JoinedName is the name that the compiler knows a contender's file of the subject's
// package by.
func JoinedName(name string) string { return testName(name) }
