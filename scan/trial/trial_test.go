package trial

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/scan"
	"github.com/zmylab/zmy/scan/adopt"
	"github.com/zmylab/zmy/scan/internal/proftest"
	"github.com/zmylab/zmy/scan/predict"
)

const orderSource = `package order

import "encoding/json"

type Order struct {
	ID    string
	Items []string
}

func Read(b []byte) (o Order, err error) {
	return o, json.Unmarshal(b, &o)
}
`

const benchSource = `package order

import (
	"strings"
	"testing"
)

var doc = []byte("{\"ID\":\"A-7\",\"Items\":[\"tea\",\"cake\",\"milk\",\"honey\"]}")

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"one doc", "two"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if o, err := Read(doc); err != nil || o.ID != "A-7" {
					b.Fatal(o, err)
				}
			}
		})
	}
}

func BenchmarkOther(b *testing.B) {
	for b.Loop() {
		_ = strings.Repeat("x", 1000)
	}
}

func BenchmarkFails(b *testing.B) { b.Fatal("no luck today") }
`

const serverSource = `package main

import (
	"flag"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"

	"example.org/tiny/order"
)

func main() {
	addr := flag.String("addr", "", "where to listen")
	flag.Parse()
	http.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if _, err := order.Read(b); err != nil {
			http.Error(w, err.Error(), 400)
		}
	})
	if *addr == "" { // a job
		for range 1000 {
			_, _ = order.Read([]byte("{}"))
		}
		return
	}
	log.Fatal(http.ListenAndServe(*addr, nil))
}
`

// tiny is a module with a benchmark and a server, and its change to fxjson.
func tiny(t *testing.T) (*adopt.Result, adopt.Options) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.org/tiny\n\ngo 1.26.0\n", "order/order.go": orderSource,
		"order/order_test.go": benchSource, "server/main.go": serverSource} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	clone, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	o := adopt.Options{Dir: dir, Runtime: clone, NoTests: true}
	r, err := adopt.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Sites) != 1 || len(r.Types) != 1 {
		t.Fatalf("%d sites change, with code for %d packages", len(r.Sites), len(r.Types))
	}
	return r, o
}

// twice stands in for the lab: fxjson is twice as fast.
func twice(_ context.Context, o lab.Options, _ lab.UI) (*run.Run, error) {
	r := &run.Run{Subject: run.Subject{Values: 256, Source: "field names and types"}}
	for _, c := range append([]string{run.Baseline}, o.Codecs...) {
		r.Contenders = append(r.Contenders, &run.Contender{Name: c, Status: run.StatusMeasured})
		for _, op := range []string{"encode", "decode"} {
			cell := &run.Cell{Codec: c, Op: op, Mode: "fresh", Bytes: 100}
			for k := range 12 { // two launches of six rounds
				wall := 1000.0
				if c != run.Baseline {
					wall = 500 * []float64{0.95, 1 / 0.95, 0.9, 1 / 0.9, 1, 1}[(k/2+k%2)%6]
				}
				cell.Samples = append(cell.Samples, run.Sample{Launch: k % 2, Round: k / 2, N: 1, Wall: wall})
			}
			r.Cells = append(r.Cells, cell)
		}
	}
	return r, nil
}

