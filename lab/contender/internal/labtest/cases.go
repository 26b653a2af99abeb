package labtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
)

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

// Without checks a contender that needs a program which is not in PATH. The reason must contain
// word as the way to get the program.
func Without(t *testing.T, info contender.Info, name, word string) {
	t.Helper()
	target := Target(t, name)
	t.Setenv("PATH", "")
	if why := info.Plan(target); why == nil || !slices.Contains(strings.Fields(why.Next), word) {
		t.Errorf("why = %+v", why)
	}
}
