package show_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/scan"
	"github.com/zmylab/zmy/scan/predict"
	"github.com/zmylab/zmy/scan/show"
)

var update = flag.Bool("update", false, "write the files in testdata")

func near(x, half float64) *predict.Interval {
	return &predict.Interval{Point: x, Lo: x - half, Hi: x + half}
}

// sample is a scan of a service with a site of each kind.
func sample() *scan.Result {
	site := func(file string, line int, call, typ string, cpu, gc float64) *scan.Site {
		return &scan.Site{File: file, Line: line, Func: "example.org/shop/x.F", Call: call, Type: typ, Codec: "std-json", Format: "json",
			Direction: "marshal", CPU: near(cpu, cpu/10), GC: near(gc, gc/5)}
	}
	load := site("internal/store/decode.go", 468, "json.Unmarshal(*model.Device)", "*example.org/shop/model.Device", 0.07, 0.009)
	load.Action, load.To, load.Reason, load.Ratio, load.Run = scan.Adopt, "fxjson", "2.10× (2.00–2.20) as fast", near(2.1, 0.1),
		"zmy adopt fxjson ./internal/store"
	load.Saving, load.Own = &scan.Saving{Share: *near(0.041, 0.006)}, 0.012
	list := site("internal/api/list.go", 33, "json.Encoder.Encode(api.Page)", "example.org/shop/api.Page", 0.012, 0.003)
	list.Action, list.To, list.Reason, list.Run, list.Stream = scan.Measure, "fxjson", "not measured",
		"zmy lab example.org/shop/api -type Page", 0.02
	list.Via = []string{"internal/api/write.go:12"}
	other := site("internal/bus/send <b>\x1b[31m.go", 7, "json.Marshal(?)", "", 0.003, 0)
	other.Action, other.Reason, other.Why = scan.Leave, "below 0.5% of CPU", "argument has type any, from json.RawMessage"
	return &scan.Result{Schema: scan.Schema, Tool: "zmy (devel)", Command: []string{"zmy", "scan", "-cpu", "cpu.pprof"},
		Started: time.Date(2026, 11, 1, 2, 3, 4, 0, time.UTC),
		Verdict: "Serialization takes 11% of CPU: read on. fxjson at 1 site saves 4.1 points (3.5 to 4.7).",
		Modules: []string{"example.org/shop"}, Found: scan.Found{Sites: 212, Types: 61, Unknown: 9, Packages: 40, Tests: 80},
		CPU: &scan.Source{Name: "cpu.pprof", Samples: 12345, Seconds: 30, Taken: time.Date(2026, 11, 1, 2, 3, 4, 0, time.UTC)},
		All: near(0.11, 0.01), Here: near(0.097, 0.01), Collector: 0.08, Saving: &scan.Saving{Share: *near(0.041, 0.006), Cores: near(0.5,
			0.07), Month: near(14.6, 2)},
		Cores: 12.2, CoresFrom: "-cores", Price: 0.04, Sites: []*scan.Site{load, list, other},
		Elsewhere: []scan.Other{{Where: "dependency", Name: "k8s.io/apimachinery", Format: "json", At: "k8s.io/apimachinery/x.F, line 9",
			CPU: *near(0.013, 0.002)}},
		Types: []scan.Measured{{Package: "example.org/shop/model", Type: "Device", Values: "256 values, from field names and types",
			Report: "types/model.Device",
			Pairs: []scan.Pair{{Codec: "std-json", To: "fxjson", Op: "decode", Ratio: *near(2.1, 0.1),
				Bytes: [2]float64{640, 480}}}}, {Package: "example.org/shop/pb", Type: "Order",
			Error: "go build failed"}},
		Notes:    []string{"the garbage collector took 8.0% of CPU; it is divided by the bytes allocated in heap.pprof"},
		Warnings: []string{"model.X was not measured: <script>"},
		Flame: &run.Frame{Name: "serialization", Value: 9e9, Calls: []*run.Frame{{Name: "example.org/shop/store.Load", Value: 7e9,
			Calls: []*run.Frame{{Name: "encoding/json.Unmarshal", Value: 7e9}}}}}}
}

// plain is a scan without a profile.
func plain() *scan.Result {
	return &scan.Result{Schema: scan.Schema, Tool: "zmy (devel)",
		Verdict: "Sites that marshal or unmarshal: 1, with 1 type. Without a profile it is not known what they cost.",
		Modules: []string{"example.org/shop"}, Found: scan.Found{Sites: 1, Types: 1, Packages: 1},
		Sites: []*scan.Site{{File: "a.go", Line: 3, Call: "json.Marshal(shop.Order)", Type: "example.org/shop.Order", Codec: "std-json",
			Format: "json", Direction: "marshal"}}}
}

