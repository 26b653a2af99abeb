package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
)

// Copy is a copy of a module in which programs are built before and after a change.
type Copy struct {
	t      *tree
	o      Options
	r      *Result
	builds int
}

// Copy copies the module of a result as it was before the change. o are the options of [Run]. Close removes the copy.
func (r *Result) Copy(ctx context.Context, o Options) (*Copy, error) {
	pl, err := find(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	from, err := findSource(o.Runtime, o.Release)
	if err != nil {
		return nil, err
	}
	t, err := newTree(pl.dir, pl.work, from.links(pl.dir)...)
	if err != nil {
		return nil, fmt.Errorf("copy the module: %w", err)
	}
	if at := os.Getenv("GOWORK"); at != "" && at != "off" {
		o.work = t.mirror(at)
	}
	return &Copy{t: t, o: o, r: r}, nil
}

// Close removes the copy and the programs.
func (c *Copy) Close() { c.t.Close() }

// Dir returns the folder of the module in the copy.
func (c *Copy) Dir() string { return c.t.dir }

// Env returns the environment of go commands in the copy.
func (c *Copy) Env() []string { return c.o.env(c.t) }

// set gives the copy the files of before or after the change.
func (c *Copy) set(after bool) error {
	for _, ch := range c.r.Changes {
		text := ch.Before
		if after {
			text = ch.After
		}
		if err := c.t.write(ch.Path, text); err != nil {
			return err
		}
	}
	return nil
}

// Build compiles a command or, with tests, the tests of a package, before and after the change. It returns the files.
func (c *Copy) Build(ctx context.Context, pkg string, tests bool) (before, after string, err error) {
	if before, err = c.build(ctx, pkg, tests, false); err == nil {
		after, err = c.build(ctx, pkg, tests, true)
	}
	return before, after, errors.Join(err, c.set(false))
}

// BuildAfter compiles a command or tests after the change, with an overlay of the go command, which overlay makes for the folder of a
// package that the program contains.
func (c *Copy) BuildAfter(ctx context.Context, pkg string, tests bool, contained string,
	overlay func(dir string) (string, error)) (name string, err error) {
	if err := c.set(true); err != nil {
		return "", err
	}
	var file string
	all, err := c.Packages(ctx, contained)
	if err == nil {
		file, err = overlay(all[0].Dir)
	}
	if err == nil {
		name, err = c.build(ctx, pkg, tests, true, "-overlay="+file)
	}
	return name, errors.Join(err, c.set(false))
}

// build compiles a command or tests before or after the change.
func (c *Copy) build(ctx context.Context, pkg string, tests, after bool, flags ...string) (string, error) {
	if err := c.set(after); err != nil {
		return "", err
	}
	name := filepath.Join(c.t.top, fmt.Sprintf("program%d", c.builds))
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	c.builds++
	args := []string{"build", "-o", name}
	if tests {
		args = []string{"test", "-c", "-vet=off", "-o", name}
	}
	if c.o.Tags != "" {
		args = append(args, "-tags="+c.o.Tags)
	}
	cmd := c.t.command(ctx, &c.o, append(append(args, flags...), pkg)...)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("build %s %s the change: %s", pkg, side(after), firstLine(c.t.shorten(string(bytes.TrimSpace(out)))))
	}
	return name, nil
}

func side(after bool) string {
	if after {
		return "after"
	}
	return "before"
}

// Package is a package of the copy.
type Package struct {
	Path, Name string
	Dir        string // absolute
	Benchmarks bool   // it has functions BenchmarkX
}

var benchmark = regexp.MustCompile(`(?m)^func Benchmark`)

// Packages lists packages by the go command's patterns.
func (c *Copy) Packages(ctx context.Context, patterns ...string) (all []Package, err error) {
	args := []string{"list", "-json=ImportPath,Name,Dir,TestGoFiles,XTestGoFiles"}
	if c.o.Tags != "" {
		args = append(args, "-tags="+c.o.Tags)
	}
	cmd := c.t.command(ctx, &c.o, append(args, patterns...)...)
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if bad := (*exec.ExitError)(nil); errors.As(err, &bad) {
		return nil, errors.New(firstLine(c.t.shorten(string(bad.Stderr))))
	}
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Name, Dir     string
			TestGoFiles, XTestGoFiles []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		one := Package{Path: p.ImportPath, Name: p.Name, Dir: p.Dir}
		for _, f := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, f))
			one.Benchmarks = one.Benchmarks || err == nil && benchmark.Match(text)
		}
		all = append(all, one)
	}
}

// Command prepares one of the programs. When ctx ends, it is killed together with its children.
func (c *Copy) Command(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	cmd := c.t.command(ctx, &c.o)
	cmd.Path, cmd.Dir, cmd.Err = program, dir, nil
	cmd.Args = append([]string{program}, args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return len(s) > 4 && s[:4] == "PWD=" })
	cmd.Env = append(cmd.Env, "PWD="+dir)
	return cmd
}
