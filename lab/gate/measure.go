package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// old is the suffix of the names of the commit's lanes.
const old = "~before"

// build builds both sides and returns the codecs that both can measure.
func (x *Result) build(ctx context.Context, now, before *lab.Opened, names []string) ([]pair, error) {
	here, err := now.Build(ctx, names)
	if err != nil {
		return nil, err
	}
	there, err := before.Build(ctx, names)
	var base *lab.BaselineError
	if errors.As(err, &base) {
		return nil, lab.Usagef("at %s (%s) the package cannot be measured: %v", x.Ref, x.Commit, base)
	}
	if err != nil {
		return nil, err
	}
	x.differ()
	x.asked = names
	pairs := x.pair(here, there)
	if len(pairs) == 0 {
		return nil, lab.ErrNothing
	}
	return pairs, nil
}

// measure runs the rounds.
func (x *Result) measure(ctx context.Context, now, before *lab.Opened, pairs []pair) error {
	var all []measure.Worker
	for _, ln := range lanes(ctx, now, before, pairs) {
		defer ln.Close()
		all = append(all, ln)
	}
	cells, had, err := measure.Measure(ctx, all, now.Schedule())
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	for _, d := range had.Dropped {
		x.dropped(d)
		cells = slices.DeleteFunc(cells, func(c *run.Cell) bool { return c.Codec == d.Name })
	}
	x.Launches, x.Rounds = had.Launches, had.PerLaunch
	x.Warnings = append(x.Warnings, had.Warnings...)
	x.judge(cells, now.Options().Seed)
	return nil
}

// pair is a codec that both sides can measure.
type pair struct {
	now, before *lab.Built
	cells       []measure.Cell
}

// pair matches the codecs of both sides, and records why the others have no match.
func (x *Result) pair(here, there []*lab.Built) []pair {
	named := func(all []*lab.Built, name string) *lab.Built {
		i := slices.IndexFunc(all, func(b *lab.Built) bool { return b.Name == name })
		if i < 0 {
			return nil
		}
		return all[i]
	}
	var out []pair
	for _, c := range x.Now.Contenders {
		n, b := named(here, c.Name), named(there, c.Name)
		was := stats.Contender(x.Before, c.Name)
		switch {
		case n == nil && b != nil:
			x.Broken = append(x.Broken, fmt.Sprintf("%s was measured at %s and cannot be now: %s", c.Name, x.Ref, lab.Sentence(c)))
		case n == nil:
			x.Apart = append(x.Apart, lab.Sentence(c))
		case b == nil && was != nil:
			x.alone(c.Name, lab.Sentence(was))
		case b == nil:
			x.alone(c.Name, c.Name+" is not there")
		default:
			x.Broken = append(x.Broken, worse(was, c)...)
			out = append(out, pair{n, b, x.shared(n, b)})
		}
	}
	return out
}

// alone records a codec that the commit's side could not measure, and why. If the user asked for
// this codec, it goes to x.Unmatched, since the gate did not check it.
func (x *Result) alone(name, why string) {
	why = fmt.Sprintf("at %s: %s", x.Ref, why)
	if slices.Contains(x.asked, name) {
		x.Unmatched = append(x.Unmatched, fmt.Sprintf("%s has nothing to be compared with; leave it out, or take a later -baseline "+
			"(%s)", name, why))
		return
	}
	x.Apart = append(x.Apart, why)
}

// shared returns the cells that both sides have: encode and decode in mode fresh, and all modes of
// access if both sides access the same leaf.
func (x *Result) shared(n, b *lab.Built) []measure.Cell {
	var out []measure.Cell
	for _, m := range n.Modes {
		has := slices.ContainsFunc(b.Modes, func(o worker.Mode) bool { return o.Op == m.Op && o.Mode == m.Mode })
		access := m.Op == "access" && x.Now.Subject.Access == x.Before.Subject.Access
		if has && (m.Mode == stats.Fresh || access) {
			out = append(out, measure.Cell{Op: m.Op, Mode: m.Mode, Rank: true})
		}
	}
	return out
}

// worse lists the grades of a codec that are lower now than at the commit.
func worse(was, is *run.Contender) (out []string) {
	rank := map[string]int{run.Kept: 4, run.Broken: 0, run.Lossless: 4, run.Normalised: 3, run.Ordinary: 2, run.Lossy: 1, run.Fails: 0}
	for _, g := range []struct {
		what    string
		was, is run.Grade
	}{{"contract", was.Contract, is.Contract}, {"values", was.Value, is.Value}} {
		if g.was.Grade == "" || g.is.Grade == "" || rank[g.is.Grade] >= rank[g.was.Grade] {
			continue
		}
		text := fmt.Sprintf("%s: %s %s before, %s now", is.Name, g.what, g.was.Text(), g.is.Text())
		if len(g.is.Diffs) > 0 {
			d := g.is.Diffs[0]
			text += fmt.Sprintf(": %s, %s → %s", d.Path, d.Before, d.After)
		}
		out = append(out, text)
	}
	return out
}

// lanes makes two lanes for each pair, and one for the baseline's twin.
func lanes(ctx context.Context, now, before *lab.Opened, pairs []pair) (out []*lab.Lane) {
	add := func(o *lab.Opened, b *lab.Built, name string, cells []measure.Cell) {
		named := *b.Contender
		named.Name = name
		out = append(out, o.Lane(ctx, &lab.Built{Contender: &named, Worker: b.Worker, Modes: b.Modes}, o.Values(), cells))
	}
	n := 2*len(pairs) + 1
	for _, p := range pairs {
		p.now.Worker.Share(n)
		p.before.Worker.Share(n)
		add(now, p.now, p.now.Name, p.cells)
		add(before, p.before, p.now.Name+old, p.cells)
		if p.now.Name == run.Baseline {
			fresh := slices.DeleteFunc(slices.Clone(p.cells), func(c measure.Cell) bool { return c.Mode != stats.Fresh })
			add(now, p.now, run.Twin, fresh)
		}
	}
	return out
}
