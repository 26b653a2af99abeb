package goals

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/tools/gobench"
)

// benchOutput is what ten rounds print: ours takes 500 ns and 2 allocations, the other 1,000 and 5,
// both a few per cent more or less.
var benchOutput = func() string {
	var b strings.Builder
	for round := range 10 {
		mood := 1 + 0.02*math.Sin(float64(round)*2)
		fmt.Fprintf(&b, "BenchmarkA/ours-2 \t 1000 \t 900.5 ns/op \t %.1f cpu-ns/op \t 0 extra-ns \t 64 B/op \t 2 allocs/op\nPASS\n", 500*mood)
		fmt.Fprintf(&b, "BenchmarkA/other-2 \t 1000 \t 900.5 ns/op \t %.1f cpu-ns/op \t 0 extra-ns \t 128 B/op \t 5 allocs/op\n",
			1000*mood*(1+0.01*math.Cos(float64(round)*3)))
	}
	b.WriteString("BenchmarkMany/10000\n    many_test.go:12: ulimit -n is 1024: too few\n--- SKIP: BenchmarkMany/10000-2\n")
	b.WriteString("BenchmarkOnce 1 1 ns/op 3 cpu-ns/op\n")
	return b.String()
}()

func TestJudgeBench(t *testing.T) {
	r, err := gobench.Read(strings.NewReader(benchOutput))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, line, verdict, why string }{
		{"ratio", "ours: BenchmarkA/ours, than: BenchmarkA/other, least: 1.9", Pass, ""},
		{"ratio, the other way round", "ours: BenchmarkA/ours, than: BenchmarkA/other, most: 0.55", Pass, ""},
		{"near", "ours: BenchmarkA/ours, than: BenchmarkA/other, least: 1.9975", Near, ""},
		{"fail", "ours: BenchmarkA/ours, than: BenchmarkA/other, least: 2.1", Fail, ""},
		{"accepted", "ours: BenchmarkA/ours, than: BenchmarkA/other, least: 2.1, accepted: why not", Accepted, "why not"},
		{"difference", "ours: BenchmarkA/other, minus: BenchmarkA/ours, most: 520", Pass, ""},
		{"difference, missed", "ours: BenchmarkA/other, minus: BenchmarkA/ours, most: 480", Fail, ""},
		{"difference that is negative", "ours: BenchmarkA/ours, minus: BenchmarkA/other, most: 0", Pass, ""},
		{"difference of allocations", "ours: BenchmarkA/other, minus: BenchmarkA/ours, metric: allocs/op, most: 3", Pass, ""},
		{"absolute", "ours: BenchmarkA/ours, metric: allocs/op, most: 2", Pass, ""},
		{"absolute, missed", "ours: BenchmarkA/ours, metric: allocs/op, most: 1", Fail, ""},
		{"at least so much", "ours: BenchmarkA/ours, least: 480", Pass, ""},
		{"none is at most none", "ours: BenchmarkA/ours, metric: extra-ns, most: 0", Pass, ""},
		{"a ratio of none", "ours: BenchmarkA/ours, than: BenchmarkA/other, metric: extra-ns, least: 2", Unavailable, "not positive"},
		{"one value proves nothing", "ours: BenchmarkOnce, most: 1000", Near, ""},
		{"skipped", "ours: BenchmarkMany/10000, most: 3", Unavailable, "was skipped: ulimit -n is 1024: too few"},
		{"other skipped", "ours: BenchmarkA/ours, than: BenchmarkMany/10000, most: 3", Unavailable, "was skipped"},
		{"not run", "ours: BenchmarkB, most: 3", Unavailable, "BenchmarkB has not run"},
		{"not reported", "ours: BenchmarkOnce, metric: p99-ns, most: 3", Unavailable, "BenchmarkOnce reports no p99-ns"},
	} {
		g, err := Parse("g.yaml", []byte("- {bench: pkg, "+c.line+"}"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		o := JudgeBench(g[0], r)
		if o.Verdict != c.verdict || !strings.Contains(o.Why, c.why) || c.why == "" && o.Why != "" {
			t.Errorf("%s: %s %s %q, want %s %q", c.name, o.Verdict, spell(o), o.Why, c.verdict, c.why)
		}
	}
}

func TestBenchRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"ours: a/fresh, most: 1":                                         `ours: "a/fresh" is no benchmark`,
		"ours: BenchmarkA, than: a/fresh, most: 1":                       `than: "a/fresh" is no benchmark`,
		"than: BenchmarkA, most: 1":                                      "ours is missing",
		"ours: BenchmarkA, than: BenchmarkB, minus: BenchmarkC, most: 1": "than and minus exclude",
		"ours: BenchmarkA":                                               "exactly one of least and most",
		"ours: BenchmarkA, most: 1, rounds: 2":                           "an interval needs 3",
		"ours: BenchmarkA, most: 1, op: encode":                          `unknown key "op"; a goal by benchmarks has the keys bench`,
		"ours: BenchmarkA, most: 1, subject: s":                          `unknown key "subject"`,
	} {
		_, err := Parse("g.yaml", []byte("- {bench: pkg, "+line+"}"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", line, err, want)
		}
	}
	for _, dir := range []string{"/nano", "../nano", "./nano", "."} {
		if _, err := Parse("g.yaml", []byte("- {bench: "+dir+", ours: BenchmarkA, most: 1}")); err == nil ||
			!strings.Contains(err.Error(), "no folder below") {
			t.Errorf("%s: error %v", dir, err)
		}
	}
}

