package selftest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/inject"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
)

// bench is the state that all families share.
type bench struct {
	o      Options
	temp   *harness.Temp
	dir    string // folder of temp
	report string // folder of the report that the family bad wrote; "" before
	rows   []Row
	start  time.Time
	last   time.Time
	busy   func() string // what else keeps the machine busy, or ""
}

func newBench(o Options) (*bench, error) {
	if o.Doing == nil {
		o.Doing = func(string) {}
	}
	if o.Done == nil {
		o.Done = func(Row) {}
	}
	temp, err := harness.NewTemp("")
	if err != nil {
		return nil, err
	}
	return &bench{o: o, temp: temp, dir: temp.Dir, start: time.Now(), last: time.Now(), busy: busy}, nil
}

func (b *bench) close() error { return b.temp.Close() }

// folder creates a folder with files.
func (b *bench) folder(name string, files map[string]string) (string, error) {
	dir := filepath.Join(b.dir, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return dir, contender.Write(dir, files)
}

// quiet is a lab.UI that prints nothing.
type quiet struct{}

func (quiet) Doing(string)                                {}
func (quiet) Say(string)                                  {}
func (quiet) Note(string)                                 {}
func (quiet) First(*run.Contender, []*run.Cell)           {}
func (quiet) Rounds(string, time.Duration, time.Duration) {}

// baseline returns the table's entry of encoding/json.
func (b *bench) baseline() []contender.Info {
	return slices.DeleteFunc(slices.Clone(b.o.Table), func(i contender.Info) bool { return i.Name != run.Baseline })
}

// stand is an opened subject with built contenders.
type stand struct {
	*lab.Opened
	built map[string]*lab.Built
}

// open builds contenders on the subject of package inject. Each must be measurable.
func (b *bench) open(ctx context.Context, infos ...contender.Info) (*stand, error) {
	dir, err := b.folder("subject", inject.Subject())
	if err != nil {
		return nil, err
	}
	return b.openOn(ctx, lab.Options{Dir: dir, Package: ".", Type: inject.Type, Seed: 1, Values: 64}, infos...)
}

func (b *bench) openOn(ctx context.Context, o lab.Options, infos ...contender.Info) (*stand, error) {
	o.Table, o.Codecs = append(b.baseline(), infos...), []string{"all"}
	opened, err := lab.Open(ctx, o, quiet{})
	if err != nil {
		return nil, err
	}
	s := &stand{opened, map[string]*lab.Built{}}
	all, err := opened.Build(ctx, o.Codecs)
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	for _, c := range all {
		s.built[c.Name] = c
	}
	for _, c := range opened.Run().Contenders {
		if c.Status != run.StatusMeasured {
			return nil, errors.Join(errors.New(lab.Sentence(c)), opened.Close())
		}
	}
	return s, nil
}

// lane is a process of a built contender, with a name of its own.
type lane struct {
	name, codec string
	ops         []string
}

// time times lanes in interleaved rounds. It returns the cells by lane and op: "plain encode".
func (s *stand) time(ctx context.Context, cfg measure.Config, lanes ...lane) (map[string]*run.Cell, error) {
	var workers []measure.Worker
	for _, l := range lanes {
		ln, err := s.lane(ctx, l)
		if err != nil {
			return nil, err
		}
		defer ln.Close()
		workers = append(workers, ln)
	}
	cfg.Values, cfg.Timeout = s.Run().Subject.Values, time.Minute
	// Without these the plan would have fewer launches and rounds if the budget were short.
	cfg.MinLaunches, cfg.MinRounds = cfg.Launches, cfg.Rounds
	cells, had, err := measure.Measure(ctx, workers, cfg)
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case len(had.Dropped) > 0:
		return nil, fmt.Errorf("%s broke, %s: %w", had.Dropped[0].Name, had.Dropped[0].When, had.Dropped[0].Err)
	}
	out := map[string]*run.Cell{}
	for _, c := range cells {
		out[c.Codec+" "+c.Op] = c
	}
	return out, nil
}

func (s *stand) lane(ctx context.Context, l lane) (*lab.Lane, error) {
	c := s.built[l.codec]
	if c == nil {
		return nil, fmt.Errorf("there is no contender %s", l.codec)
	}
	named := *c.Contender
	named.Name = l.name
	var cells []measure.Cell
	for _, op := range l.ops {
		cells = append(cells, measure.Cell{Op: op, Mode: "fresh", Rank: true})
	}
	return s.Lane(ctx, &lab.Built{Contender: &named, Worker: c.Worker, Modes: c.Modes}, s.Values(), cells), nil
}
