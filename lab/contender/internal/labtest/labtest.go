// Package labtest takes contenders through round trips in tests: a small twin of
// the harness, with the same layout of workspace and overlay, that measures
// nothing.
package labtest

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/lab/contender"
	runpkg "github.com/zmylab/zmy/lab/run"
)

//go:embed check
var texts embed.FS

// Result mirrors check.Result.
type Result struct {
	Encoders, Decoders []string
	Bytes              int
	Grade              string
	Diffs              []string
	Bad                []string
}

// Subject is a type with a function SampleT in a package of the core module
// ("examples/order") or of this package's testdata ("kinds").
type Subject struct {
	Dir  string
	Type string
	pkg  *load.Pkg
}

// root is the repository's folder.
func root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "../../../..")
}

func (s *Subject) dir() string {
	if strings.HasPrefix(s.Dir, "examples/") {
		return filepath.Join(root(), s.Dir)
	}
	return filepath.Join(root(), "lab/contender/internal/labtest/testdata", s.Dir)
}

// Target loads the subject.
func Target(t testing.TB, s *Subject) *contender.Target {
	t.Helper()
	p, err := load.Load(t.Context(), load.Config{Dir: s.dir(), Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	s.pkg = p
	tree, err := p.Build(s.Type)
	if err != nil {
		t.Fatal(err)
	}
	return &contender.Target{IR: tree, Root: tree.Roots[0], Expr: s.Type}
}

// Run generates, builds and runs the contender on the subject.
func Run(t testing.TB, info contender.Info, s *Subject) *Result {
	t.Helper()
	return RunTarget(t, info, s, Target(t, s))
}

// Generate makes the contender's sources for the subject.
func Generate(t testing.TB, info contender.Info, s *Subject) *contender.Sources {
	t.Helper()
	target := Target(t, s)
	src, err := info.Generate(t.Context(), target, &bench{subject: s, dir: t.TempDir()})
	if err != nil {
		t.Fatalf("%s: generate: %v", info.Name, err)
	}
	return src
}

// RunTarget is Run on a target made by [Target].
func RunTarget(t testing.TB, info contender.Info, s *Subject, target *contender.Target) *Result {
	t.Helper()
	if why := info.Plan(target); why != nil {
		t.Fatalf("%s: %s", info.Name, WhyText(why))
	}
	b := &bench{subject: s, dir: t.TempDir()}
	src, err := info.Generate(t.Context(), target, b)
	if err != nil {
		t.Fatalf("%s: generate: %v", info.Name, err)
	}
	convert := src.Convert
	if convert == "" {
		convert = "func(v *ZZSubject) (ZZSubject, error) { return *v, nil }"
	}
	main := fmt.Sprintf("zzcheck.Run(%q, %s, zzValues(), %s)", filepath.Join(b.dir, "result.json"), src.Main, convert)
	if err := b.run(t.Context(), src, main, b.values()); err != nil {
		t.Fatalf("%s: %v", info.Name, err)
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	r := new(Result)
	if err := json.Unmarshal(text, r); err != nil {
		t.Fatal(err)
	}
	return r
}

// bench is one temporary workspace.
type bench struct {
	subject *Subject
	dir     string
	n       int
}

func (b *bench) values() string {
	sample, ok := b.subject.pkg.SampleFunc(b.subject.Type)
	if !ok {
		return "\nfunc zzValues() []ZZSubject { return make([]ZZSubject, 3) }\n"
	}
	return fmt.Sprintf(`
func zzValues() []ZZSubject {
	r := zzrand.New(zzrand.NewPCG(1, 2))
	vals := make([]ZZSubject, 25)
	for i := range vals {
		vals[i] = %s(r)
	}
	return vals
}
`, sample)
}

// RunInPackage implements contender.Tools.
func (b *bench) RunInPackage(ctx context.Context, s *contender.Sources) (map[string][]byte, error) {
	if err := b.run(ctx, s, s.Main, ""); err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	entries, err := os.ReadDir(filepath.Join(b.dir, "cwd"))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if out[e.Name()], err = os.ReadFile(filepath.Join(b.dir, "cwd", e.Name())); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// labDir is where builds see the parts of the lab: the same folder in all of them, so that
// they are compiled once; it is in the overlay alone, as in the harness.
const labDir = "/zmylab.invalid/labtest"

func (b *bench) run(ctx context.Context, s *contender.Sources, main, extra string) error {
	b.n++
	ws := filepath.Join(b.dir, fmt.Sprintf("ws%d", b.n))
	files := map[string][]byte{}
	for name, src := range s.Module {
		files["contender/"+name] = contender.Relocate(src)
	}
	if err := labFiles(files); err != nil {
		return err
	}
	mod := b.subject.pkg.Module
	if files["contender/go.mod"] == nil {
		files["contender/go.mod"] = []byte("module " + contender.ModulePath + "\n\ngo 1.25\n")
	}
	use := []string{"./contender", labDir, mod.Dir}
	if mod.Path != contender.RuntimePath {
		use = append(use, root())
	}
	files["go.work"] = fmt.Appendf(nil, "go 1.26\n\nuse (\n\t%s\n)\n", strings.Join(use, "\n\t"))
	overlay := map[string]string{}
	for name := range files {
		if in, ok := strings.CutPrefix(name, "lab/"); ok {
			overlay[labDir+"/"+in] = filepath.Join(ws, name)
		}
	}
	pkg := maps.Clone(s.Package)
	if pkg == nil {
		pkg = map[string][]byte{}
	}
	pkg["zz_main.go"] = b.mainFile(s, main, extra)
	for name, src := range pkg {
		name = strings.TrimSuffix(name, ".go") + "_test.go"
		files["pkg/"+name] = src
		overlay[filepath.Join(b.subject.pkg.Dir, name)] = filepath.Join(ws, "pkg", name)
	}
	tests, err := filepath.Glob(filepath.Join(b.subject.pkg.Dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, f := range tests {
		overlay[f] = ""
	}
	for _, g := range b.subject.pkg.Generated {
		overlay[g.File] = ""
	}
	files["overlay.json"], err = json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return err
	}
	for name, src := range files {
		name = filepath.Join(ws, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, src, 0o600); err != nil {
			return err
		}
	}
	cwd := filepath.Join(b.dir, "cwd")
	if err := os.MkdirAll(cwd, 0o700); err != nil {
		return err
	}
	bin := filepath.Join(ws, "worker.test")
	env := append(os.Environ(), "GOWORK="+filepath.Join(ws, "go.work"), "GOFLAGS=")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", filepath.Join(ws, "overlay.json"), "-o", bin, ".")
	build.Dir, build.Env = b.subject.pkg.Dir, env
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	cmd := exec.CommandContext(ctx, bin)
	cmd.Dir = cwd
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run: %w\n%s", err, out)
	}
	return nil
}

func (b *bench) mainFile(s *contender.Sources, main, extra string) []byte {
	var w strings.Builder
	fmt.Fprintf(&w, "package %s\n\nimport (\n\t\"testing\"\n", b.subject.pkg.Name)
	if extra != "" {
		fmt.Fprintf(&w, "\tzzcheck %q\n", contender.LabPath+"/check")
	}
	if strings.Contains(extra, "zzrand.") {
		w.WriteString("\tzzrand \"math/rand/v2\"\n")
	}
	for _, i := range s.Imports {
		w.WriteString("\t" + i + "\n")
	}
	fmt.Fprintf(&w, ")\n\ntype ZZSubject = %s\n\nfunc TestMain(*testing.M) {\n\t%s\n}\n%s", b.subject.Type, main, extra)
	return []byte(w.String())
}

// labFiles are the parts of the lab that workers need.
func labFiles(files map[string][]byte) error {
	files["lab/go.mod"] = []byte("module " + contender.LabPath + "\n\ngo " + contender.MinGo + "\n")
	check, err := texts.ReadFile("check/check.go")
	if err != nil {
		return err
	}
	files["lab/check/check.go"] = contender.Relocate(check)
	parts, err := contender.Files(os.DirFS(filepath.Join(root(), "lab")),
		"worker/contender.go", "worker/store.go", "worker/adapt.go", "worker/dynamic.go", "fidelity/*.go", "values/*.go")
	for name, text := range parts {
		files["lab/"+name] = text
	}
	return err
}

// WhyText is a reason on one line.
func WhyText(w *runpkg.Why) string {
	if w == nil {
		return ""
	}
	return strings.Join([]string{w.What, w.Where, w.Reason, w.Next}, " | ")
}

// Check fails the test for broken promises and for changes of value that no
// entry of want matches: a prefix, then after "…" a suffix.
func (r *Result) Check(t testing.TB, want []string) {
	t.Helper()
	for _, bad := range r.Bad {
		t.Error(bad)
	}
	for _, d := range r.Diffs {
		if !slices.ContainsFunc(want, func(s string) bool {
			prefix, suffix, _ := strings.Cut(s, "…")
			return strings.HasPrefix(d, prefix) && strings.HasSuffix(d, suffix)
		}) {
			t.Error("unexpected change: ", d)
		}
	}
}
