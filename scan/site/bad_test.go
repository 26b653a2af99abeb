package site

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// unpack writes the files of a txtar archive into a new folder.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// summary lists the sites as file:line and types.
func summary(res *Result) (all []string) {
	for _, s := range res.Sites {
		text := s.Pos.Filename + " " + s.Kind.Codec
		for _, v := range s.Values {
			text += " " + v.Name
		}
		if s.Why != "" {
			text += " ? " + s.Why
		}
		all = append(all, text)
	}
	return all
}

const good = `
-- go.mod --
module example.org/m

go 1.24
-- good/good.go --
package good

import "encoding/json"

type T struct{}

func Write(v any) { json.Marshal(v) }

func f() { Write(T{}) }
`

// TestUnusual finds the sites of code bases that are built in unusual ways, or partly do not build.
func TestUnusual(t *testing.T) {
	for _, c := range []struct {
		name, files, dir string
		cfg              Config
		env              []string
		want             []string
		errs             []string // parts of the errors, in their order
	}{
		{name: "package with a type error", files: good + `
-- bad/bad.go --
package bad

import "encoding/json"

func g() { json.Marshal(undefined) }
-- uses/uses.go --
package uses

import (
	"example.org/m/bad"
	"example.org/m/good"
)

func h() { good.Write(1); _ = bad.T }
`, want: []string{"good/good.go std-json example.org/m/good.T"},
			errs: []string{"bad/bad.go:5:25: undefined: undefined: its calls are left out until go build passes", "undefined: bad.T"}},
		{name: "importer of a broken package", files: good + `
-- bad/bad.go --
package bad

func F() {}

var x = undefined
-- uses/uses.go --
package uses

import (
	"example.org/m/bad"
	"example.org/m/good"
)

func h() { bad.F(); good.Write(1) }
`, want: []string{"good/good.go std-json example.org/m/good.T int"}, errs: []string{"undefined: undefined"}},
		{name: "method of a type that embeds a type of a missing package", files: good + `
-- bad/bad.go --
package bad

import "example.org/elsewhere"

type T struct{ elsewhere.Base }

func (T) Do() (int, error) { return 0, nil }
-- uses/uses.go --
package uses

import (
	"encoding/json"

	"example.org/m/bad"
)

type doer interface{ Do() string }

type one struct{}

func (one) Do() string { return "" }

type held struct{ bad.T }

func (held) Write() { write(1) }

func write(v any) { json.Marshal(v) }

func f(d doer) { json.Marshal(d.Do()) }

func g() {
	f(one{})
	println(any(bad.T{}), any(held{}))
}
`, want: []string{"good/good.go std-json example.org/m/good.T", "uses/uses.go std-json int", "uses/uses.go std-json string"},
			errs: []string{"example.org/elsewhere: cannot find module", "could not import example.org/elsewhere"}},
		{name: "syntax error", files: good + "-- bad/bad.go --\npackage bad\n\nfunc {\n",
			want: []string{"good/good.go std-json example.org/m/good.T"}, errs: []string{"bad/bad.go:3:6: expected 'IDENT'"}},
		{name: "import that no module provides", files: good + `
-- bad/bad.go --
package bad

import "example.org/elsewhere"

func f() { elsewhere.F() }
`, want: []string{"good/good.go std-json example.org/m/good.T"},
			errs: []string{"example.org/elsewhere: cannot find module", "could not import example.org/elsewhere"}},
		{name: "module that cannot be fetched", files: `
-- proxy/example.org/elsewhere/@v/v1.0.0.mod --
module example.org/elsewhere
-- proxy/example.org/elsewhere/@v/v1.0.0.info --
{"Version": "v1.0.0"}
-- go.mod --
module example.org/m

go 1.24

require example.org/elsewhere v1.0.0
-- a/a.go --
package a

import (
	"fmt"

	"example.org/elsewhere"
)

func f() { fmt.Println(elsewhere.V) }
-- b/b.go --
package b

import "encoding/json"

func f() { json.Marshal(1) }
`, env: []string{"GOPROXY=file://$DIR/proxy", "GOMODCACHE=$DIR/proxy/cache", "GONOSUMDB=*", "GOFLAGS=-mod=mod"},
			want: []string{"b/b.go std-json int"},
			errs: []string{"example.org/elsewhere: example.org/elsewhere@v1.0.0: reading file:", "a/a.go:6:2: could not import"}},
		{name: "go.sum without entries", files: `
-- go.mod --
module example.org/m

go 1.24

require golang.org/x/mod v0.42.0
-- a.go --
package m

import "golang.org/x/mod/semver"

var _ = semver.IsValid("")
-- b/b.go --
package b

import "encoding/json"

func f() { json.Marshal(1) }
`, env: []string{"GOFLAGS=-mod=readonly"}, want: []string{"b/b.go std-json int"},
			errs: []string{"golang.org/x/mod/semver: missing go.sum entry for module providing package golang.org/x/mod/semver " +
				"(imported by example.org/m): run go mod tidy, or go mod download, then try again", "a.go:3:8: could not import"}},
		{name: "vendored module", files: `
-- go.mod --
module example.org/m

go 1.24

require github.com/json-iterator/go v1.1.12
-- a.go --
package m

import jsoniter "github.com/json-iterator/go"

type T struct{}

func f() {
	json := jsoniter.ConfigCompatibleWithStandardLibrary
	json.Marshal(T{})
}
-- vendor/modules.txt --
# github.com/json-iterator/go v1.1.12
## explicit
github.com/json-iterator/go
-- vendor/github.com/json-iterator/go/a.go --
package jsoniter

import "encoding/json"

type API interface{ Marshal(v any) ([]byte, error) }

type config struct{}

func (config) Marshal(v any) ([]byte, error) { return json.Marshal(v) }

var ConfigCompatibleWithStandardLibrary API = config{}
`, env: []string{"GOFLAGS="}, want: []string{"a.go jsoniter example.org/m.T"}},
		{name: "workspace", dir: "a", files: `
-- go.work --
go 1.24

use (
	./a
	./b
)
-- a/go.mod --
module example.org/a

go 1.24
-- a/a.go --
package a

import "example.org/b"

type T struct{}

func f() { b.Write(T{}) }
-- b/go.mod --
module example.org/b

go 1.24
-- b/b.go --
package b

import "encoding/json"

func Write(v any) { json.Marshal(v) }
`, env: []string{"GOWORK=", "GOFLAGS="}, want: []string{"../b/b.go std-json example.org/a.T"}},
		{name: "cgo off", files: good + `
-- c/c.go --
package c

import "C"
-- c/other.go --
package c

import "encoding/json"

func f() { json.Marshal(true) }
`, env: []string{"CGO_ENABLED=0"}, want: []string{"c/other.go std-json bool", "good/good.go std-json example.org/m/good.T"}},
		{name: "package of one pattern, and what it imports", files: good + `
-- uses/uses.go --
package uses

import "example.org/m/good"

func h() { good.Write("") }
-- other/other.go --
package other

import "encoding/json"

func f() { json.Marshal(1) }
`, cfg: Config{Patterns: []string{"./uses"}}, want: []string{"good/good.go std-json example.org/m/good.T string"}},
		{name: "all files excluded", files: good + "-- none/none.go --\n//go:build never\n\npackage none\n",
			want: []string{"good/good.go std-json example.org/m/good.T"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := unpack(t, c.files)
			c.cfg.Dir = filepath.Join(dir, c.dir)
			c.cfg.Env = noWorkspace()
			for _, v := range c.env {
				c.cfg.Env = append(c.cfg.Env, strings.ReplaceAll(v, "$DIR", filepath.ToSlash(dir)))
			}
			res, err := Find(t.Context(), c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(res); !slices.Equal(got, c.want) {
				t.Errorf("sites:\n got %q\nwant %q", got, c.want)
			}
			for i, e := range res.Errors {
				if i >= len(c.errs) || !strings.Contains(e.Error(), c.errs[i]) {
					t.Errorf("error %d: %s", i, e)
				}
				if e.Next == "" {
					t.Errorf("%s: does not say what to do", e)
				}
			}
			if len(res.Errors) < len(c.errs) {
				t.Errorf("errors %v, want %q", res.Errors, c.errs)
			}
		})
	}
}

// TestRefused are folders in which Find can do nothing.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, files string
		cfg         Config
		want        string
	}{
		{"no go.mod", "-- a.go --\npackage a\n", Config{}, "make one by go mod init"},
		{"no such folder", "-- a.go --\npackage a\n", Config{Dir: "missing"}, "name a folder that exists"},
		{"go.mod that does not parse", "-- go.mod --\nmodul x\n", Config{}, "unknown directive"},
		{"no packages", "-- go.mod --\nmodule example.org/x\n\ngo 1.24\n", Config{}, "the patterns match no packages"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.cfg.Dir = filepath.Join(unpack(t, c.files), c.cfg.Dir)
			c.cfg.Env = noWorkspace()
			_, err := Find(t.Context(), c.cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestNoGo says what to do where there is no go command.
func TestNoGo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("finds commands by other rules")
	}
	t.Setenv("PATH", t.TempDir())
	_, err := Find(context.Background(), Config{Dir: unpack(t, good)})
	if err == nil || !strings.Contains(err.Error(), "install Go") {
		t.Error(err)
	}
}
