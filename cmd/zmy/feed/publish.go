package feed

import (
	"context"
	"fmt"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/sse"
)

// Publish publishes the events of r until all are published or ctx ends. The report is never nil,
// and says what was published even if there is an error.
func Publish(ctx context.Context, hub *sse.Hub, r *Request) (*Report, error) {
	out := &Report{Late: new(openloop.Histogram)}
	if err := r.Check(); err != nil {
		return out, err
	}
	c, err := Lookup(r.Codec)
	if err != nil {
		return out, err
	}
	m, err := newMaker(r.Size, r.Seed)
	if err != nil {
		return out, err
	}
	// The generator never spins, since that would count as the server's processor time.
	g := &openloop.Generator{Schedule: openloop.Schedule{Rate: r.Rate / float64(r.Burst), For: r.For, Seed: r.Seed}, Spin: openloop.Never}
	for q := range g.Requests(ctx) {
		due := g.Begin.Add(q.At)
		for range r.Burst {
			if err := out.publish(ctx, hub, r, c, m, due); err != nil {
				return out, err
			}
		}
	}
	return out, ctx.Err()
}

// publish publishes the next event, which was due at that time.
func (out *Report) publish(ctx context.Context, hub *sse.Hub, r *Request, c codec.Codec, m maker, due time.Time) error {
	n := r.From + out.Published
	late := time.Since(due)
	data, err := c.Marshal(m.event(n, due))
	if err != nil {
		return fmt.Errorf("event %d: %w", n, err)
	}
	if _, err := hub.Publish(ctx, Topic(r.Run), sse.Message{Type: c.Name(), Data: data, Binary: !sse.IsText(c)}); err != nil {
		return fmt.Errorf("event %d: %w", n, err)
	}
	out.Late.Record(int64(late))
	out.Published++
	out.Bytes += int64(len(data))
	return nil
}