// TestTable: the table at 80 and 140 columns. go test -update writes the files.
func TestTable(t *testing.T) {
	for name, c := range map[string]struct {
		r     *scan.Result
		width int
		all   bool
	}{"80.txt": {sample(), 80, false}, "140.txt": {sample(), 140, true}, "plain.txt": {plain(), 80, false}} {
		var b bytes.Buffer
		if err := show.Table(&b, c.r, report.TableOptions{Width: c.width, Dir: "scan", All: c.all}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > c.width && !strings.Contains(line, "curl ") {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
		if first, _, _ := strings.Cut(strings.ReplaceAll(b.String(), "\n  ", " "), "\n"); !strings.HasPrefix(first, c.r.Verdict) {
			t.Errorf("%s begins with %s", name, first)
		}
		if bytes.ContainsRune(b.Bytes(), '\x1b') {
			t.Errorf("%s has an escape sequence of a file's name", name)
		}
		golden(t, name, b.Bytes())
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// TestHTML: the page is one file that loads nothing, its script is allowed by hash, names are escaped.
func TestHTML(t *testing.T) {
	for _, r := range []*scan.Result{sample(), plain()} {
		var b bytes.Buffer
		if err := show.HTML(&b, r); err != nil {
			t.Fatal(err)
		}
		page := html.UnescapeString(b.String())
		for _, bad := range []string{"<b>", "not measured: <script>", " src=", "ZgotmplZ", "%!(", "\x1b"} {
			if strings.Contains(b.String(), bad) {
				t.Errorf("the page has %q", bad)
			}
		}
		for _, want := range []string{"script-src 'sha256-", "default-src 'none'", r.Verdict, "prefers-color-scheme: dark",
			"width=device-width", `id="next"`} {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %s", want)
			}
		}
		if n := strings.Count(b.String(), "<script>"); n != 1 {
			t.Errorf("%d scripts", n)
		}
	}
	var b bytes.Buffer
	if err := show.HTML(&b, sample()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"zmy adopt fxjson ./internal/store", "What to leave", "Flame graph", "k8s.io/apimachinery",
		"go build failed"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestJSON: the data can be read again.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := show.JSON(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var r scan.Result
	d := json.NewDecoder(bytes.NewReader(b.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := show.JSON(&again, &r); err != nil || again.String() != b.String() {
		t.Errorf("%v: other data after reading", err)
	}
}

// TestSARIF: the log has what SARIF 2.1.0 requires. Sections in brackets are of the standard.
func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := show.SARIF(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var log map[string]any
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	at := func(v any, path ...any) any {
		t.Helper()
		for _, p := range path {
			switch k := p.(type) {
			case string:
				m, ok := v.(map[string]any)
				if !ok || m[k] == nil {
					t.Fatalf("there is no %v in %v", path, v)
				}
				v = m[k]
			case int:
				l, ok := v.([]any)
				if !ok || len(l) <= k {
					t.Fatalf("there is no %v in %v", path, v)
				}
				v = l[k]
			}
		}
		return v
	}
	if at(log, "version") != "2.1.0" || at(log, "$schema") != "https://json.schemastore.org/sarif-2.1.0.json" { // [3.13.2, 3.13.3]
		t.Error("another version")
	}
	one := at(log, "runs", 0)
	if at(one, "tool", "driver", "name") != "zmy scan" { // [3.19.8]
		t.Error("the tool has no name")
	}
	rules := at(one, "tool", "driver", "rules").([]any)
	ids := map[any]bool{}
	for _, r := range rules {
		ids[at(r, "id")] = true
		if text := at(r, "shortDescription", "text").(string); text == "" || strings.HasSuffix(text, ".") {
			t.Errorf("description %q", text)
		}
		level(t, at(r, "defaultConfiguration", "level"))
	}
	if len(ids) != len(rules) { // [3.49.3]
		t.Error("two rules have one id")
	}
	results := at(one, "results").([]any)
	if len(results) != 2 {
		t.Fatalf("%d results, want those of the two sites where something is to be done", len(results))
	}
	for _, r := range results {
		index := int(at(r, "ruleIndex").(float64))
		if at(rules[index], "id") != at(r, "ruleId") { // [3.27.6]
			t.Error("ruleIndex is of another rule")
		}
		level(t, at(r, "level"))
		if at(r, "message", "text") == "" { // [3.11.7]
			t.Error("a result has no message")
		}
		if rank := at(r, "rank").(float64); rank < 0 || rank > 100 { // [3.27.25]
			t.Errorf("rank %v", rank)
		}
		place := at(r, "locations", 0, "physicalLocation")
		uri := at(place, "artifactLocation", "uri").(string)
		if strings.ContainsAny(uri, "\\ <\x1b") || strings.HasPrefix(uri, "/") { // [3.4.3]: a relative reference by RFC 3986
			t.Errorf("uri %q", uri)
		}
		if at(place, "region", "startLine").(float64) < 1 { // [3.30.5]
			t.Error("a line below 1")
		}
		if len(at(r, "partialFingerprints").(map[string]any)) == 0 {
			t.Error("no fingerprint")
		}
	}
	if at(results[1], "relatedLocations", 0, "message", "text") == "" || at(results[1], "relatedLocations", 0, "id") != 0.0 {
		t.Error("the wrapper's location has no message")
	}
	if uri := at(results[0], "locations", 0, "physicalLocation", "artifactLocation", "uri"); uri != "internal/store/decode.go" {
		t.Errorf("the largest saving is not first: %v", uri)
	}
}

func level(t *testing.T, v any) {
	t.Helper()
	if v != "none" && v != "note" && v != "warning" && v != "error" { // [3.27.10]
		t.Errorf("level %v", v)
	}
}

// TestFiles: a report is written as a whole.
func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "scan")
	if err := show.WriteDir(dir, sample()); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v: %v", entries, err)
	}
	if err := show.WriteFile(filepath.Join(dir, "none", "x.sarif"), sample(), show.SARIF); err == nil {
		t.Error("a file was written into a folder that is not there")
	}
}
