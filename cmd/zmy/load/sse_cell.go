package load

import (
	"cmp"
	"math"
	"slices"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/run"
)

// sseCell is what the rounds measured of one rate, size and codec on one target.
type sseCell struct {
	*SSEPoint // the first of them, which says what it is
	rounds    []*SSEPoint
	published int // in all of them
}

// cells are the points by what was measured, in the order of the settings, whatever the order of measuring.
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
			cmp.Compare(slices.Index(v.Rates, a.Rate), slices.Index(v.Rates, b.Rate)), cmp.Compare(slices.Index(v.Sizes, a.Size), slices.Index(v.Sizes, b.Size)),
			cmp.Compare(slices.Index(v.Codecs, a.Codec), slices.Index(v.Codecs, b.Codec)), cmp.Compare(a.Group, b.Group))
	})
	return out
}

// What a point tells the time of.
func latencyOf(p *SSEPoint) *Histogram { return p.Latency }
func firstOf(p *SSEPoint) *Histogram   { return p.First }
func lateOf(p *SSEPoint) *Histogram    { return p.Late }

// all is the histogram of all rounds.
func (c *sseCell) all(of func(p *SSEPoint) *Histogram) *Histogram {
	h := new(Histogram)
	for _, p := range c.rounds {
		h.Add(of(p))
	}
	return h
}

// quantile is that of all rounds together, with the least and the most of a round, or a dash where too few published events lie
// beyond it. Deliveries do not count: to ten thousand connections one event that is slow is ten thousand of them.
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
	if c.busy() || c.late(of, q) {
		it.Mark = "doubt"
	}
	return it
}

// most is the longest that a delivery took.
func (c *sseCell) most() run.Item {
	it := run.Num(c.all(latencyOf).Max())
	if c.busy() || c.late(latencyOf, 1) {
		it.Mark = "doubt"
	}
	return it
}

// late reports whether events were published so late that they may be what a percentile tells of, or that this is not known. The
// publisher is the server's own, so that what holds it up is the server's too; but a machine that has other work is not.
func (c *sseCell) late(of func(p *SSEPoint) *Histogram, q float64) bool {
	unknown := func(p *SSEPoint) bool { return p.Late.N() == 0 }
	return slices.ContainsFunc(c.rounds, unknown) || !openloop.Punctual(c.all(lateOf), c.all(of), q)
}

// busy reports whether it was so in a round.
func (c *sseCell) busy() bool { return slices.ContainsFunc(c.rounds, (*SSEPoint).busy) }

// spread is the median of a figure over the rounds, with the least and the most.
func (c *sseCell) spread(of func(p *SSEPoint) float64) run.Item { return spread(c.rounds, of) }

// per is what there is of a sum for each of n, over the rounds; not known without either.
func (c *sseCell) per(sum, n func(p *SSEPoint) float64) run.Item {
	return c.spread(func(p *SSEPoint) float64 {
		if sum(p) == 0 || n(p) == 0 {
			return math.NaN()
		}
		return sum(p) / n(p)
	})
}

// sum adds a count up over the rounds.
func (c *sseCell) sum(of func(p *SSEPoint) int64) (n int64) {
	for _, p := range c.rounds {
		n += of(p)
	}
	return n
}

// What points are divided by, and of.
func serverCPU(p *SSEPoint) float64 { return float64(p.Server.CPU) }
func delivered(p *SSEPoint) float64 { return float64(p.Delivered) }
func published(p *SSEPoint) float64 { return float64(p.Published) }
