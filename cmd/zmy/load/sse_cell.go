package load

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// sseCell is the points of all rounds for one rate, size and codec on one target.
type sseCell struct {
	*SSEPoint // point of the first round, for its settings
	rounds    []*SSEPoint
	published int // events published in all rounds
}

// cells groups the points into cells, in the order of the settings.
func (v *sseView) cells() (out []*sseCell) {
	for _, p := range v.r.Points {
		i := slices.IndexFunc(out, func(c *sseCell) bool {
			return c.Group == p.Group && c.Codec == p.Codec && c.Size == p.Size && c.Rate == p.Rate
		})
		if i < 0 {
			i, out = len(out), append(out, &sseCell{SSEPoint: p})
		}
		out[i].rounds = append(out[i].rounds, p)
		out[i].published += p.Published
	}
	slices.SortStableFunc(out, func(a, b *sseCell) int {
		return cmp.Or(
			cmp.Compare(slices.Index(v.Rates, a.Rate), slices.Index(v.Rates, b.Rate)),
			cmp.Compare(slices.Index(v.Sizes, a.Size), slices.Index(v.Sizes, b.Size)),
			cmp.Compare(slices.Index(v.Codecs, a.Codec), slices.Index(v.Codecs, b.Codec)), cmp.Compare(a.Group, b.Group))
	})
	return out
}

// Histograms of a point, for quantile, late and all.
func latencyOf(p *SSEPoint) *Histogram { return p.Latency }
func firstOf(p *SSEPoint) *Histogram   { return p.First }
func lateOf(p *SSEPoint) *Histogram    { return p.Late }

// all returns the sum of a histogram over all rounds.
func (c *sseCell) all(of func(p *SSEPoint) *Histogram) *Histogram {
	h := new(Histogram)
	for _, p := range c.rounds {
		h.Add(of(p))
	}
	return h
}

// quantile returns a percentile of all rounds together, with the least and the most of single
// rounds. It is a dash if too few published events lie beyond it. Deliveries do not count for that:
// one slow event to ten thousand connections is ten thousand slow deliveries.
func (c *sseCell) quantile(of func(p *SSEPoint) *Histogram, q float64) run.Item {
	if !openloop.Sound(uint64(c.published), q) {
		return run.Text("–")
	}
	it := c.spread(func(p *SSEPoint) float64 {
		if of(p).N() == 0 {
			return math.NaN()
		}
		return of(p).Quantile(q)
	})
	if it.Value == nil {
		return it
	}
	if all := c.all(of).Quantile(q); it.Lo != nil {
		*it.Value = min(max(all, *it.Lo), *it.Hi)
	}
	return it.Marked("doubt", c.busy() || c.late(of, q))
}

// most returns the longest time of a delivery.
func (c *sseCell) most() run.Item {
	return run.Num(c.all(latencyOf).Max()).Marked("doubt", c.busy() || c.late(latencyOf, 1))
}

// late reports whether events were published so late that it may have affected a percentile, or
// whether that is unknown. The publisher is part of the server, so what delays it is the server's
// fault, unless the machine has other work.
func (c *sseCell) late(of func(p *SSEPoint) *Histogram, q float64) bool {
	unknown := func(p *SSEPoint) bool { return p.Late.N() == 0 }
	return slices.ContainsFunc(c.rounds, unknown) || !openloop.Punctual(c.all(lateOf), c.all(of), q)
}

// busy reports whether the machine was busy in some round: see [SSEPoint.busy].
func (c *sseCell) busy() bool { return slices.ContainsFunc(c.rounds, (*SSEPoint).busy) }

// spread returns the median of a figure over the rounds, with the least and the most.
func (c *sseCell) spread(of func(p *SSEPoint) float64) run.Item { return spread(c.rounds, of) }

// per returns the median over the rounds of sum ÷ n. It returns a dash if sum or n of some round is
// 0, which means unknown.
func (c *sseCell) per(sum, n func(p *SSEPoint) float64) run.Item {
	return c.spread(func(p *SSEPoint) float64 {
		if sum(p) == 0 || n(p) == 0 {
			return math.NaN()
		}
		return sum(p) / n(p)
	})
}

// sum adds up a count over the rounds.
func (c *sseCell) sum(of func(p *SSEPoint) int64) (n int64) {
	for _, p := range c.rounds {
		n += of(p)
	}
	return n
}

// Dividends and divisors for per.
func serverCPU(p *SSEPoint) float64 { return float64(p.Server.CPU) }
func delivered(p *SSEPoint) float64 { return float64(p.Delivered) }
func published(p *SSEPoint) float64 { return float64(p.Published) }

