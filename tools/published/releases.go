package published

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// Option is a name of an API that a publication recommends, and the modules that could have it: all
// major versions of the library, and other libraries of the format.
type Option struct {
	Name    string
	Modules []string
}

// Sought lists the options that claims name.
var Sought = []Option{
	{"SetWriteBufferSize", []string{"github.com/vmihailenco/msgpack/v5", "github.com/vmihailenco/msgpack/v4",
		"github.com/vmihailenco/msgpack", "github.com/tinylib/msgp", "github.com/shamaton/msgpack/v2"}},
	{"WithoutReflectPool", []string{"github.com/json-iterator/go"}},
}

// Releases looks for the options in every release that the Go module proxy lists. It downloads the
// releases into the module cache. An option is there if a Go file of the release declares the name.
func Releases(ctx context.Context, options []Option, doing func(string)) (*run.Experiment, error) {
	x := &run.Experiment{Name: "releases", Title: "Options in releases",
		Question: "Does an option that a publication recommends exist in any release?"}
	t := run.Table{Title: "Options looked for", Note: "A release has the option if one of its Go files, tests excepted, declares that name."}
	tmp, err := os.MkdirTemp("", "zmy-releases-*") // outside of any module, so that no go.mod decides versions
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	for _, o := range options {
		total, with := 0, 0
		for _, module := range o.Modules {
			doing("looking for " + o.Name + " in " + module)
			dirs, err := releases(ctx, tmp, module)
			if err != nil {
				return nil, err
			}
			n := 0
			for _, dir := range dirs {
				has, err := declares(dir, o.Name)
				if err != nil {
					return nil, err
				}
				if has {
					n++
				}
			}
			t.Add(row(o.Name, module, len(dirs), n)...)
			total, with = total+len(dirs), with+n
		}
		t.Add(row(o.Name, "all", total, with)...)
	}
	x.Tables = []run.Table{t}
	return x, nil
}

func row(option, module string, releases, with int) []run.Figure {
	return []run.Figure{run.Text(option).Under("option", ""), run.Text(module).Under("module", ""),
		run.Num(float64(releases)).Under("releases", run.UnitCount), run.Num(float64(with)).Under("with it", run.UnitCount)}
}

// releases downloads the listed versions of a module and returns their folders.
func releases(ctx context.Context, tmp, module string) (dirs []string, err error) {
	var list struct{ Versions []string }
	if err := goCommand(ctx, tmp, &list, "list", "-m", "-json", "-versions", module); err != nil {
		return nil, err
	}
	if len(list.Versions) == 0 {
		return nil, fmt.Errorf("the module proxy lists no version of %s", module)
	}
	for _, v := range list.Versions {
		var got struct{ Dir string }
		if err := goCommand(ctx, tmp, &got, "mod", "download", "-json", module+"@"+v); err != nil {
			return nil, err
		}
		dirs = append(dirs, got.Dir)
	}
	return dirs, nil
}

// goCommand runs the go command in dir and decodes the JSON that it prints.
func goCommand(ctx context.Context, dir string, to any, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go %s: %w\n%s%s", strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return json.Unmarshal(out, to)
}

// declares reports whether a Go file below dir, tests excepted, declares the name as a function,
// method, type, constant, variable or struct field.
func declares(dir, name string) (found bool, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				found = found || n.Name.Name == name
			case *ast.TypeSpec:
				found = found || n.Name.Name == name
			case *ast.ValueSpec:
				found = found || named(n.Names, name)
			case *ast.Field:
				found = found || named(n.Names, name)
			}
			return !found
		})
		if found {
			return fs.SkipAll
		}
		return nil
	})
	return found, err
}

func named(idents []*ast.Ident, name string) bool {
	for _, i := range idents {
		if i.Name == name {
			return true
		}
	}
	return false
}
