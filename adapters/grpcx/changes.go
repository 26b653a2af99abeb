package grpcx

import (
	"context"
	"time"

	"github.com/zmylab/zmy/adapters/grpcx/degrade"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/slogx"
)

// change is an event of a degrader's machine, on behalf of the call that has brought it about.
type change struct {
	degrade.Event
	at  time.Time
	ctx context.Context
	t   *Telemetry // nil where there is no call
}

// note takes an event of the machine. The caller holds d.mu.
func (d *Degrader) note(e degrade.Event) {
	d.fresh = append(d.fresh, e)
	if e.To == degrade.Fallback && e.From != degrade.Fallback {
		d.trips++
	}
}

// unlock releases d.mu and then tells of what the machine has decided under it, in order and one at a time: what is
// called may ask the degrader, and may make calls through it. Another goroutine that is
// telling already takes it along.
func (d *Degrader) unlock(ctx context.Context, t *Telemetry) {
	if len(d.fresh) == 0 {
		d.mu.Unlock()
		return
	}
	defer d.mu.Unlock()
	now := time.Now()
	for _, e := range d.fresh {
		d.pending = append(d.pending, change{e, now, ctx, t})
	}
	d.fresh = d.fresh[:0]
	if d.telling {
		return
	}
	d.telling = true
	defer func() { d.telling = false }()
	for len(d.pending) > 0 {
		c := d.pending[0]
		d.pending = d.pending[1:]
		d.tell(c)
	}
}

// tell tells of one change while d.mu is free.
func (d *Degrader) tell(c change) {
	d.mu.Unlock()
	defer d.mu.Lock()
	if d.onEvent != nil {
		d.onEvent(c.Event)
	}
	if c.t != nil {
		c.t.changed(c.ctx, codec.Change{
			Time: c.at, Chooser: d.Name(), From: c.From.String(), To: c.To.String(), Share: c.Share, Cause: c.Cause,
			Worse: c.To == degrade.Fallback || c.From == c.To && c.To == degrade.Primary, // the latter is a refusal to change
		})
	}
}

// changed tells observer and logger.
func (t *Telemetry) changed(ctx context.Context, c codec.Change) {
	if t.observer != nil {
		codec.TellChange(ctx, t.observer, c)
	}
	if t.log != nil {
		slogx.LogChange(ctx, t.log, c)
	}
}
