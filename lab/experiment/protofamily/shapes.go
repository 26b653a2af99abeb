package protofamily

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/synthetic"
	"github.com/zmylab/zmy/lab/run"
)

// shape is one message of the curves; the types are those of `zmy lab sensitivity`. One type has a
// field for each shape, and a set of values fills one of these fields, so each codec needs only one
// program.
type shape struct {
	factor string
	at     float64 // the factor's value
	name   string  // name of the shape's field
	point  synthetic.Point
}

// Factors of the curves.
const (
	factorDepth  = "depth"
	factorFields = "fields"
	factorBlob   = "blob"
)

var factors = []string{factorDepth, factorFields, factorBlob}

// least returns a message of the curves: it has the given factors and is otherwise as small as
// possible.
func least(depth, fields, blob int) synthetic.Point {
	return synthetic.Point{Depth: depth, Fields: fields, Format: synthetic.Native, Array: 1, Blob: blob}
}

func shapes() []shape {
	var out []shape
	for _, d := range []int{1, 3, 6, 10, 16} {
		out = append(out, shape{factorDepth, float64(d), fmt.Sprintf("D%d", d), least(d, 32, 16)})
	}
	for _, f := range []int{8, 32, 128, 256} {
		name := fmt.Sprintf("N%d", f)
		if f == 32 {
			name = "D1"
		}
		out = append(out, shape{factorFields, float64(f), name, least(1, f, 16)})
	}
	for _, b := range []int{16, 1 << 10, 16 << 10, 128 << 10, 1 << 20} {
		out = append(out, shape{factorBlob, float64(b), "D1", least(1, 32, b)})
	}
	return out
}

func shapesSource() string {
	var b, root strings.Builder
	seen := map[string]bool{}
	for _, s := range shapes() {
		if !seen[s.name] {
			seen[s.name] = true
			b.WriteString(s.point.Source(s.name))
			fmt.Fprintf(&root, "\t%s *%[1]s `json:\"%s\"`\n", s.name, strings.ToLower(s.name))
		}
	}
	return b.String() + "type Shapes struct {\n" + root.String() + "}\n"
}

func (s *shape) document(r *rand.Rand) []byte {
	return []byte(fmt.Sprintf(`{"%s":%s}`, strings.ToLower(s.name), s.point.Document(r)))
}

// Shape is what one codec takes for one message of a curve.
type Shape struct {
	Factor string       `json:"factor"`
	At     float64      `json:"at"`
	Codec  string       `json:"codec"`
	Op     string       `json:"op"`
	CPU    run.Estimate `json:"cpu"` // ns
	Wire   float64      `json:"wire"`
}

// shapes times the curves, with one program for each codec. A point that two curves share is timed
// once.
func (w *bench) shapes(ctx context.Context, p *synthetic.Package, list []shape) error {
	w.UI.Doing("depth, fields, blobs: a program for each codec")
	t, err := p.Open(ctx, "Shapes", w.table, w.res.Codecs, synthetic.Draw(list[0].document, w.Options().Seed))
	if err != nil {
		return err
	}
	defer t.Close()
	share := part(w.Budget(), (1-ownShare-kindsShare)/float64(len(list)))
	known := map[synthetic.Point][]synthetic.Reading{}
	for i, s := range list {
		found, ok := known[s.point]
		if !ok {
			w.UI.Doing(fmt.Sprintf("depth, fields, blobs, %d of %d: %s %g", i+1, len(list), s.factor, s.at))
			if found, err = t.Time(ctx, synthetic.Draw(s.document, w.Options().Seed+uint64(i)), share, experiment.Fresh); err != nil {
				return err
			}
			known[s.point] = found
		}
		for _, x := range found {
			if x.Codec != run.Baseline {
				w.res.Shapes = append(w.res.Shapes, Shape{s.factor, s.at, x.Codec, x.Op, x.NS, x.Wire})
			}
		}
	}
	return nil
}

// curve returns the points of one factor, codec and operation, in order.
func (r *Result) curve(factor, codec, op string) []Shape {
	var out []Shape
	for _, s := range r.Shapes {
		if s.Factor == factor && s.Codec == codec && s.Op == op {
			out = append(out, s)
		}
	}
	return out
}

// more returns what one more unit of a factor costs, as the mean over its curve. The unit is a
// level, a field, or a KiB of a blob.
func (r *Result) more(factor, codec, op string) (e run.Estimate, ok bool) {
	c := r.curve(factor, codec, op)
	if len(c) < 2 {
		return e, false
	}
	a, z := c[0], c[len(c)-1]
	n := z.At - a.At
	if factor == factorBlob {
		n /= 1 << 10
	}
	return experiment.Slope(a.CPU, z.CPU, n), true
}

// growthTable shows what one more unit of each factor costs.
func (r *Result) growthTable() run.Table {
	t := run.Table{Title: "What one more takes", Note: "From one end of each curve to the other: " + shapesNote}
	names := map[string]string{factorDepth: "a level", factorFields: "a field", factorBlob: "a KiB of a blob"}
	for _, op := range experiment.Ops {
		for _, codec := range r.Codecs {
			row, any := []run.Figure{run.Text(codec).Under("codec", ""), run.Text(op).Under("op", "")}, false
			for _, f := range factors {
				more := run.Text("–")
				if e, ok := r.more(f, codec, op); ok {
					more, any = experiment.UnlessZero(e), true
				}
				row = append(row, more.Under(names[f], run.UnitNS))
			}
			if any {
				t.Add(row...)
			}
		}
	}
	return t
}

const shapesNote = "levels 1 to 16 with 32 scalar fields in all, 8 to 256 fields in one message, a blob of 16 bytes to 1 MiB beside 32 " +
	"fields. The types are those of zmy lab sensitivity, which fits a model to more of them."
