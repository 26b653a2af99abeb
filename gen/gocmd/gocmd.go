// Package gocmd runs the go command to ask it about packages and modules.
//
// Two rules hold for every question. A go.work that a module ships in the module cache is the
// workspace of the module's authors, whose other modules are not there, so it does not count. And
// an error says what the go command said.
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

// Error is a go command that failed. It says nothing about who is at fault: the command may lack
// the network, a module or the program.
type Error struct {
	Args   []string // "go list -deps example.org/m"
	Dir    string   // the folder it ran in, "" for the current one
	Stderr string   // what it printed, trimmed
	Err    error    // how it ended
}

// Error is the command, how it ended, where, and what it printed.
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

// Unwrap returns how the command ended.
func (e *Error) Unwrap() error { return e.Err }

// Output runs the go command in a folder, "" for the current one, and returns what it prints. A nil
// env is the process's environment. Its error is an [*Error], or that of ctx when ctx ended it.
func Output(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, Env(dir, env)
	return Run(ctx, cmd)
}

// Run runs a command that is ready to start and returns what it prints. Its errors are those of
// [Output].
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

// Env is the environment of go commands in a folder: env, nil being the process's, with GOWORK=off
// where the go.work that they would find lies in the module cache.
func Env(dir string, env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	out := env[:len(env):len(env)]
	if set, ok := lookup(env, "GOWORK"); (!ok || set == "") && shipsWork(dir) {
		out = append(out, "GOWORK=off")
	}
	if dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			out = append(out, "PWD="+abs)
		}
	}
	return out
}

// lookup is the value of a variable: of several, the last counts.
func lookup(env []string, name string) (value string, ok bool) {
	for _, e := range env {
		if k, v, _ := strings.Cut(e, "="); k == name {
			value, ok = v, true
		}
	}
	return value, ok
}

// shipsWork reports whether the nearest go.work, in the folder or above it, lies in the module
// cache.
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

// InModuleCache reports whether a folder, given by its real absolute path, is part of a module
// cache. It judges by what lies on disk, so that another user's cache is found too.
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

// IsCached reports whether tree is the root of a module cache and rel, a path below it with
// slashes, belongs to the go command. cache/download is where it keeps what it fetched; a module's
// folder beside it has its version in its name.
func IsCached(tree, rel string) bool {
	if !strings.Contains(rel, "@v") && rel != "cache" && !strings.HasPrefix(rel, "cache/") {
		return false
	}
	info, err := os.Stat(filepath.Join(tree, "cache", "download"))
	return err == nil && info.IsDir()
}
