package lab

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/run"
)

// TestForeignMachine: a cross-compiling environment is named, with the way out, before
// anything is built.
func TestForeignMachine(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.24\n", "m.go": "package m\n\ntype M struct{ A int }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	arch := map[bool]string{true: "riscv64", false: "s390x"}[runtime.GOARCH != "riscv64"]
	_, err := Run(t.Context(), Options{Dir: dir, Package: ".", Type: "M", Seed: 1, Table: table.All(),
		Env: []string{"GOARCH=" + arch}}, &quiet{})
	var usage *UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), "/"+arch) || !strings.Contains(err.Error(), "unset GOOS and GOARCH") {
		t.Errorf("%v", err)
	}
	if err := foreignMachine(&plan.Env{GOOS: runtime.GOOS, GOARCH: runtime.GOARCH}); err != nil {
		t.Error(err)
	}
}

// TestDiskFull: a full disk is no fault of the package or the codec.
func TestDiskFull(t *testing.T) {
	l := &Opened{subject: &plan.Subject{Pkg: &load.Pkg{Path: "example.org/m"}}}
	full := &harness.BuildError{Command: "go build", Output: "# m\n/tmp/x/link: mapping output file failed: no space left on " +
		"device\n", Err: errors.New("exit status 1")}
	for _, name := range []string{run.Baseline, "goccy"} {
		status, why := l.buildWhy(&run.Contender{Name: name}, full)
		if status != run.StatusFailed || why.What != "the disk is full" || !strings.Contains(why.Next, "TMPDIR") {
			t.Errorf("%s: %s %+v", name, status, why)
		}
		if text := (&BaselineError{why}).Error(); strings.Contains(text, "does not build") || !strings.Contains(text, "the disk is full") {
			t.Errorf("the baseline: %s", text)
		}
	}
}

// TestBuildReason: a build that fails without a line of the compiler is explained by what its
// program said, not by its exit code.
func TestBuildReason(t *testing.T) {
	l := &Opened{subject: &plan.Subject{Pkg: &load.Pkg{Path: "example.org/m"}}}
	for out, want := range map[string]string{
		"easyjson: cannot generate st.zzEasy, not a struct type\n": "easyjson: cannot generate st.zzEasy, not a struct type",
		"gen: reading\ngen: no such type\nexit status 2\n":         "gen: no such type",
		"panic: no type\n\ngoroutine 1 [running]:\nmain.main()\n":  "panic: no type",
		"# m\n./m.go:3:5: undefined: x\nnote: more\n":              "./m.go:3:5: undefined: x",
		"": "exit status 1",
	} {
		_, why := l.buildWhy(&run.Contender{Name: "easyjson"},
			&harness.BuildError{Command: "go run", Output: out, Err: errors.New("exit status 1")})
		if why.Reason != want {
			t.Errorf("%q: %q, want %q", out, why.Reason, want)
		}
	}
}

// TestAllProblems: a codec that is left out names every field at fault, with the module that
// it comes from.
func TestAllProblems(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/m\n\ngo 1.24\n\nrequire example.com/other v0.0.0\n\nreplace example.com/other => ./other\n",
		"m.go": "package m\n\nimport \"example.com/other\"\n\ntype M struct {\n\tAlpha chan int\n\tBravo " +
			"other.B\n\tCharlie func()\n}\n",
		"other/go.mod":   "module example.com/other\n\ngo 1.24\n",
		"other/other.go": "package other\n\ntype B struct {\n\tXray chan string\n\tOK int\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := plan.Resolve(t.Context(), plan.Options{Dir: dir, Package: ".", Type: "M", Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=")})
	if err != nil {
		t.Fatal(err)
	}
	l := &Opened{subject: s}
	target := &contender.Target{IR: s.IR, Root: s.Root, Expr: s.Expr}
	asked := 0
	for _, info := range table.All() {
		switch info.Name {
		case "goccy", "msgp", "easyjson", "zmy", "fxjson":
		default:
			continue
		}
		asked++
		why := info.Plan(target)
		if why == nil {
			t.Errorf("%s carries channels", info.Name)
			continue
		}
		l.nameModules(why)
		text := Sentence(&run.Contender{Name: info.Name, Status: run.StatusSkipped, Why: why})
		modules, fields := map[string]bool{}, map[string]bool{}
		for _, one := range append([]*run.Why{why}, why.More...) {
			modules[one.Module] = true
			if own, tag := one.Owner == "example.org/m", strings.Contains(one.Next, `:"-"`); tag && !own ||
				strings.Contains(one.Next, "of your own") && own {
				t.Errorf("%s: %s is in package %q: %s", info.Name, one.What, one.Owner, one.Next)
			}
			for _, f := range []string{"Alpha", "Xray", "Charlie"} {
				if strings.Contains(one.What, f) {
					fields[f] = true
				}
			}
		}
		if len(fields) != 3 || !modules["example.com/other"] || !modules[""] || !strings.Contains(text, " more: ") {
			t.Errorf("%s: fields %v, modules %v: %s", info.Name, fields, modules, text)
		}
	}
	if asked != 5 {
		t.Errorf("%d codecs asked", asked)
	}
}
