package gobench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const module = `module example.org/b

go 1.25
`

const benchmarks = `package b

import (
	"os"
	"testing"
)

func BenchmarkPair(b *testing.B) {
	for name, metric := range map[string]float64{"one": 1, "two words": 2} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
			}
			b.ReportMetric(metric, "x/op")
		})
	}
}

func BenchmarkPairs(b *testing.B) { b.Fatal("it has another name") }

func BenchmarkOnce(b *testing.B) {
	if b.N != 1 {
		b.Fatal(b.N)
	}
	b.ReportMetric(7, "files")
}

func BenchmarkSkipped(b *testing.B) { b.Skip("there is no moon: tonight") }

func BenchmarkBroken(b *testing.B) { b.Fatal("it broke") }

func BenchmarkEnv(b *testing.B) {
	if os.Getenv("MOON") != "full" {
		b.Fatal("no moon")
	}
}
`

// folder is a package with benchmarks.
func folder(t *testing.T, tests string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": module, "b.go": "package b\n", "b_test.go": tests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	return dir
}

func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	p := Plan{Dir: folder(t, benchmarks), Env: []string{"MOON=full"}, Budget: time.Millisecond, Benchmarks: []Benchmark{
		{Name: "BenchmarkPair/one", Rounds: 3}, {Name: "BenchmarkPair/two_words", Rounds: 2},
		{Name: "BenchmarkOnce", Rounds: 2, Time: "1x", Free: true},
		{Name: "BenchmarkSkipped", Rounds: 1}, {Name: "BenchmarkEnv", Rounds: 1, Time: "1x"},
	}}
	var text bytes.Buffer
	if err := Run(t.Context(), p, &text); err != nil {
		t.Fatal(err)
	}
	r, err := Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, unit string
		want       []float64
		why        string
	}{
		{"BenchmarkPair/one", "x/op", []float64{1, 1, 1}, ""},
		{"BenchmarkPair/one", "allocs/op", []float64{0, 0, 0}, ""},
		{"BenchmarkPair/two_words", "x/op", []float64{2, 2}, ""},
		{"BenchmarkOnce", "files", []float64{7, 7}, ""},
		{"BenchmarkOnce", "x/op", nil, "reports no x/op"},
		{"BenchmarkSkipped", "x/op", nil, "was skipped: there is no moon: tonight"},
		{"BenchmarkPairs", "x/op", nil, "has not run"},
	} {
		got, why := r.Of(c.name, c.unit)
		if !slices.Equal(got, c.want) || !strings.Contains(why, c.why) {
			t.Errorf("%s %s: %v %q, want %v %q", c.name, c.unit, got, why, c.want, c.why)
		}
	}
}

func TestRunFails(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	good := folder(t, benchmarks)
	for _, c := range []struct{ name, dir, benchmark, want string }{
		{"does not compile", folder(t, "package b\n\nvar x int = \"\"\n"), "BenchmarkX", "b_test.go:3:"},
		{"fails", good, "BenchmarkBroken", "it broke"},
		{"is not there", good, "BenchmarkNone", "there is no such benchmark"},
	} {
		err := Run(t.Context(), Plan{Dir: c.dir, Benchmarks: []Benchmark{{Name: c.benchmark, Rounds: 1, Time: "1x"}}}, new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	p := Plan{Dir: good, Benchmarks: []Benchmark{{Name: "BenchmarkOnce", Rounds: 1, Time: "1x"}}, Doing: func(what string) {
		if strings.Contains(what, "round") {
			cancel()
		}
	}}
	if err := Run(ctx, p, new(bytes.Buffer)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestShare(t *testing.T) {
	many := []Benchmark{{Rounds: 10}, {Rounds: 10}, {Rounds: 3, Time: "1x"}}
	for budget, want := range map[time.Duration]time.Duration{0: shortest, 4 * time.Second: 200 * time.Millisecond, time.Hour: longest} {
		if got := (Plan{Budget: budget, Benchmarks: many}).share(); got != want {
			t.Errorf("of %v: %v, want %v", budget, got, want)
		}
	}
}

func TestOtherLanguage(t *testing.T) {
	dir := t.TempDir()
	script := `#!/bin/sh
if [ "$#" = 0 ]; then
	[ "$LANGUAGE_THERE" = yes ] || { echo "no compiler"; exit 3; }
	exit 0
fi
echo "$1 1 5 x/op"
`
	if err := os.WriteFile(filepath.Join(dir, "benchmarks"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	p := Plan{Dir: dir, Benchmarks: []Benchmark{{Name: "BenchmarkA/b", Rounds: 3}}, Budget: time.Second}
	var out bytes.Buffer
	if err := Run(t.Context(), p, &out); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "no compiler") {
		t.Fatalf("a tool is missing: %v", err)
	}
	p.Env = []string{"LANGUAGE_THERE=yes"}
	if err := Run(t.Context(), p, &out); err != nil {
		t.Fatal(err)
	}
	r, err := Read(&out)
	if err != nil {
		t.Fatal(err)
	}
	if values, why := r.Of("BenchmarkA/b", "x/op"); !slices.Equal(values, []float64{5, 5, 5}) {
		t.Fatalf("%v %s", values, why)
	}
}
