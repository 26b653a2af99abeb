package synthetic

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

// Documents are bounded in number and size, and the same for the same seed.
func TestDraw(t *testing.T) {
	small, large := &Point{Depth: 2, Fields: 8, Times: 2, Format: Unix, Array: 3, Blob: 16},
		&Point{Depth: 1, Fields: 4, Array: 1, Blob: 1 << 20}
	d := Draw(small.Document, 1)
	if d.N != mostDocuments || bytes.Count(d.Text, []byte("\n")) != d.N {
		t.Errorf("%d documents on %d lines", d.N, bytes.Count(d.Text, []byte("\n")))
	}
	if again, other := Draw(small.Document, 1), Draw(small.Document, 2); !bytes.Equal(d.Text, again.Text) || bytes.Equal(d.Text, other.Text) {
		t.Error("seeds and documents do not go together")
	}
	if d := Draw(large.Document, 1); d.N < 2 || len(d.Text) > 2*mostText {
		t.Errorf("%d documents of %d bytes", d.N, len(d.Text))
	}
}

func TestSource(t *testing.T) {
	p := &Point{Depth: 2, Fields: 2, Times: 1, Format: Native}
	if got := source(p.Source("A")); !strings.HasPrefix(got,
		"package synthetic\n\nimport \"time\"\n\ntype A struct {\n\tF0 int64 `json:\"f0\"`\n") ||
		!strings.Contains(got, "\tIn AL2 `json:\"in\"`\n") {
		t.Error(got)
	}
	p.Format = Text
	if got := source(p.Source("A")); strings.Contains(got, "import") {
		t.Error(got)
	}
}

// Times by the anchor's do not know that the machine was twice as slow in some rounds.
func TestAgainst(t *testing.T) {
	var list, base []run.Sample
	for i := range 6 {
		slow := float64(1 + i%2)
		list, base = append(list, run.Sample{Launch: i / 3, Round: i % 3, CPU: 500 * slow}),
			append(base, run.Sample{Launch: i / 3, Round: i % 3, CPU: 100 * slow})
	}
	list = append(list, run.Sample{Launch: 9, CPU: 1}) // a round that the anchor missed
	if got := Against(list, base, 120); math.Abs(got.Median-600) > 1e-9 || got.N != 6 || got.Hi-got.Lo > 1e-9 {
		t.Errorf("got %+v", got)
	}
	for i := range list {
		if list[i].Launch == 1 { // programs of the second launch lie otherwise in memory
			list[i].CPU *= 1.2
		}
	}
	if got := Against(list, base, 120); got.Lo > 600 || got.Hi < 720 {
		t.Errorf("two launches that differ by a fifth give %+v", got)
	}
}
