package sensitivity

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/run"
)

// one is the experiment with a design of one type. It keeps what it measures of the subject.
type one struct {
	Experiment
	own *yours
}

func (o *one) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	w := &bench{Bench: b, names: codecs(b), result: &result{}}
	err := w.all(ctx, [][]Point{{{Depth: 3, Fields: 8, Times: 2, Format: Text, Array: 4, Blob: 64},
		{Depth: 3, Fields: 8, Times: 2, Format: Text, Array: 400, Blob: 64}}}, nil, 0)
	if err == nil {
		o.own, err = w.own(ctx)
	}
	return w.result.experiment(err)
}

// A synthetic type is built and timed by the harness that builds the user's, and where
// there is too little for a model none is made up.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	o := experimenttest.Options(t, time.Second)
	x := new(one)
	_, e, err := experiment.Run(t.Context(), x, o, experimenttest.UI())
	if err != nil {
		t.Fatal(err)
	}
	if p := x.own.point; p.Depth < 1 || p.Fields < 1 || len(x.own.ns) != 4 {
		t.Errorf("the subject: shape %+v, %d times", p, len(x.own.ns))
	}
	var data []struct {
		Codec, Op string
		Model     *Model
		Readings  []Reading
	}
	if err := json.Unmarshal(e.Data, &data); err != nil {
		t.Fatal(err)
	}
	if len(data) != 4 { // the baseline and gob, encode and decode
		t.Fatalf("%d entries: %+v", len(data), data)
	}
	for _, d := range data {
		if len(d.Readings) != 2 || d.Readings[0].Ns <= 0 || d.Readings[1].Ns <= 0 || d.Model != nil {
			t.Errorf("%s %s: %+v, model %v", d.Codec, d.Op, d.Readings, d.Model)
			continue
		}
		if d.Codec == run.Baseline && d.Readings[1].Ns < 1.5*d.Readings[0].Ns { // some ten times, on any machine
			t.Errorf("%s %s: a list of 400 takes %g ns, one of 4 %g", d.Codec, d.Op, d.Readings[1].Ns, d.Readings[0].Ns)
		}
	}
	if !strings.Contains(strings.Join(e.Warnings, "\n"), "no model: the points do not tell the factors apart") {
		t.Errorf("warnings: %q", e.Warnings)
	}
	if len(e.Findings) != 0 || len(e.Tables) != 0 {
		t.Errorf("findings %q, tables %+v", e.Findings, e.Tables)
	}
}

func TestShapeOf(t *testing.T) {
	blob := "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v" // 48 bytes
	docs := [][]byte{
		[]byte(`{"a":1,"b":"text","at":"2024-05-01T10:00:00Z","in":{"c":true,"in":{"d":null}},"list":[1,2,3],"blob":"` + blob +
			`","items":[{"x":1},{"x":2}]}`),
		[]byte(`{"a":1,"b":"text","at":"2024-05-01T10:00:00Z","in":{"c":true,"in":{"d":null}},"list":[1,2,3,4,5],"blob":"","items":[]}`),
	}
	got, err := shapeOf(docs, Native)
	want := Point{Depth: 3, Fields: 6, Times: 1, Format: Native, Array: 4, Blob: 24} // 6 and 5 fields, one of them the empty blob
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

// A type beyond what was tested gets no prediction, and the reason.
func TestYours(t *testing.T) {
	m, err := Fit(readings(1, 12, 0, linear))
	if err != nil {
		t.Fatal(err)
	}
	l := &line{Codec: "c", Op: "encode", Model: m}
	r := &result{lines: []*line{l}}
	in, out := Point{Depth: 2, Fields: 20, Array: 10, Blob: 100}, Point{Depth: 2, Fields: 900, Array: 10, Blob: 100}
	for p, want := range map[Point]string{in: "m.T itself takes 2 times to 2 times what the models say of its shape.",
		out: "Nothing is predicted of m.T: fields 900 lies outside of what was tested, 4 to 256."} {
		y := &yours{subject: "m.T", point: p, ns: map[*line]run.Estimate{l: {Median: 2 * linear(&p), N: 9}}}
		if got := y.finding(y.compare(r)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
