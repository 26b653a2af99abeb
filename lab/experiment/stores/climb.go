package stores

import (
	"context"
	"errors"
	"fmt"
	"math"
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

// launches returns how many times the rates of a store are visited from the lowest up. Each launch
// has new processes. Starting them and filling the store are not part of the load.
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

// weight returns the duration of a visit to a rate ÷ that of a visit to the highest rate. Lower
// rates are visited for longer, since they make fewer requests in the same time, and a percentile
// needs 100 requests beyond it. With an exponent of 1 all rates would have equally many requests,
// and the lowest rate would take almost all of the budget. With 0 its far percentiles would be
// missing.
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

// unit returns how long a visit to the highest rate may last with the given number of launches. The
// loads get four fifths of the budget. The rest is for the codecs alone and for starting and
// filling.
func (m *measuring) unit(launches int) time.Duration {
	all := 0.0
	for _, r := range m.e.Rates {
		all += m.weight(r)
	}
	return time.Duration(0.8 * float64(m.budget) / float64(len(m.e.Kinds)*launches*len(m.res.Alone)) / all)
}

// climb visits the rates from the lowest to the highest, at each rate one codec after the other. It
// does so once for each launch. Codecs take turns at each rate, in a new order, since the speed of
// the machine and of the store changes with time.
//
// A codec stops climbing when requests come faster than they are answered. Above that rate a
// request mostly waits in a queue, which grows for as long as the visit lasts. In later launches
// the codec goes no higher than to the same rate. A point's Missed counts the launches in which its
// rate was not visited for this reason.
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
				if proc == nil {
					continue
				}
				if i > top[x.Codec] {
					x.Missed++
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
	for _, a := range m.res.Alone {
		if m.broken[a.Codec] {
			continue
		}
		m.progress("%s is filled by %s", p.name(), a.Codec)
		proc, err := m.fill(ctx, p, a.Codec)
		if err == nil {
			running[a.Codec] = proc
		} else if err := m.failed(ctx, p, a.Codec, "while it was filled", err); err != nil {
			return running, err
		}
	}
	return running, ctx.Err()
}

// fill starts a process for a codec and has it fill the store.
func (m *measuring) fill(ctx context.Context, p *Place, codec string) (*experiment.Process, error) {
	proc, err := m.b.Start(ctx, m.b.Contender(codec).Worker, nil)
	if err != nil {
		return nil, err
	}
	s, err := experiment.Ask[worker.Shelf](ctx, proc, worker.CmdStoreFill, m.at(p, codec), time.Minute)
	if err != nil {
		proc.Close()
		return nil, err
	}
	p.About = s.About
	if p.Shelves[codec] == nil {
		p.Shelves[codec] = s
	}
	return proc, nil
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

// failed finds out whether the store or only one codec caused an error: it asks the store again
// from a new process. It returns an error if the store no longer answers. Otherwise it drops the
// codec and returns nil, so the run goes on.
func (m *measuring) failed(ctx context.Context, p *Place, codec, when string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err = said(err, p.url)
	var dead error
	if p.server != nil {
		dead = p.server.Died()
	}
	if dead == nil {
		if _, silent := m.ask(ctx, worker.CmdStoreTry, &worker.StoreAt{Kind: p.Kind, URL: p.url, Name: p.run, Conns: 1}); silent != nil {
			dead = errors.Join(err, said(silent, p.url))
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case dead != nil:
		return fmt.Errorf("%s is lost %s: %w", p.name(), when, dead)
	}
	m.broken[codec] = true
	m.b.Drop(codec, fmt.Errorf("%s, %s: %w", p.name(), when, err))
	return nil
}
