package protofamily

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/run"
)

// few is the experiment with few rows, sets and points.
type few struct{ *Experiment }

func (few) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	w := &bench{Bench: b, res: &Result{}}
	w.choose()
	keep := []string{base, row("deterministic"), row("wrapper")}
	w.names = slices.DeleteFunc(w.names, func(n string) bool { return !slices.Contains(keep, n) })
	w.res.Names = slices.DeleteFunc(w.res.Names, func(s *Spelling) bool { return !slices.Contains(keep, s.Codec) })
	err := w.yours(ctx)
	if err == nil {
		var kinds []set
		for _, s := range sets() {
			if s.about == aboutPresence && s.name == "string" || s.about == aboutMaps && s.name == "16" || s.about == aboutIntegers &&
				s.name == "56 bits" {
				kinds = append(kinds, s)
			}
		}
		err = w.synthetic(ctx, kinds, shapes()[:2])
	}
	return w.experiment(err)
}

// TestRun measures a small subject, too briefly for its times to mean anything: what was
// built, and how many bytes it writes, does not depend on them.
func TestRun(t *testing.T) {
	longtest.Only(t, "builds and measures many spellings of one schema")
	o := experimenttest.Options(t, 2*time.Second)
	o.Codecs = nil
	o.Table = slices.DeleteFunc(table.All(), func(i contender.Info) bool { return i.Name != run.Baseline && i.Family != family })
	_, x, err := experiment.Run(t.Context(), few{New()}, o, experimenttest.UI())
	if err != nil {
		t.Fatal(err)
	}
	experimenttest.Check(t, x)
	res := new(Result)
	if err := json.Unmarshal(x.Data, res); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(res.Codecs, []string{base}) || len(x.Absent) != 1 { // Msg has no map
		t.Errorf("codecs %q, absent %q", res.Codecs, x.Absent)
	}
	plain, wrapped := res.line(base, "encode", "fresh"), res.line(row("wrapper"), "encode", "fresh")
	if plain == nil || wrapped == nil || wrapped.Wire <= plain.Wire || res.line(base, "decode", "reused") == nil {
		t.Fatalf("own: %+v", res.Own)
	}
	for _, c := range []struct {
		about, name, codec string
		bytes              float64 // of a field, its tag included
	}{
		{aboutPresence, "string", base, 1 + 1 + 12},
		{aboutPresence, "string", row("wrapper"), 1 + 1 + 1 + 1 + 12},
		{aboutMaps, "16", base, 1 + 1 + 1 + 1 + 12 + 1 + 3}, // the entry, its key, its value of up to 20 bits
	} {
		l := res.at(c.about, c.name, c.codec, "encode")
		if l == nil {
			t.Fatalf("%s %s %s is missing: %+v", c.about, c.name, c.codec, res.Kinds)
		}
		if got := l.wireEach(); got > c.bytes || got < c.bytes-0.2 || c.about == aboutPresence && got != c.bytes {
			t.Errorf("%s %s %s: %g bytes, want %g", c.about, c.name, c.codec, got, c.bytes)
		}
		if l.CPU.N == 0 || l.CPU.Median <= 0 || l.Ratio.Median <= 0 {
			t.Errorf("%s %s %s: %+v, ratio %+v", c.about, c.name, c.codec, l.CPU, l.Ratio)
		}
	}
	if a, b := res.at(aboutMaps, "16", base, "encode"), res.at(aboutMaps, "16", row("deterministic"), "encode"); b == nil || a.Wire != b.Wire {
		t.Errorf("the order of keys changes sizes: %+v, %+v", a, b)
	}
	if res.at(aboutIntegers, "56 bits", row("wrapper"), "encode") != nil {
		t.Error("a set is measured on spellings that it is not about")
	}
	if c := res.curve(factorDepth, base, "decode"); len(c) != 2 || c[0].At != 1 || c[1].At != 3 || c[1].Wire <= 0 {
		t.Errorf("curve %+v", c)
	}
}
