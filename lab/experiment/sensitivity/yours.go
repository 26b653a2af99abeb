package sensitivity

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// yours compares the models with the user's own type: what they predict for messages of its shape,
// and what is measured.
type yours struct {
	subject string
	point   Point
	ns      map[*line]run.Estimate
}

// own measures the subject and computes its shape.
func (w *bench) own(ctx context.Context) (*yours, error) {
	w.UI.Doing("your own type, beside what the models say of it")
	built, err := w.Opened.Build(ctx, w.names)
	if err != nil {
		return nil, err
	}
	y := &yours{subject: w.Subject().Name, ns: map[*line]run.Estimate{}}
	b := w.On(w.Opened, built)
	if base := b.Contender(run.Baseline); base != nil {
		if y.point, err = w.shape(ctx, base); err != nil {
			return nil, err
		}
	}
	cells, err := b.Time(ctx, experiment.Rounds{Name: "your type", Budget: 2 * w.share, Rounds: 6,
		Cells: experiment.Fresh})
	for _, c := range cells {
		y.ns[w.result.line(c.Codec, c.Op)] = experiment.Estimate(experiment.CPU(c.Samples))
	}
	return y, err
}

// shape returns the mean shape of the subject's values, computed from their JSON. The type's
// declaration is not enough, because the models depend on the shape of messages, and values of one
// type differ: some have nil pointers or empty lists.
func (w *bench) shape(ctx context.Context, c *lab.Built) (Point, error) {
	p, err := w.Start(ctx, c.Worker, nil)
	if err != nil {
		return Point{}, err
	}
	defer p.Close()
	dump := c.Worker.Scratch("shape")
	if _, err := p.Do(ctx, worker.Request{Cmd: worker.CmdSizes, Dump: dump}, time.Minute); err != nil {
		return Point{}, err
	}
	messages, err := worker.ReadMessages(dump)
	if err != nil {
		return Point{}, err
	}
	var docs [][]byte
	for _, m := range messages {
		docs = append(docs, m.Data)
	}
	format := Text
	for _, t := range w.Subject().IR.Types {
		if t.Kind == ir.Time {
			format = Native
		}
	}
	return shapeOf(docs, format)
}

// counts are sums over documents.
type counts struct{ depth, fields, times, array, blob float64 }

// shapeOf returns the mean shape of documents.
func shapeOf(docs [][]byte, format Format) (Point, error) {
	if len(docs) == 0 {
		return Point{}, errors.New("no documents")
	}
	var c counts
	for _, d := range docs {
		dec := json.NewDecoder(bytes.NewReader(d))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			return Point{}, err
		}
		c.depth += float64(c.add(v))
	}
	mean := func(x float64) int { return int(math.Round(x / float64(len(docs)))) }
	p := Point{Depth: max(1, mean(c.depth)), Fields: mean(c.fields), Times: mean(c.times), Format: format, Array: max(1, mean(c.array)),
		Blob: max(16, mean(c.blob))}
	return p, nil
}

// leastBlob is the least length of a base64 string that counts as a field of bytes. Many short
// words are valid base64, too.
const leastBlob = 32

// add counts what v contains and returns the depth to which objects nest in it.
func (c *counts) add(v any) (depth int) {
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			depth = max(depth, c.add(x))
		}
		return depth + 1
	case []any:
		for _, x := range v {
			if _, number := x.(json.Number); number {
				c.array++
			} else {
				depth = max(depth, c.add(x))
			}
		}
		return depth
	case string:
		if _, err := time.Parse(time.RFC3339Nano, v); err == nil {
			c.times++
			return 0
		}
		if b, err := base64.StdEncoding.DecodeString(v); err == nil && len(v) >= leastBlob && !strings.Contains(v, " ") {
			c.blob += float64(len(b))
			return 0
		}
		c.fields++
	default:
		c.fields++
	}
	return 0
}

// compared is the time of the user's type in one codec and operation, measured and predicted.
type compared struct {
	*line
	measured  run.Estimate
	predicted float64 // ns
	err       error   // why there is no prediction
}

// compare returns the codecs and operations that were measured and have a model, with the
// predictions.
func (y *yours) compare(r *result) (out []compared) {
	for _, op := range experiment.Ops {
		for _, l := range r.of(op) {
			c := compared{line: l, measured: y.ns[l]}
			if c.measured.N == 0 || l.Model == nil {
				continue
			}
			if c.predicted, c.err = l.Model.Predict(y.point); c.err == nil && c.predicted <= 0 {
				c.err = errors.New("the model has no sensible answer")
			}
			out = append(out, c)
		}
	}
	return out
}

// table compares predicted and measured times.
func (y *yours) table(list []compared) run.Table {
	t := run.Table{Title: "Your own type",
		Note: fmt.Sprintf("%s as the models see it: %s, %d numbers in lists, %d bytes of blobs. Texts longer than 12 letters, maps and lists "+
			"of structs are not in the models, and what the two columns differ by is theirs, and the models' error.",
			y.subject, y.point.Text(), y.point.Array, y.point.Blob)}
	for _, c := range list {
		predicted, ratio := run.Num(c.predicted), run.Num(c.measured.Median/c.predicted)
		if c.err != nil {
			predicted, ratio = experiment.None(c.err.Error()), run.Text("–")
		}
		t.Add(run.Text(c.Codec).Under("codec", ""), run.Text(c.Op).Under("op", ""), run.Est(c.measured).Under("measured", run.UnitNS),
			predicted.Under("predicted", run.UnitNS), ratio.Under("measured ÷ predicted", run.UnitTimes))
	}
	return t
}

// finding says how well the models predict the user's type.
func (y *yours) finding(list []compared) string {
	if len(list) == 0 {
		return ""
	}
	if err := outside(&y.point); err != nil {
		return fmt.Sprintf("Nothing is predicted of %s: %v.", y.subject, err)
	}
	lo, hi := math.Inf(1), 0.0
	for _, c := range list {
		if c.err == nil {
			lo, hi = min(lo, c.measured.Median/c.predicted), max(hi, c.measured.Median/c.predicted)
		}
	}
	if hi == 0 {
		return ""
	}
	return fmt.Sprintf("%s itself takes %s to %s what the models say of its shape.", y.subject, quantity.Times(lo), quantity.Times(hi))
}
