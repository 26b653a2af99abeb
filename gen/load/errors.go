package load

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/zmylab/zmy/gen/ir"
)

// explain rewrites an error of the go command about a pattern: what failed, why, and what to do
// next.
func explain(pattern, msg string) error {
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(msg, s) })
	}
	msg = strings.TrimSpace(msg)
	switch {
	case has("go.mod file not found", "cannot find main module", "does not contain main module"):
		return fmt.Errorf("load %s: no go.mod in this folder or above it; run inside a module, or make one with go mod init", pattern)
	case has("no Go files in"): // where there are some, the go command says that build constraints exclude them
		return fmt.Errorf("load %s: %w: no Go files in %[1]s", pattern, errNoPackage)
	case has("build constraints exclude all Go files", "no non-test Go files", "matched no packages"):
		return fmt.Errorf("load %s: %w: no Go files there that this build selects; check the folder and the build tags", pattern, errNoPackage)
	case has("directory not found", "no such file or directory", "cannot find package"):
		return fmt.Errorf("load %s: %w: no such folder; name a folder (./order) or an import path: `go list ./...` prints those of "+
			"this module", pattern, errNoPackage)
	case has("is not in std"):
		return fmt.Errorf("load %s: %w: neither a package of the standard library nor a folder; a folder starts with ./", pattern, errNoPackage)
	case has("no required module provides", "cannot find module providing"):
		return fmt.Errorf("load %s: %w: no required module provides it; run go get %s", pattern, errNoPackage, pattern)
	case has("executable file not found"):
		return fmt.Errorf("load %s: the go command is not on PATH; install Go or set PATH", pattern)
	}
	return fmt.Errorf("load %s: %s; go list %s says the same", pattern, msg, pattern)
}

func severalError(pattern string, found []*packages.Package) error {
	var paths []string
	for _, p := range found {
		paths = append(paths, p.PkgPath)
	}
	slices.Sort(paths)
	n := len(paths)
	if n > 5 {
		paths = append(paths[:5], "…")
	}
	return fmt.Errorf("load %s: the pattern matches %d packages (%s); name one", pattern, n, strings.Join(paths, ", "))
}

// compileFirst is the hint for source that the Go compiler itself refuses.
const compileFirst = "make the package compile first"

func hintFor(msg string) string {
	switch {
	case strings.Contains(msg, "no required module provides"):
		return "run go get or go mod tidy"
	case strings.Contains(msg, "missing go.sum entry"):
		return "run go mod tidy"
	}
	return compileFirst
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSuffix(s, ":")
}

// parsePos parses a position file:line:col of the go command.
func parsePos(s, dir string) ir.Pos {
	if s == "" || s == "-" {
		return ir.Pos{}
	}
	var nums []int
	for range 2 {
		i := strings.LastIndexByte(s, ':')
		if i < 0 {
			break
		}
		n, err := strconv.Atoi(s[i+1:])
		if err != nil {
			break
		}
		nums, s = append(nums, n), s[:i]
	}
	p := ir.Pos{File: shortFile(s, dir)}
	switch len(nums) {
	case 1:
		p.Line, p.Col = nums[0], 1
	case 2:
		p.Line, p.Col = nums[1], nums[0]
	}
	return p
}

// shortFile returns the file's path relative to dir if the file lies in dir, else its base name.
// The result does not depend on the machine.
func shortFile(file, dir string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(file)
}

// problemf returns an error with a position.
func problemf(pos ir.Pos, hint, format string, args ...any) error {
	return ir.Problems{{Pos: pos, Msg: fmt.Sprintf(format, args...), Hint: hint}}
}

// join merges errors that are ir.Problems. If an error is of another type, join returns that error.
func join(errs ...error) error {
	var all ir.Problems
	for _, err := range errs {
		var ps ir.Problems
		if errors.As(err, &ps) {
			all = append(all, ps...)
		} else if err != nil {
			return err
		}
	}
	return all.Err()
}
