// Package gocmd runs the go command to ask it about packages and modules.
//
// Two rules hold for every question. First, a go.work inside the module cache does not count: it is
// the workspace of a module's authors, and its other modules are not in the cache. Second, errors
// have the output of the go command.
package gocmd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Error is returned if a go command failed. That does not say who is at fault: the network, a
// module or the go command may be missing.
type Error struct {
	Args   []string // "go list -deps example.org/m"
	Dir    string   // folder in which it ran, "" for the current one
	Stderr string   // its error output, trimmed
	Err    error    // error of os/exec
}

// Error returns the command, its folder, its error and its output.
func (e *Error) Error() string {
	s := strings.Join(e.Args, " ")
	if e.Dir != "" {
		s += " in " + e.Dir
	}
	s += ": " + e.Err.Error()
	if e.Stderr != "" {
		s += ": " + e.Stderr
	}
	return s
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Output runs the go command in a folder, "" for the current one, and returns its output. If env is
// nil, the process's environment is used. The error is an [*Error], or that of ctx if ctx ended the
// command.
func Output(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, Env(dir, env)
	return Run(ctx, cmd)
}

// Run runs a prepared command and returns its output. It returns the same errors as [Output].
func Run(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err == nil {
		return stdout.Bytes(), nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, &Error{Args: cmd.Args, Dir: cmd.Dir, Stderr: strings.TrimSpace(stderr.String()), Err: err}
}

// Env returns the environment for a go command in the folder dir. It is env, or that of the process
// if env is nil. It has GOWORK=off if the command would find a go.work in the module cache.
func Env(dir string, env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	out := env[:len(env):len(env)]
	if set, ok := lookup(env, "GOWORK"); (!ok || set == "") && shipsWork(dir) {
		out = append(out, "GOWORK=off")
	}
	if dir != "" { // os/exec does so for commands without an Env of their own
		if abs, err := filepath.Abs(dir); err == nil {
			out = append(out, "PWD="+abs)
		}
	}
	return out
}

// lookup returns the value of a variable. If the variable occurs several times, the last one
// counts.
func lookup(env []string, name string) (value string, ok bool) {
	for _, e := range env {
		if k, v, _ := strings.Cut(e, "="); k == name {
			value, ok = v, true
		}
	}
	return value, ok
}

// shipsWork reports whether the nearest go.work, in the folder or above it, is in the module cache.
func shipsWork(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for ; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "go.work")); err == nil && !info.IsDir() {
			return InModuleCache(dir)
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			return false
		}
		if filepath.Dir(dir) == dir {
			return false
		}
	}
}

// InModuleCache reports whether a folder, given by its real absolute path, is in a module cache. It
// looks at the folders on disk, not at the environment, so that it finds another user's cache too.
func InModuleCache(dir string) bool {
	for tree := dir; ; tree = filepath.Dir(tree) {
		if rel, err := filepath.Rel(tree, dir); err == nil && IsCached(tree, filepath.ToSlash(rel)) {
			return true
		}
		if filepath.Dir(tree) == tree {
			return false
		}
	}
}

// IsCached reports whether tree is the root of a module cache, and rel, a path below tree with
// slashes, is a part that the go command manages. These parts are cache/, where it keeps downloads,
// and the modules' folders, which have a version in their names.
func IsCached(tree, rel string) bool {
	if !strings.Contains(rel, "@v") && rel != "cache" && !strings.HasPrefix(rel, "cache/") {
		return false
	}
	info, err := os.Stat(filepath.Join(tree, "cache", "download"))
	return err == nil && info.IsDir()
}
