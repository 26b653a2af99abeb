// Package synthetic measures types that an experiment has written, with the harness that measures
// the user's types. Each type of a package is built for some codecs, and timed on one set of values
// after another. The values are drawn as JSON documents.
//
// NOTE, the map: synthetic.go builds and times, shape.go has types of a given depth, number of
// fields and size. An anchor is timed in the same rounds as each set of values; it cancels changes
// of the machine's speed.
package synthetic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// Package is a package of synthetic types, used by an experiment.
type Package struct {
	*experiment.Bench
	dir    string
	anchor *anchor  // nil before the first type
	left   []string // codecs that could not carry some type
}

// New writes a package with the given declarations of types.
func New(b *experiment.Bench, types string) (*Package, error) {
	p := &Package{Bench: b, dir: b.Space().Folder("synthetic")} // removed with the run's own folder
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"go.mod": "module zmylab.invalid/synthetic\n\ngo 1.24\n", "types.go": source(types)} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func source(types string) string {
	head := "package synthetic\n\n"
	if strings.Contains(types, "time.Time") {
		head += "import \"time\"\n\n"
	}
	return head + types
}

// Close removes the programs of all types.
func (p *Package) Close() {
	if p.anchor != nil {
		_ = p.anchor.opened.Close() // a temporary folder; if this fails, the next run removes it
	}
}

// Documents holds N values as JSON, one per line.
type Documents struct {
	Text []byte
	N    int
}

// The limits of one set of documents: their number, and their bytes.
const (
	mostDocuments = 64
	mostText      = 4 << 20
)

// Draw draws documents, at least two, so that a codec does not always meet the same one. The same
// seed gives the same documents.
func Draw(draw func(*rand.Rand) []byte, seed uint64) Documents {
	r := rand.New(rand.NewPCG(seed, 0x73656e73)) // "sens"
	var b bytes.Buffer
	n := 0
	for n < mostDocuments && (n < 2 || b.Len() < mostText) {
		b.Write(draw(r))
		b.WriteByte('\n')
		n++
	}
	return Documents{b.Bytes(), n}
}

// Type is a type of the package, built for some codecs.
type Type struct {
	Built  []*lab.Built
	pkg    *Package
	name   string
	opened *lab.Opened
	values worker.Request
	sets   int
}

// Open builds a type for the named codecs of a table. The codecs are judged on the first documents.
func (p *Package) Open(ctx context.Context, name string, table []contender.Info, codecs []string, first Documents) (*Type, error) {
	o, t := p.Options(), &Type{pkg: p, name: name}
	sample, err := t.write(first)
	if err != nil {
		return nil, err
	}
	// GOWORK=off, since a workspace of the user's does not have this module.
	t.opened, err = lab.Open(ctx, lab.Options{Package: p.dir, Type: name, Seed: o.Seed, Values: first.N, Sample: sample, Budget: o.Budget,
		Table: table, Version: o.Version,
		Runtime: o.Runtime, CPUs: o.CPUs, Limits: o.Limits, Env: append(o.Env[:len(o.Env):len(o.Env)], "GOWORK=off"), Depth: o.Depth,
		Cap: o.Cap}, experiment.Silent{})
	if err != nil {
		return nil, err
	}
	if t.Built, err = t.opened.Build(ctx, codecs); err != nil {
		return nil, errors.Join(err, t.opened.Close())
	}
	for _, c := range t.opened.Run().Contenders {
		if c.Status != run.StatusMeasured && !slices.Contains(p.left, c.Name) {
			p.left = append(p.left, c.Name)
			p.Warn("not on all synthetic types: %s", lab.Sentence(c))
		}
	}
	t.values = t.opened.Values()
	if p.anchor == nil {
		p.anchor = &anchor{opened: t.opened, values: t.values,
			built: &lab.Built{Contender: &run.Contender{Name: anchorName}, Worker: t.Built[0].Worker}}
	}
	return t, nil
}

// write saves documents in a file that workers read.
func (t *Type) write(d Documents) (string, error) {
	name := filepath.Join(t.pkg.dir, fmt.Sprintf("%s-%d.ndjson", t.name, t.sets))
	t.sets++
	return name, os.WriteFile(name, d.Text, 0o644)
}

// Close removes the type's programs, except those of the first type, which the anchor uses.
func (t *Type) Close() {
	if t.opened != t.pkg.anchor.opened {
		_ = t.opened.Close() // a temporary folder; if this fails, the next run removes it
	}
}

// Reading is what one codec takes for one operation on one set of values.
type Reading struct {
	Codec, Op, Mode string
	NS              run.Estimate // CPU time in ns, corrected by the anchor's
	Wire            float64      // mean bytes of a message
	Samples         []run.Sample // as taken, launch by launch and round by round
}

// Time times cells of the codecs, and the anchor, in interleaved rounds.
func (t *Type) Time(ctx context.Context, d Documents, budget time.Duration, cells func(*lab.Built) []measure.Cell) ([]Reading, error) {
	q, p := t.values, t.pkg
	sample, err := t.write(d)
	if err != nil {
		return nil, err
	}
	q.N, q.Sample = d.N, sample
	mark := p.anchor.opened.Lane(ctx, p.anchor.built, p.anchor.values, []measure.Cell{{Op: "encode", Mode: "fresh"}})
	defer mark.Close()
	found, err := p.On(t.opened, t.Built).Time(ctx, experiment.Rounds{Name: "a synthetic type", Values: &q, N: q.N, Budget: budget,
		Rounds: 6, Cells: cells, Beside: mark})
	base := experiment.First(found, func(c *run.Cell) bool { return c.Codec == anchorName })
	if base == nil {
		return nil, err
	}
	if p.anchor.ns == 0 {
		p.anchor.ns = experiment.Estimate(experiment.CPU(base.Samples)).Median
	}
	var out []Reading
	for _, c := range found {
		if ns := Against(c.Samples, base.Samples, p.anchor.ns); c != base && ns.N > 0 {
			out = append(out, Reading{c.Codec, c.Op, c.Mode, ns, c.Wire, c.Samples})
		}
	}
	return out, err
}

// anchor is the program that is timed together with every set of values: the baseline on the first
// type. The machine's speed changes between two sets. So the time of a set is taken relative to the
// anchor's time in the same rounds, and converted to nanoseconds by the anchor's first time.
type anchor struct {
	opened *lab.Opened
	built  *lab.Built
	values worker.Request
	ns     float64 // the anchor's first time; 0 before the first rounds
}

const anchorName = "anchor"

// Against estimates the CPU time of the samples in list, relative to the samples of base in the
// same rounds. Each sample of base counts as ns nanoseconds. Launches are clusters of rounds. With
// ns = 1 the result is the ratio of list to base.
func Against(list, base []run.Sample, ns float64) run.Estimate {
	x := stats.Ratio(list, base, "cpu", 1)
	return run.Estimate{Median: ns * x.Point, Lo: ns * x.Lo, Hi: ns * x.Hi, N: x.N}
}
