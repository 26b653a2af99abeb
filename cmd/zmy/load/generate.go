package load

import (
	"context"
	"sync"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
)

// Histogram counts durations in ns.
type Histogram = openloop.Histogram

// warm is the share of a point's time for which requests are sent before any counts.
const warm = 0.2

// point sends requests at the point's rate and waits for their answers.
func (c *client) point(ctx context.Context, p *Point) error {
	p.Response, p.Service = new(Histogram), new(Histogram)
	var mu sync.Mutex // of p's counts
	var from time.Time
	var cpu0 time.Duration
	var known bool
	g := &openloop.Generator{
		Schedule: openloop.Schedule{Rate: p.QPS, Warm: time.Duration(warm * float64(c.h.For)), For: c.h.For, Seed: c.h.Seed},
		Spin:     openloop.Brief, Spare: true,
		Counting: func() {
			from = time.Now()
			if c.h.CPU != nil {
				cpu0, known = c.h.CPU()
			}
		},
	}
	p.Open = g.Each(ctx, func(q *openloop.Call) {
		n, wrong := c.ask(ctx, p)
		if now := q.Now(); q.Counts() {
			mu.Lock()
			defer mu.Unlock()
			p.add(n, wrong, now-q.At, now-q.From)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	p.Sent, p.Late, p.Seconds = int(g.Late.N()), &g.Late, time.Since(from).Seconds()
	if known {
		if cpu1, ok := c.h.CPU(); ok {
			p.CPU = cpu1 - cpu0
		}
	}
	return nil
}

// add counts what became of a request.
func (p *Point) add(n int64, wrong string, response, service time.Duration) {
	p.Bytes += n
	if wrong != "" {
		if p.Errors == nil {
			p.Errors = map[string]int{}
		}
		p.Errors[wrong]++
		return
	}
	p.OK++
	p.Response.Record(int64(response))
	p.Service.Record(int64(service))
}
