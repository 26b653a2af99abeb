package stores

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/worker"
)

// points returns the points of one store, before any visit.
func (m *measuring) points(kind string) (out []*Point) {
	for _, a := range m.res.Alone {
		for _, r := range m.e.Rates {
			out = append(out, &Point{Store: kind, Codec: a.Codec, Rate: r})
		}
	}
	return out
}

// launches is the number of times that a store is climbed. Each time has new processes. Starting
// them and filling the store are not part of the load.
func (m *measuring) launches() int {
	switch m.b.Depth {
	case lab.Standard:
		return 5
	case lab.Paper:
		return 7
	}
	if m.e.For == 0 && m.unit(5) >= leastVisit {
		return 5
	}
	return leastLaunches
}

// leastVisit is the shortest duration of a visit.
const leastVisit = 200 * time.Millisecond

// weight returns how many times as long as the highest rate a rate is visited. Lower rates are
// visited for longer, since they make fewer requests in the same time.
func (m *measuring) weight(rate float64) float64 {
	return math.Pow(m.e.Rates[len(m.e.Rates)-1]/rate, 0.4)
}

// visit returns the duration of one visit to a rate.
func (m *measuring) visit(rate float64) time.Duration {
	if m.e.For > 0 {
		return m.e.For
	}
	return min(max(time.Duration(m.weight(rate)*float64(m.unit(m.launches()))), leastVisit), time.Minute)
}

// unit returns how long a visit to the highest rate may last with so many launches.
func (m *measuring) unit(launches int) time.Duration {
	all := 0.0
	for _, r := range m.e.Rates {
		all += m.weight(r)
	}
	return time.Duration(0.8 * float64(m.budget) / float64(len(m.e.Kinds)*launches*len(m.res.Alone)) / all)
}

// lost is the error for a store that no longer answers.
type lost struct {
	place *Place
	when  string
	err   error
}

func (e *lost) Error() string { return fmt.Sprintf("%s is lost %s: %v", e.place.name(), e.when, e.err) }

// climb visits the rates from the lowest to the highest, at each rate one codec after the other. It
// does so once for each launch. A codec stops climbing when requests come faster than they are
// answered.
func (m *measuring) climb(ctx context.Context, p *Place, points []*Point) error {
	order := m.b.Rand("stores " + p.Kind)
	top := map[string]int{} // index of the highest rate to visit, by codec
	for _, a := range m.res.Alone {
		top[a.Codec] = len(m.e.Rates) - 1
	}
	for l := range m.launches() {
		running, err := m.fillAll(ctx, p)
		for i := range m.e.Rates {
			if err != nil {
				break
			}
			for _, k := range order.Perm(len(m.res.Alone)) {
				x := points[k*len(m.e.Rates)+i]
				proc := running[x.Codec]
				if proc != nil && i > top[x.Codec] {
					x.Missed++
				}
				if proc == nil || i > top[x.Codec] {
					continue
				}
				m.progress("%s, launch %d of %d, %s requests a second, %s", p.name(), l+1, m.launches(), quantity.Count(x.Rate), x.Codec)
				if err = m.load(ctx, p, proc, x, l); err != nil {
					break
				}
				if m.broken[x.Codec] {
					proc.Close()
					delete(running, x.Codec)
				} else if x.full() {
					top[x.Codec] = i
				}
			}
		}
		for _, proc := range running {
			proc.Close()
		}
		if err != nil {
			return err
		}
	}
	if len(m.broken) == len(m.res.Alone) {
		return fmt.Errorf("%s: no codec could be measured", p.name())
	}
	return nil
}

// fillAll starts a process for each codec and has it fill the store.
func (m *measuring) fillAll(ctx context.Context, p *Place) (map[string]*experiment.Process, error) {
	running := map[string]*experiment.Process{}
	for _, c := range m.b.Contenders {
		if m.broken[c.Name] || !slices.ContainsFunc(m.res.Alone, func(a *Alone) bool { return a.Codec == c.Name }) {
			continue
		}
		m.progress("%s is filled by %s", p.name(), c.Name)
		proc, err := m.b.Start(ctx, c.Worker, nil)
		var s *worker.Shelf
		if err == nil {
			running[c.Name] = proc
			s, err = experiment.Ask[worker.Shelf](ctx, proc, worker.CmdStoreFill, m.at(p, c.Name), time.Minute)
		}
		if err != nil {
			if err := m.failed(ctx, p, c.Name, "while it was filled", err); err != nil {
				return running, err
			}
			if proc != nil {
				proc.Close()
				delete(running, c.Name)
			}
			continue
		}
		p.About = s.About
		if p.Shelves[c.Name] == nil {
			p.Shelves[c.Name] = s
		}
	}
	return running, ctx.Err()
}

// load visits a point once.
func (m *measuring) load(ctx context.Context, p *Place, proc *experiment.Process, x *Point, launch int) error {
	visit := m.visit(x.Rate)
	got, err := experiment.Ask[worker.Stored](ctx, proc, worker.CmdStoreLoad, worker.StoreLoop{At: m.at(p, x.Codec),
		Schedule: openloop.Schedule{Rate: x.Rate, For: visit, Seed: m.b.Options().Seed + uint64(launch)<<32 +
			uint64(x.Rate)}}, 3*visit+time.Minute)
	if err != nil {
		return m.failed(ctx, p, x.Codec, fmt.Sprintf("at %s requests a second", quantity.Count(x.Rate)), err)
	}
	x.merge(got, visit, launch)
	return nil
}

// failed finds out whether an error is the store's or one codec's. It returns *lost if the store no
// longer answers. Otherwise it drops the codec and returns nil, so the run goes on.
func (m *measuring) failed(ctx context.Context, p *Place, codec, when string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err = said(err, p.url)
	if p.server != nil {
		if died := p.server.Died(); died != nil {
			return &lost{p, when, died}
		}
	}
	if _, dead := m.ask(ctx, worker.CmdStoreTry, &worker.StoreAt{Kind: p.Kind, URL: p.url, Name: p.run, Conns: 1}); dead != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &lost{p, when, errors.Join(err, said(dead, p.url))}
	}
	m.broken[codec] = true
	m.b.Drop(codec, fmt.Errorf("%s, %s: %w", p.name(), when, err))
	return nil
}