func TestBenchGroups(t *testing.T) {
	list, err := Parse("g.yaml", []byte(`
- {bench: a, ours: BenchmarkX, than: BenchmarkY, least: 1}
- {bench: a, ours: BenchmarkX, metric: allocs/op, most: 0, rounds: 20}
- {bench: b, ours: BenchmarkX, most: 1, benchtime: 1x, rounds: 3, free: true}
`))
	if err != nil {
		t.Fatal(err)
	}
	got := groups(list)
	if len(got) != 2 || got[0].Name() != "bench/a" || got[1].Name() != "bench/b" {
		t.Fatalf("%+v", got)
	}
	if want := []gobench.Benchmark{{Name: "BenchmarkX", Rounds: 20},
		{Name: "BenchmarkY", Rounds: 10}}; !reflect.DeepEqual(got[0].Benchmarks, want) {
		t.Errorf("%+v, want %+v", got[0].Benchmarks, want)
	}
	if want := []gobench.Benchmark{{Name: "BenchmarkX", Time: "1x", Rounds: 3, Free: true}}; !reflect.DeepEqual(got[1].Benchmarks, want) {
		t.Errorf("%+v, want %+v", got[1].Benchmarks, want)
	}
}

// Every benchmark and every metric that a goal of the project names is spelled somewhere in its
// package's tests. (Parts of names that are numbers may be made there.)
func TestBenchmarksExist(t *testing.T) {
	all, err := Built()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		if g.Bench == "" {
			continue
		}
		if g.Bench == "java/bench" {
			checkJava(t, g)
			continue
		}
		text := tests(t, g.Bench)
		for _, s := range []Side{g.Ours, g.beside()} {
			if s == (Side{}) {
				continue
			}
			name, parts, _ := strings.Cut(s.Codec, "/")
			if !strings.Contains(text, "\nfunc "+name+"(b *testing.B) {") {
				t.Errorf("%s:%d: package ./%s has no %s", g.File, g.Line, g.Bench, name)
			}
			for part := range strings.SplitSeq(parts, "/") {
				if _, err := strconv.Atoi(part); err != nil && !strings.Contains(text, part+`"`) {
					t.Errorf("%s:%d: nothing in the tests of ./%s is called %q", g.File, g.Line, g.Bench, part)
				}
			}
		}
		metric := map[string]string{"ns/op": "", "B/op": "", "allocs/op": "", "cpu-ns/op": "cputime.Report(b)"}
		said, standard := metric[g.Metric]
		if !standard {
			said = `"` + g.Metric + `"`
		}
		if !strings.Contains(text, said) {
			t.Errorf("%s:%d: the tests of ./%s report no %s", g.File, g.Line, g.Bench, g.Metric)
		}
	}
}

