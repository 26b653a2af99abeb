package layout

import (
	"context"
	_ "embed"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

//go:embed adapter/adapter.go
var adapter []byte

// The three programs: the type as declared; a second process of the same program, which shows the
// noise; and the type with the new order.
const (
	declared  = "layout-declared"
	twin      = declared + "~twin"
	reordered = "layout-reordered"
)

// ops are the timed operations; each goes over the whole list.
var ops = []struct{ mode, text string }{
	{"walk", "reading every field of"},
	{"copy", "copying"},
	{"encode", "encoding (encoding/json)"},
}

// listLength has the value of the adapter's constant length.
const listLength = 10_000

// effect is what the new order changes for one operation.
type effect struct {
	mode, text string
	now, then  run.Estimate // ns per value
	ratio      stats.Result // time as declared ÷ time reordered
	noise      stats.Result // time as declared ÷ time of the twin
	verdict    string
}

// measure builds the programs and times them in interleaved rounds.
func (r *result) measure(ctx context.Context, b *experiment.Bench, u *user, moved []*Struct) error {
	replace, err := u.rewrite(moved, r.literals)
	if err != nil {
		return err
	}
	b.UI.Doing("building the program as declared and reordered")
	now, then, err := u.build(ctx, b, replace)
	if err != nil {
		return err
	}
	built := func(name string, w *harness.Worker) *lab.Built {
		return &lab.Built{Contender: &run.Contender{Name: name}, Worker: w}
	}
	var loops []measure.Cell
	for _, op := range ops {
		loops = append(loops, measure.Cell{Op: "encode", Mode: op.mode})
	}
	// N is 1, since each call goes over the whole list, whatever value it is given.
	cells, err := b.On(b.Opened, []*lab.Built{built(declared, now), built(reordered, then), built(twin, now)}).Time(ctx, experiment.Rounds{
		Name: "layout", N: 1, Budget: b.Budget(), Rounds: 12, Cells: func(*lab.Built) []measure.Cell { return loops }})
	r.judge(cells, b.Options().Seed)
	return err
}

// judge compares the programs, operation by operation.
func (r *result) judge(cells []*run.Cell, seed uint64) {
	find := func(codec, mode string) []run.Sample {
		c := experiment.First(cells, func(c *run.Cell) bool { return c.Codec == codec && c.Mode == mode })
		if c == nil {
			return nil
		}
		return c.Samples
	}
	var twins []stats.Result
	for _, op := range ops {
		base, again := find(declared, op.mode), find(twin, op.mode)
		if len(base) == 0 || len(again) == 0 || len(find(reordered, op.mode)) == 0 {
			continue // a program broke, which a warning says
		}
		twins = append(twins, stats.Ratio(base, again, "cpu", seed))
		r.measured = append(r.measured, effect{mode: op.mode, text: op.text, now: perValue(base),
			then: perValue(find(reordered, op.mode)), noise: twins[len(twins)-1]})
	}
	var p []float64
	for i := range r.measured {
		e := &r.measured[i]
		e.ratio = stats.RatioBy(twins, find(declared, e.mode), find(reordered, e.mode), "cpu", seed)
		p = append(p, e.ratio.P)
	}
	for i, q := range stats.Holm(p) {
		e := &r.measured[i]
		floor := max(e.noise.Point, 1/e.noise.Point, e.noise.Hi, 1/e.noise.Lo) - 1
		e.verdict, _ = stats.Judge(e.ratio, q, floor)
		r.floor = max(r.floor, floor)
	}
}

func perValue(samples []run.Sample) run.Estimate {
	var ns []float64
	for _, s := range samples {
		ns = append(ns, s.CPU/listLength)
	}
	return experiment.Estimate(ns)
}

// rewrite returns the user's files with the new orders of fields. It adds field names to literals
// without them, so that these keep their meaning.
func (u *user) rewrite(moved []*Struct, literals []Literal) (map[string][]byte, error) {
	out := map[string][]byte{}
	read := func(name string) ([]byte, error) {
		if src := out[name]; src != nil {
			return src, nil
		}
		return os.ReadFile(name)
	}
	fields := map[string][]string{}
	for _, s := range moved {
		for _, f := range s.Type.Fields {
			fields[s.Type.Name.Name] = append(fields[s.Type.Name.Name], f.Name)
		}
	}
	for _, l := range literals {
		if out[l.path] != nil || strings.HasSuffix(l.path, "_test.go") || slices.Contains(u.s.CodecFiles, l.path) {
			continue
		}
		src, err := read(l.path)
		if err != nil {
			return nil, err
		}
		out[l.path] = Key(l.path, src, fields)
	}
	for _, s := range moved {
		name := u.place(s.Type).file
		src, err := read(name)
		if err != nil {
			return nil, err
		}
		file, decl, err := Reorder(name, src, s.Type.Name.Name, s.Order)
		if err != nil {
			return nil, err
		}
		s.decl = string(decl)
		out[name] = file
	}
	return out, nil
}

// build builds both workers. It leaves out the committed code of codec generators, which depends on
// the order of the fields, unless the package does not compile without that code.
func (u *user) build(ctx context.Context, b *experiment.Bench, replace map[string][]byte) (now, then *harness.Worker, err error) {
	hide := map[string][]byte{}
	for _, name := range u.s.CodecFiles {
		hide[name] = nil
	}
	program := func(name string, files ...map[string][]byte) (*harness.Worker, error) {
		all := map[string][]byte{}
		for _, m := range files {
			maps.Copy(all, m)
		}
		return b.Space().Build(ctx, contender.Info{Name: name, Family: "json",
			Generate: func(context.Context, *contender.Target, contender.Tools) (*contender.Sources, error) {
				return &contender.Sources{
					Module:  map[string][]byte{"adapter/adapter.go": adapter},
					Package: map[string][]byte{"zz_walk.go": walkSource(u.s.Pkg.Name, u.s.Pkg.Path, u.s.Root)},
					Imports: []string{contender.Import},
					Main:    "zzadapter.New(zzWalk)",
					Replace: all,
				}, nil
			}}, b.Target())
	}
	if now, err = program(declared, hide); err != nil { // the package may not compile without the generated code
		hide = nil
		now, err = program(declared)
	}
	if err != nil {
		return nil, nil, err
	}
	then, err = program(reordered, hide, replace)
	return now, then, err
}

// save writes the declarations in their new order to a file in dir.
func (r *result) save(dir string) error {
	var text []string
	for _, s := range r.Structs {
		if s.decl != "" {
			text = append(text, s.decl)
		}
	}
	if dir == "" || len(text) == 0 {
		return nil
	}
	slices.Sort(text)
	r.saved = filepath.Join(dir, report.FileLayout) // not .go, since the folder may lie in the user's module
	return os.WriteFile(r.saved, []byte(strings.Join(text, "\n\n")+"\n"), 0o644)
}
