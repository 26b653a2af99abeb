// Package labtest takes contenders through round trips in tests. The harness builds the programs in
// the same way as workers, but they measure nothing.
package labtest

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/plan"
	runpkg "github.com/zmylab/zmy/lab/run"
)

//go:embed check/check.go
var check []byte

// Result mirrors check.Result.
type Result struct {
	Encoders []string
	Bytes    int
	Diffs    []string
	Bad      []string
}

// root returns the repository's folder.
func root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "../../../..")
}

// subject resolves a folder and a type, either in this package's testdata ("kinds All") or in the
// core module ("examples/order Order").
func subject(t testing.TB, name string) *plan.Subject {
	t.Helper()
	dir, typ, _ := strings.Cut(name, " ")
	if !strings.HasPrefix(dir, "examples/") {
		dir = "lab/contender/internal/labtest/testdata/" + dir
	}
	s, err := plan.Resolve(t.Context(), plan.Options{Dir: filepath.Join(root(), dir), Package: ".", Type: typ,
		Env: append(os.Environ(), "GOWORK=off")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func target(s *plan.Subject) *contender.Target {
	return &contender.Target{IR: s.IR, Root: s.Root, Expr: s.Expr}
}

// Target loads a subject. Names are as in [RoundTrips].
func Target(t testing.TB, name string) *contender.Target {
	t.Helper()
	return target(subject(t, name))
}

// Generate returns the contender's sources for a subject.
func Generate(t testing.TB, info contender.Info, name string) (src *contender.Sources) {
	t.Helper()
	s := subject(t, name)
	generate(t, info, s, target(s), func(s *contender.Sources, _ contender.Tools) error {
		src = s
		return nil
	})
	return src
}

// NOTE: a round trip is a one-off program that the contender's tools build and run in the subject's
// package, like a generator (trip). Its main calls package check with the contender that the worker
// would have measured, and the result comes back as a file.

// generate calls f with a contender's sources and tools. Only the harness makes tools, and it
// passes them to Generate only. So generate replaces Generate, and ends the build with the error
// done.
func generate(t testing.TB, info contender.Info, s *plan.Subject, target *contender.Target,
	f func(*contender.Sources, contender.Tools) error,
) {
	t.Helper()
	lab := os.DirFS(filepath.Join(root(), "lab"))
	w, err := harness.New(t.Context(), harness.Config{Subject: s, Sources: lab, Runtime: root(), TempDir: t.TempDir(), Streams: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	own, done := info.Generate, errors.New("done")
	info.Generate = func(ctx context.Context, target *contender.Target, tools contender.Tools) (*contender.Sources, error) {
		src, err := own(ctx, target, tools)
		if err == nil {
			err = f(src, tools)
		}
		return nil, cmp.Or(err, done)
	}
	if _, err := w.Build(t.Context(), info, target); err != done {
		t.Fatalf("%s: %v", info.Name, err)
	}
}

// trip takes the values of a subject through a round trip.
func trip(t testing.TB, info contender.Info, s *plan.Subject, target *contender.Target) *Result {
	t.Helper()
	if why := info.Plan(target); why != nil {
		t.Fatalf("%s: %s", info.Name, WhyText(why))
	}
	r := new(Result)
	generate(t, info, s, target, func(src *contender.Sources, tools contender.Tools) error {
		src.Module["check/check.go"], src.Package["zz_values.go"] = check, values(s)
		src.Imports = append(src.Imports, "zzcheck "+strconv.Quote(contender.ModulePath+"/check"))
		convert := cmp.Or(src.Convert, "func(v *ZZSubject) (ZZSubject, error) { return *v, nil }")
		src.Main = fmt.Sprintf("zzcheck.Run(%q, %s, zzValues(), %s)", "result.json", src.Main, convert)
		files, err := tools.RunInPackage(t.Context(), src)
		if err != nil {
			return err
		}
		return json.Unmarshal(files["result.json"], r)
	})
	return r
}

// values returns a file that declares zzValues. It uses the subject's own sample function if there
// is one.
func values(s *plan.Subject) []byte {
	if s.Sample == "" {
		return fmt.Appendf(nil, "package %s\n\nfunc zzValues() []ZZSubject { return make([]ZZSubject, 3) }\n", s.Pkg.Name)
	}
	return fmt.Appendf(nil, `package %s

import zzrand "math/rand/v2"

func zzValues() []ZZSubject {
	r := zzrand.New(zzrand.NewPCG(1, 2))
	vals := make([]ZZSubject, 25)
	for i := range vals {
		vals[i] = %s(r)
	}
	return vals
}
`, s.Pkg.Name, s.Sample)
}

// WhyText returns a reason as one line.
func WhyText(w *runpkg.Why) string {
	if w == nil {
		return ""
	}
	return strings.Join([]string{w.What, w.Where, w.Reason, w.Next}, " | ")
}

// Check fails the test for broken promises, and for changes of value that no entry of want matches.
// An entry is a prefix, or a prefix and a suffix with "…" between them.
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

// RoundTrips takes subjects through a round trip by a contender, which may fall back to
// encoding/json. A key of changes is a subject's folder and type ("kinds All"); its value lists the
// changes that [Result.Check] accepts. Each function in more is called with the result of a
// subject.
func RoundTrips(t *testing.T, info contender.Info, changes map[string][]string, more ...func(t *testing.T, typ string, r *Result)) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	for name, want := range changes {
		t.Run(info.Name+"/"+name, func(t *testing.T) {
			t.Parallel()
			s := subject(t, name)
			target := target(s)
			target.AllowFallback = true
			r := trip(t, info, s, target)
			r.Check(t, want)
			for _, f := range more {
				f(t, target.Expr, r)
			}
		})
	}
}

// Refusals checks the reasons for which a contender cannot carry subjects, in the form of
// [WhyText]; "" if it can.
func Refusals(t *testing.T, info contender.Info, reasons map[string]string) {
	t.Helper()
	for name, want := range reasons {
		if got := WhyText(info.Plan(Target(t, name))); got != want {
			t.Errorf("%s: got  %s\nwant %s", name, got, want)
		}
	}
}

// Leaves generates a contender for a subject once for each leaf of op access. It checks whether the
// generated file contains mark, which shows that the codec reads the leaf in place.
func Leaves(t *testing.T, info contender.Info, name, file, mark string, want map[string]bool) {
	t.Helper()
	for leaf, want := range want {
		target := Target(t, name)
		target.Leaf = leaf
		src, err := info.Generate(t.Context(), target, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(src.Package[file]), mark); got != want {
			t.Errorf("leaf %q: %s = %v\n%s", leaf, mark, got, src.Package[file])
		}
	}
}

// Calls checks that the calls by which a program uses a contender begin with names of functions in
// the generated code.
func Calls(t *testing.T, info contender.Info, name string) {
	t.Helper()
	var code strings.Builder
	for _, file := range Generate(t, info, name).Package {
		code.Write(file)
	}
	a := info.AdoptFor(Target(t, name))
	calls := []string{a.Marshal, a.Unmarshal}
	if a.Limit > 0 {
		calls = append(calls, a.MarshalLarge, a.UnmarshalLarge)
	}
	for _, call := range calls {
		if name, _, _ := strings.Cut(call, "("); !strings.Contains(code.String(), "func "+name+"(") {
			t.Errorf("%q is not generated", call)
		}
	}
}

// Without checks that a contender refuses a subject if PATH lacks the program that it needs. The
// reason's Next must contain word, the name of the package to install.
func Without(t *testing.T, info contender.Info, name, word string) {
	t.Helper()
	target := Target(t, name)
	t.Setenv("PATH", "")
	if why := info.Plan(target); why == nil || !slices.Contains(strings.Fields(why.Next), word) {
		t.Errorf("why = %+v", why)
	}
}
