package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
	"github.com/zmylab/zmy/lab/stats"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// benchstat's own reader and its grouping are the oracle.
func TestBenchIsReadByBenchfmt(t *testing.T) {
	r := filled(runtest.Options{})
	var b bytes.Buffer
	if err := Bench(&b, r); err != nil {
		t.Fatal(err)
	}
	const line = "BenchmarkLab/type=Order/op=decode/codec=fxjson/mode=fresh-2 "
	if !strings.Contains(b.String(), "\n"+line) || !strings.HasPrefix(b.String(),
		"goos: linux\ngoarch: amd64\npkg: example.com/shop/order\ncpu: ") {
		t.Errorf("the head or the line %q is missing in\n%.400s", line, b.String())
	}

	var parser benchproc.ProjectionParser
	cols, err := parser.Parse("/codec", nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parser.Parse("/type,/op,/mode,/rank", nil)
	if err != nil {
		t.Fatal(err)
	}
	type key struct{ row, col string }
	got := map[key][]float64{}
	in := benchfmt.NewReader(&b, "bench.txt")
	for in.Scan() {
		res, ok := in.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("not a result: %v", in.Result())
		}
		k := key{rows.Project(res).String(), cols.Project(res).String()}
		for _, unit := range []string{"sec/op", "B/op", "allocs/op", "wire-bytes"} {
			if _, ok := res.Value(unit); !ok {
				t.Fatalf("%s has no %s", res.Name, unit)
			}
		}
		sec, _ := res.Value("sec/op")
		got[k] = append(got[k], sec*1e9)
		if p := res.GetConfig("pkg"); p != "example.com/shop/order" {
			t.Fatalf("pkg %q", p)
		}
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(r.Cells) {
		t.Errorf("%d groups for %d cells", len(got), len(r.Cells))
	}
	fx := stats.Find(r, "fxjson", stats.Decode, stats.Fresh)
	k := key{"/type:Order /op:decode /mode:fresh", "/codec:fxjson"}
	if len(got[k]) != 100 || math.Abs(stats.Median(got[k])/fx.Wall.Median-1) > 0.02 {
		t.Errorf("%v: %d samples, median %v, want 100 about %v; have %v", k, len(got[k]), stats.Median(got[k]), fx.Wall.Median, keysOf(got)[:3])
	}
	un := key{"/type:Order /op:decode /mode:fresh /rank:none", "/codec:ffjson"}
	if len(got[un]) != 100 {
		t.Errorf("the unranked codec has no group with rank=none: %v", keysOf(got))
	}
}

func keysOf[K comparable, V any](m map[K]V) (out []K) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

func TestBenchNames(t *testing.T) {
	r := &run.Run{Subject: run.Subject{Type: "Page[a/b.T, int]"}, Host: run.Host{Cores: 8}}
	c := &run.Cell{Codec: "x", Op: "encode", Mode: "", Rank: false}
	if got, want := benchName(r, c), "BenchmarkLab/type=Page[a_b.T,_int]/op=encode/codec=x/mode=none/rank=none-8"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for x, want := range map[float64]string{1: "1", 0.25: "0.25", 1e9: "1000000000", 2.0004: "2"} {
		if got := plain(x); got != want {
			t.Errorf("plain(%v) = %s, want %s", x, got, want)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	r := filled(runtest.Options{Launches: 2, Rounds: 3})
	var a bytes.Buffer
	if err := JSON(&a, r); err != nil {
		t.Fatal(err)
	}
	text := a.String()
	if !regexp.MustCompile(`(?m)^ +\{"l":0,"r":0,"n":\d+,"w":[\d.]+,"c":[\d.]+,"t":[\d.]+\},$`).MatchString(text) ||
		!strings.Contains(text, "\n \"schema\": 1,\n") {
		t.Errorf("samples do not take a line each:\n%.2000s", text)
	}
	back, err := ReadJSON(&a)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, r) {
		t.Error("run.json read back is another run")
	}
	var b bytes.Buffer
	if err := JSON(&b, back); err != nil || b.String() != text {
		t.Errorf("run.json is not stable (%v)", err)
	}
	r.Schema = 99
	b.Reset()
	JSON(&b, r)
	if _, err := ReadJSON(&b); err == nil || !strings.Contains(err.Error(), "version 99") {
		t.Errorf("another schema: %v", err)
	}
	if _, err := ReadJSON(strings.NewReader("{")); err == nil {
		t.Error("half a file was read")
	}
}

func TestCSVAndMarkdown(t *testing.T) {
	r := filled(runtest.Options{Launches: 2, Rounds: 3, Partial: true})
	var b bytes.Buffer
	if err := CSV(&b, r); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(lines) != len(r.Cells)+1 || lines[1][1] != r.Cells[0].Codec || lines[1][5] != plain(r.Cells[0].Wall.Median) {
		t.Errorf("%d lines (%v): %v", len(lines), err, lines[1])
	}
	b.Reset()
	if err := Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# zmy lab: order.Order", "**So far, from a partial run: Both ends Go: zmy", "> **Partial:**",
		"| 1 | zmy | ", "(not ranked)", "order.go:31", "Again: `zmy lab"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("markdown lacks %q", want)
		}
	}
	for _, l := range strings.Split(b.String(), "\n") {
		if strings.HasPrefix(l, "|") && strings.Count(strings.ReplaceAll(l, `\|`, ""), "|") != 12 {
			t.Errorf("a table line of another width: %s", l)
		}
	}
}

func TestWriteDir(t *testing.T) {
	r := filled(runtest.Options{Launches: 2, Rounds: 3})
	dir := filepath.Join(t.TempDir(), "a", "b")
	for range 2 { // the second replaces the first
		if err := WriteDir(dir, r); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != "bench.txt cells.csv index.html report.md run.json" {
		t.Errorf("files %s", got)
	}
	data, err := os.ReadFile(filepath.Join(dir, FileJSON))
	if err != nil || !json.Valid(data) {
		t.Errorf("run.json: %v", err)
	}
	if err := WriteDir(filepath.Join(dir, FileJSON), r); err == nil {
		t.Error("a file served as a folder")
	}
}

// TestProcs: the number behind a line's name is the workers' GOMAXPROCS, not the cores.
func TestProcs(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 1, Rounds: 2})
	r.Host.Cores, r.Host.Procs, r.Host.Flags = 8, 1, "GOGC=off"
	stats.Fill(r)
	var b strings.Builder
	if err := Bench(&b, r); err != nil || !strings.Contains(b.String(), "mode=fresh-1 ") || strings.Contains(b.String(), "mode=fresh-8 ") {
		t.Errorf("%v: %.300s", err, b.String())
	}
	if got := hostLine(r); !strings.Contains(got, "GOMAXPROCS 1 · GOGC=off") {
		t.Errorf("host line %q", got)
	}
}
