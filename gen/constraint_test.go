package gen

import (
	"bytes"
	"context"
	"go/build/constraint"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/load"
)

// constrained is a package whose types are declared in files for some builds only.
var constrained = map[string]string{
	"go.mod": "module example.org/m\n\ngo 1.25\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace " +
		"github.com/zmylab/zmy => ROOT\n",
	"plain.go":            "package m\n\ntype Plain struct{ A int }\n\ntype Page[T any] struct{ Items []T }\n\ntype Keyed map[string]Twin\n",
	"stat_linux.go":       "package m\n\ntype Stat struct {\n\tDev uint64\n\tIn  Plain\n}\n\ntype Linux struct{ A int }\n",
	"arch_linux_amd64.go": "package m\n\ntype Regs struct{ AX uint64; Of []Stat }\n",
	"it.go":               "//go:build integration\n\npackage m\n\ntype Fixture struct{ Name string; At *Stat; P Plain }\n",
	"old.go":              "//go:build go1.18\n\npackage m\n\ntype Old struct{ M map[string]int }\n",
	"new.go":              "//go:build go1.26 && !plan9\n\npackage m\n\ntype New struct{ A int }\n",
	"text_linux.go": "package m\n\nfunc (h Hooked) MarshalJSON() ([]byte, error) { return []byte(`1`), nil }\n\nfunc (h " +
		"Hooked) String() string { return `` }\n",
	"hooked.go":     "package m\n\ntype Hooked struct{ A int }\n\ntype Holder struct{ H Hooked }\n",
	"twin_linux.go": "package m\n\n// Twin is of linux.\ntype Twin struct{ A int }\n\ntype Half struct{ A int32 }\n",
	"twin_other.go": "//go:build !linux\n\npackage m\n\ntype Twin struct {\n\tA int // the same\n}\n\ntype Half struct{ A int64 }\n",
	"unix.go":       "//go:build unix || windows\n\npackage m\n\ntype Both struct{ A int }\n",
	"other.go":      "//go:build !windows\n\npackage m\n\ntype Other struct{ A int }\n",
	"unix_linux.go": "//go:build !appengine\n\npackage m\n\ntype Two struct{ A int; B Both }\n",
	"grpc_linux.go": "package m\n\nimport \"context\"\n\n//zmy:service shop.Shop\ntype Shop interface {\n\tGet(context.Context, " +
		"*Msg) (*Msg, error)\n}\n\ntype Msg struct{ A int `zmy:\"0\"` }\n",
}

// constrainedModule writes the package to a new folder and loads it as for linux/amd64.
func constrainedModule(t *testing.T, files map[string]string) *load.Pkg {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, src := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(src, "ROOT", root)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(context.Background(), load.Config{
		Dir: dir, BuildFlags: []string{"-tags=integration"},
		Env: append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-mod=mod"),
	}, ".")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// buildLine is the constraint that a generated file has, "" for none.
func buildLine(src []byte) string {
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); constraint.IsGoBuild(line) {
			return strings.TrimPrefix(line, "//go:build ")
		}
	}
	return ""
}

var wantBuild = []struct{ types, build string }{
	{"Plain", ""}, {"Page[Plain]", ""}, {"Old", ""}, {"Keyed", ""}, {"Page[Twin]", ""},
	{"Stat", "linux"}, {"Linux", "linux"}, {"Plain,Stat", "linux"}, {"Page[Stat]", "linux"}, {"Half", "linux"},
	{"Regs", "linux && amd64 && linux"},
	{"Fixture", "integration && linux"},
	{"New", "go1.26 && !plan9"},
	{"Holder", "linux"},
	{"Other", "!windows"}, {"Both", "unix || windows"}, {"Two", "(unix || windows) && !appengine && linux"},
}

// Generated files are left out of builds that lack the types they name.
func TestBuildConstraints(t *testing.T) {
	p := constrainedModule(t, constrained)
	for _, c := range wantBuild {
		exprs, err := SplitTypes(c.types)
		if err != nil {
			t.Fatal(err)
		}
		want, err := constraint.Parse("//go:build " + c.build)
		if c.build != "" && err != nil {
			t.Fatal(err)
		}
		f, err := JSON(p, exprs, JSONOptions{})
		checkBuild(t, "JSON", c.types, f, err, want)
		f, err = ZMY(p, exprs, ZMYOptions{Derive: true})
		if c.types != "Keyed" && c.types != "Holder" {
			checkBuild(t, "ZMY", c.types, f, err, want)
		}
	}
	f, err := GRPC(p, []string{"Shop"}, Options{})
	checkBuild(t, "GRPC", "Shop", f, err, &constraint.TagExpr{Tag: "linux"})
}

func checkBuild(t *testing.T, format, types string, f File, err error, want constraint.Expr) {
	t.Helper()
	if err != nil {
		t.Errorf("%s %s: %v", format, types, err)
		return
	}
	got := buildLine(f.Src)
	if want == nil {
		if got != "" {
			t.Errorf("%s %s: built only for %s", format, types, got)
		}
		return
	}
	x, err := constraint.Parse("//go:build " + got)
	if err != nil || !load.SameBuilds(x, want) {
		t.Errorf("%s %s: built for %q, want %s", format, types, got, want)
	}
}

// A file name that ends in a system keeps the file out of the builds that have the type, and the
// go command passes over some names.
func TestOutputNameBuild(t *testing.T) {
	p := constrainedModule(t, constrained)
	for _, c := range []struct{ typ, output, err string }{
		{"Stat", "stat_windows.go", "stat_linux.go:3:6: Stat: is declared in builds for linux only, and the file stat_windows.go is " +
			"built for windows"},
		{"Regs", "regs_linux_arm64.go", "arch_linux_amd64.go:3:6: Regs: is declared in builds for "},
		{"Stat", "stat_linux.gen.go", ""}, {"Stat", "stat_json_linux_arm64.go", ""}, {"Stat", "stat_android.go", ""},
		{"Plain", "plain_windows.go", ""},
		{"Plain", "_plain.go", `the go command passes over the file "_plain.go"`},
		{"Plain", ".plain.go", `the go command passes over the file ".plain.go"`},
	} {
		_, err := JSON(p, []string{c.typ}, JSONOptions{Options: Options{Output: c.output}})
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s in %s: %v, want %q", c.typ, c.output, err, c.err)
		}
	}
}

// A package that builds for another system does so with the generated files in it.
func TestBuildsElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the runtime for another system")
	}
	p := constrainedModule(t, constrained)
	for _, types := range []string{"Stat", "Fixture", "Regs", "Keyed", "Half", "Linux"} {
		f, err := JSON(p, []string{types}, JSONOptions{})
		if err == nil {
			err = f.Write()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := ZMY(p, []string{"Fixture", "Regs", "Twin", "Linux", "Half"}, ZMYOptions{Derive: true})
	if err == nil {
		err = f.Write()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, goos := range []string{"linux", "windows"} {
		for _, tags := range []string{"", "integration"} {
			cmd := exec.Command("go", "vet", "-tags="+tags, ".")
			cmd.Dir = p.Dir
			cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-mod=mod")
			if tags != "" && goos == "windows" {
				continue // Fixture itself names Stat, which is of linux
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("GOOS=%s %s: %v\n%s", goos, tags, err, bytes.TrimSpace(out))
			}
		}
	}
}