// TestTrial runs benchmarks, a command that ends, and a server under a load, before and after a change.
func TestTrial(t *testing.T) {
	r, ro := tiny(t)
	try := func(o Options) (*Result, error) {
		o.Rounds, o.Time, o.Scan.Run = 6, 20*time.Millisecond, twice
		return Run(t.Context(), r, ro, o)
	}
	sound := func(x *Row) {
		t.Helper()
		if x.Error != "" || !(x.Before > 0 && x.After > 0 && x.Saved.Lo <= x.Saved.Point && x.Saved.Point <= x.Saved.Hi) {
			t.Errorf("%+v", x)
		}
	}

	out, err := Run(t.Context(), r, ro, Options{What: "Read|Other", Rounds: 8, Time: 400 * time.Millisecond, Scan: scan.Options{Run: twice}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range out.Rows {
		names = append(names, x.Name)
		sound(x)
		if x.Ops < 1000 || x.Predicted != nil || !strings.Contains(x.Why, "-rounds ") {
			t.Errorf("%+v", x)
		}
	}
	if want := []string{"BenchmarkRead/one_doc", "BenchmarkRead/two"}; !slices.Equal(names, want) {
		t.Errorf("measured %q, want %q", names, want)
	}
	if !slices.Equal(out.Outside, []string{"example.org/tiny/order BenchmarkOther"}) {
		t.Errorf("outside: %q", out.Outside)
	}
	var text strings.Builder
	if err := out.Text(&text); err != nil || !strings.Contains(text.String(), "order.BenchmarkRead/two") ||
		!strings.Contains(text.String(), "no prediction: the profiles of the runs before the change have") {
		t.Errorf("%v\n%s", err, &text)
	}

	out, err = try(Options{What: "./server", Args: []string{"-addr", ""}})
	if err != nil {
		t.Fatal(err)
	}
	sound(out.Rows[0])
	if !strings.Contains(out.Rows[0].Why, "{cpu}") {
		t.Errorf("without a profile: %+v", out.Rows[0])
	}

	if _, err := exec.LookPath("curl"); err != nil {
		t.Log("no curl: no load")
	} else if out, err = try(Options{What: "./server", Args: []string{"-addr", "127.0.0.1:48215"},
		CPU:  "http://127.0.0.1:48215/debug/pprof/profile?seconds=1",
		Load: `for i in 1 2 3 4 5 6 7 8; do curl -sf -d '{"ID":"A"}' http://127.0.0.1:48215/order || exit 3; done`}); err != nil {
		t.Fatal(err)
	} else if sound(out.Rows[0]); out.Rows[0].Why == "" {
		t.Errorf("a profile of a second in which the server idles: %+v", out.Rows[0])
	}

	for want, o := range map[string]Options{
		"no luck today":         {What: "Fails"},
		"no benchmark":          {What: "Nothing"},
		"is no command":         {What: "./order"},
		"names no address":      {What: "./server", Load: "true"},
		"are for commands":      {What: "Read", Args: []string{"-x"}},
		"fetch profiles from":   {What: "./server", CPU: "http://127.0.0.1:1"},
		"error parsing regexp":  {What: "("},
		"no required module":    {What: "example.org/tiny/missing"},
		"the command fails":     {What: "./server", Args: []string{"-wrong"}},
		"ended before its load": {What: "./server", Args: []string{"-wrong"}, Load: "curl http://127.0.0.1:48216"},
		"the load fails: oh no": {What: "./server", Args: []string{"-addr", "127.0.0.1:48217"}, Load: "echo 127.0.0.1:48217; echo oh no; exit 1"},
	} {
		out, err := try(o)
		text := ""
		if err != nil {
			text = err.Error()
		} else if len(out.Rows) == 1 {
			text = out.Rows[0].Error
		}
		if !strings.Contains(text, want) {
			t.Errorf("%+v: %q, want %q", o, text, want)
		}
	}
}

// TestForecast: the prediction is for the sites that change, by the profile that is given.
func TestForecast(t *testing.T) {
	r, ro := tiny(t)
	c, err := r.Copy(t.Context(), ro)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tr := &trial{o: Options{Doing: func(string) {}, What: "BenchmarkRead", Time: 20 * time.Millisecond}, r: r, copy: c,
		result: &Result{}, tmp: t.TempDir()}
	var asked []lab.Options
	tr.labs.base = func(ctx context.Context, o lab.Options, ui lab.UI) (*run.Run, error) {
		asked = append(asked, o)
		return twice(ctx, o, ui)
	}
	if err := tr.load(t.Context(), ro); err != nil || len(tr.code.Sites) != 1 {
		t.Fatal(err, tr.code)
	}
	var files []string
	for i := range 2 { // of two rounds
		name := filepath.Join(t.TempDir(), "cpu")
		read := "example.org/tiny/order.Read /x/order/order.go:11"
		if err := os.WriteFile(name, proftest.CPU(t, 10,
			proftest.Stack{N: 300 + int64(i)*200, Frames: []string{"encoding/json.Unmarshal /j.go:1", read}},
			proftest.Stack{N: 600, Frames: []string{"example.org/tiny/order.Other /x/order/order.go:20"}}), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	cpu, heap, err := merged(files, nil)
	if err != nil || heap != nil {
		t.Fatal(err)
	}
	if yes, known := tr.reaches(t.Context(), files, nil); !yes || !known {
		t.Error("the site is not reached")
	}
	for n, tells := range map[int64]bool{telling - 1: false, telling: true} {
		name := filepath.Join(t.TempDir(), "other")
		other := proftest.Stack{N: n, Frames: []string{"example.org/tiny/order.Other /x/order/order.go:20"}}
		if err := os.WriteFile(name, proftest.CPU(t, 10, other), 0o644); err != nil {
			t.Fatal(err)
		}
		if yes, known := tr.reaches(t.Context(), []string{name}, nil); yes || known != tells {
			t.Errorf("%d samples, none at the site: reached %v, known %v", n, yes, known)
		}
	}
	works, err := tr.benchmarks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	row := works[0].row()
	if err := tr.forecast(t.Context(), works[0], cpu, heap); err != nil || row.Predicted == nil || row.Values != "documents of the run" {
		t.Fatalf("%v: %+v", err, row)
	}
	if len(asked) != 1 {
		t.Fatalf("the lab was asked for %+v", asked)
	}
	docs, err := os.ReadFile(asked[0].Sample)
	want := `{"ID":"A-7","Items":["tea","cake","milk","honey"]}` + "\n"
	if n := strings.Count(string(docs), want); err != nil || n < 64 || n > 64+32*20 || len(docs) != n*len(want) {
		t.Errorf("%d recorded documents: %v\n%.300s", n, err, docs)
	}
	if want := 800. / 2000 / 2; math.Abs(row.Predicted.Point-want) > 1e-9 || row.Predicted.Lo >= want || row.Predicted.Hi <= want {
		t.Errorf("predicted %+v, want %v", row.Predicted, want)
	}
	if len(tr.result.Types) != 1 || tr.result.Types[0].Type != "Order" {
		t.Errorf("measured %+v", tr.result.Types)
	}
}

func TestVerdict(t *testing.T) {
	promise := &predict.Interval{Point: 0.2, Lo: 0.18, Hi: 0.22}
	for _, c := range []struct {
		saved predict.Interval
		of    *predict.Interval
		want  string
	}{
		{predict.Interval{Point: 0.21, Lo: 0.2, Hi: 0.23}, promise, "as predicted"},
		{predict.Interval{Point: 0.1, Lo: 0.05, Hi: 0.17}, promise, "less than predicted"},
		{predict.Interval{Point: 0.3, Lo: 0.23, Hi: 0.4}, promise, "more than predicted"},
		{predict.Interval{}, nil, "no prediction"},
	} {
		part := Row{Saved: c.saved, Predicted: c.of, Open: 0.3}
		inPart := strings.NewReplacer("as predicted", "predicted in part", "more than predicted", "predicted in part")
		if got, want := part.Verdict(), inPart.Replace(c.want); got != want {
			t.Errorf("%+v against %+v, and sites without a prediction: %s, want %s", c.saved, c.of, got, want)
		}
		if got := (&Row{Saved: c.saved, Predicted: c.of}).Verdict(); got != c.want {
			t.Errorf("%+v against %+v: %s, want %s", c.saved, c.of, got, c.want)
		}
	}
	var x Row
	x.Ops = 10
	x.measured([]float64{100, 200, 300}, []float64{50, 150, 300}, []float64{0.5, 0.25, 0})
	if x.Before != 20 || x.After != 15 || x.Saved != (predict.Interval{Point: 0.25, Lo: 0, Hi: 0.5}) {
		t.Errorf("%+v", x)
	}
}

// TestRecorder: each way through fxjson is recorded, once.
func TestRecorder(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	core, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir, tmp, docs := t.TempDir(), t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/recorded\n\ngo 1.25.0\n\nrequire github.com/zmylab/zmy v0.0.0\n\n" +
			"replace github.com/zmylab/zmy => " + core + "\n",
		"main.go": `package main

import (
	"io"
	"log"
	"strings"
	"testing/iotest"

	"github.com/zmylab/zmy/fxjson"
)

type D struct{ ID string }

func main() {
	_, a := fxjson.Marshal(D{"marshal"})
	_, b := fxjson.Append(nil, D{"append"})
	c := fxjson.NewEncoder(io.Discard).Encode(&D{"encode"})
	d := fxjson.Unmarshal([]byte(` + "`{\"ID\":\"unmarshal\"}`" + `), new(D))
	e := fxjson.NewDecoder(strings.NewReader(` + "`{\"ID\":\"decode\"}`" + `)).Decode(new(D))
	f := fxjson.NewDecoder(iotest.OneByteReader(strings.NewReader(` + "`{\"ID\":\"pieces\"}`" + `))).Decode(new(D))
	g := fxjson.NewDecoder(strings.NewReader(` + "`{\"ID\":\"target\"}`" + `)).Decode(&D{"old"})
	for _, err := range []error{a, b, c, d, e, f, g} {
		if err != nil {
			log.Fatal(err)
		}
	}
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := overlay(filepath.Join(core, "fxjson", "jsonrt"), tmp, docs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "-overlay", list, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var all string
	files, err := filepath.Glob(filepath.Join(docs, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	for _, id := range []string{"marshal", "append", "encode", "unmarshal", "decode", "pieces", "target"} {
		if n := strings.Count(all, `"`+id+`"`); n != 1 {
			t.Errorf("%s is recorded %d times", id, n)
		}
	}
}