// findings returns the findings, most important first.
func (v *sseView) findings() (out []string) {
	var delivered, published int64
	stopped := false
	for _, p := range v.r.Points {
		delivered += p.Delivered
		published += int64(p.Published)
		stopped = stopped || p.Partial
	}
	switch wrong := v.r.Wrong(); {
	case wrong > 0:
		out = append(out, fmt.Sprintf("%d deliveries are wrong: %s", wrong, v.faults()))
	case stopped:
		out = append(out, fmt.Sprintf("what had come when it was stopped had come once, whole and in order: %d deliveries", delivered))
	case delivered > 0:
		out = append(out, fmt.Sprintf("all %d events came to every connection, once, whole and in order: %d deliveries",
			published, delivered))
	}
	for _, g := range v.r.Groups {
		if bytes, known := g.PerConn(g.With); known {
			out = append(out, fmt.Sprintf("%d connections (flush %s) take the server %s each", g.Open, g.Flush, quantity.Bytes(bytes)))
		}
	}
	return append(out, v.extremes()...)
}

// faults summarises what was wrong.
func (v *sseView) faults() string {
	var lost, told, twice, order, damaged int64
	for _, p := range v.r.all() {
		lost, told, twice, order, damaged = lost+p.Lost, told+p.Told, twice+p.Duplicated, order+p.Disordered, damaged+p.Damaged
	}
	text := fmt.Sprintf("%d lost", lost)
	if told > 0 {
		text += fmt.Sprintf(" (%d of them told by a reset or a gap)", told)
	}
	return fmt.Sprintf("%s, %d duplicated, %d out of order, %d damaged", text, twice, order, damaged)
}

// extremes returns the least and the most of figures in which codecs and policies differ. It names
// the cells only if the rounds differ less than the cells do, and says how many other cells may be
// equal.
func (v *sseView) extremes() (out []string) {
	for _, f := range []struct {
		what string
		of   func(c *sseCell) run.Item
	}{
		{"processor time for a delivery", func(c *sseCell) run.Item { return c.per(serverCPU, delivered) }},
		{"median until an event's first byte", func(c *sseCell) run.Item { return c.quantile(firstOf, 0.5) }},
	} {
		type named struct {
			name string
			run.Item
		}
		var all []named
		for _, c := range v.cells() {
			if it := f.of(c); it.Value != nil && it.Mark == "" {
				all = append(all, named{v.name(c.SSEPoint), it})
			}
		}
		if len(all) < 2 {
			continue
		}
		byValue := func(a, b named) int { return cmp.Compare(*a.Value, *b.Value) }
		least, most := slices.MinFunc(all, byValue), slices.MaxFunc(all, byValue)
		if meet(least.Item, most.Item) {
			why := "no more apart than rounds are"
			if least.Lo == nil {
				why = "of a single round"
			}
			out = append(out, fmt.Sprintf("%s: %s to %s, %s", f.what, quantity.Time(*least.Value), quantity.Time(*most.Value), why))
			continue
		}
		with := func(x named) string {
			others := -1 // not counting x itself
			for _, y := range all {
				if meet(x.Item, y.Item) {
					others++
				}
			}
			if others == 0 {
				return x.name
			}
			return fmt.Sprintf("%s; %d more within its range", x.name, others)
		}
		out = append(out, fmt.Sprintf("%s: from %s (%s) to %s (%s)", f.what, quantity.Time(*least.Value),
			with(least), quantity.Time(*most.Value), with(most)))
	}
	return out
}

// meet reports whether the ranges of two figures overlap. A figure without a range overlaps with
// every other.
func meet(a, b run.Item) bool {
	return a.Lo == nil || b.Lo == nil || *a.Lo <= *b.Hi && *b.Lo <= *a.Hi
}

// warnings returns the warnings.
func (v *sseView) warnings() (out []string) {
	for _, g := range v.r.Groups {
		if g.Open < g.Wanted {
			text := fmt.Sprintf("%d of %d connections (flush %s) are open", g.Open, g.Wanted, g.Flush)
			if len(g.Errors) > 0 {
				text += ": " + failures(g.Errors)
			}
			out = append(out, text)
		}
	}
	busy := 0
	for _, p := range v.r.all() {
		if p.busy() {
			busy++
		}
		if p.Reconnects+len(p.Errors) > 0 {
			out = once(out, fmt.Sprintf("%s: %d reconnects (%s)", v.name(p), p.Reconnects, failures(p.Errors)))
		}
		if p.Resets+p.Gaps > 0 {
			out = once(out, fmt.Sprintf("%s: %d resets and %d gaps were told", v.name(p), p.Resets, p.Gaps))
		}
	}
	if busy > 0 {
		out = append(out, fmt.Sprintf("at %d of %d points server and client took nearly all processors of this machine: latencies "+
			"there are times of waiting for one", busy, len(v.r.all())))
	}
	cells, late := v.cells(), 0
	for _, c := range cells {
		if !c.Partial && slices.ContainsFunc(quantiles, func(q float64) bool {
			it := c.quantile(latencyOf, q)
			return it.Value != nil && c.late(latencyOf, q)
		}) {
			late++
		}
	}
	if late > 0 {
		out = append(out, fmt.Sprintf("at %d of %d points events were published late by more than a tenth of a percentile of "+
			"their deliveries, which is marked: the machine had other work", late, len(cells)))
	}
	if v.Rounds == 1 && len(cells) > 1 {
		out = append(out, "a single round: how far figures vary is not known, so that none is named the least; raise -rounds")
	}
	return out
}