// checkJava checks the parts of a name such as BenchmarkCells/encode/order/zmy against the Java
// sources: class, method and parameters of JMH.
func checkJava(t *testing.T, g *Goal) {
	const sources = "../../java/bench/src/main/java/io/github/zmylab/zmy/bench/"
	for _, s := range []Side{g.Ours, g.beside()} {
		if s == (Side{}) {
			continue
		}
		class, parts, _ := strings.Cut(strings.TrimPrefix(s.Codec, "Benchmark"), "/")
		text, err := os.ReadFile(sources + class + ".java")
		if err != nil {
			t.Errorf("%s:%d: %v", g.File, g.Line, err)
			continue
		}
		method, params, _ := strings.Cut(parts, "/")
		if !strings.Contains(string(text), " "+method+"() throws") {
			t.Errorf("%s:%d: %s.java has no method %s", g.File, g.Line, class, method)
		}
		for param := range strings.SplitSeq(params, "/") {
			if !strings.Contains(string(text), `"`+param+`"`) {
				t.Errorf("%s:%d: %s.java has no parameter %q", g.File, g.Line, class, param)
			}
		}
	}
	one, err := os.ReadFile(sources + "One.java")
	if err != nil || !strings.Contains(string(one), " "+g.Metric+"%n") && !strings.Contains(string(one), " "+g.Metric+" ") {
		t.Errorf("%s:%d: One.java prints no %s (%v)", g.File, g.Line, g.Metric, err)
	}
}

// tests is the text of a package's tests.
func tests(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// A goal whose interval contains the bound is measured again, and judged by all rounds: the ratios
// are 0.9 to 1.06 in 5 rounds, and 1.04 to 1.12 in 15 more. Goals that are met or missed beyond doubt
// are not. If the second run fails, the first one judges.
func TestDoubtful(t *testing.T) {
	dir, keep := t.TempDir(), t.TempDir()
	goals := "- {bench: pkg, rounds: 5, ours: BenchmarkA, than: BenchmarkB, least: 1}\n" +
		"- {bench: pkg, rounds: 5, ours: BenchmarkA, than: BenchmarkC, least: 9}\n" +
		"- {bench: pkg, rounds: 7, ours: BenchmarkA, than: BenchmarkC, least: 0.5}\n"
	if err := os.WriteFile(filepath.Join(dir, "g.yaml"), []byte(goals), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, fails := range []bool{false, true} {
		var asked [][]gobench.Benchmark
		var budgets []time.Duration
		runner := fakeRunner{bench: func(q Request) ([]byte, error) {
			asked, budgets = append(asked, q.Benchmarks), append(budgets, q.Budget)
			if fails && len(asked) > 1 {
				return nil, errors.New("out of memory")
			}
			var out strings.Builder
			for _, b := range q.Benchmarks {
				for k := range b.Rounds {
					ns := 100.0
					if b.Name == "BenchmarkB" {
						ns = 90 + 4*float64(k)
						if len(asked) > 1 {
							ns = 104 + float64(k%5)*2
						}
					}
					fmt.Fprintf(&out, "%s 1 %g cpu-ns/op\n", b.Name, ns)
				}
			}
			return []byte(out.String()), nil
		}}
		var out, errs bytes.Buffer
		code := Main(t.Context(), []string{"-dir", dir, "-keep", keep}, &out, &errs, runner)
		wantAsked := [][]gobench.Benchmark{
			{{Name: "BenchmarkA", Rounds: 7}, {Name: "BenchmarkB", Rounds: 5}, {Name: "BenchmarkC", Rounds: 7}},
			{{Name: "BenchmarkA", Rounds: 15}, {Name: "BenchmarkB", Rounds: 15}},
		}
		want, wantErr := "3 goals: 2 PASS · 1 FAIL", ""
		if fails {
			want, wantErr = "3 goals: 1 PASS · 2 FAIL", "judged by the first run, since the second failed: out of memory"
		}
		if code != exitMissed || !strings.Contains(out.String(), want) || !strings.Contains(errs.String(), wantErr) ||
			!reflect.DeepEqual(asked, wantAsked) || budgets[1] != budgets[0]*30/19 {
			t.Errorf("exit %d, asked for %+v in %v\n%s%s", code, asked, budgets, &out, &errs)
		}
		text, err := os.ReadFile(filepath.Join(keep, "bench", "pkg", benchText))
		if n := strings.Count(string(text), "BenchmarkB "); err != nil || n != map[bool]int{false: 20, true: 5}[fails] {
			t.Errorf("kept %d rounds, %v", n, err)
		}
	}
}
