// Package slogx logs what goes wrong in codecs: operations that fail, operations that are slow, and
// changes of choosers (codec.Change).
package slogx

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/codec"
)

// Options are the options of an observer. The zero value logs at most ten operations a second, and
// every change.
type Options struct {
	Slow time.Duration // operations that take at least so long are logged; 0 means codec.SlowMark, below 0 none

	ErrorLevel slog.Leveler // level of operations that fail; nil means slog.LevelWarn
	SlowLevel  slog.Leveler // level of slow operations; nil means slog.LevelWarn

	// PerSecond limits the number of operations that are logged in a second, since clients can send
	// bad messages as often as they like; 0 means 10. The next line says how many were left out.
	PerSecond int

	// HideErrors logs the class of an error without its text, which may quote the message.
	HideErrors bool
}

// New returns an observer that logs to l. It logs with the context of the operation, so that
// handlers of l can add trace IDs. An operation that neither fails nor is slow costs a comparison.
func New(l *slog.Logger, o Options) codec.Observer {
	o.Slow = cmp.Or(o.Slow, codec.SlowMark)
	if o.Slow < 0 {
		o.Slow = 1<<63 - 1
	}
	o.ErrorLevel = cmp.Or[slog.Leveler](o.ErrorLevel, slog.LevelWarn)
	o.SlowLevel = cmp.Or[slog.Leveler](o.SlowLevel, slog.LevelWarn)
	o.PerSecond = cmp.Or(max(o.PerSecond, 0), 10)
	return &observer{log: l, opt: o, start: time.Now()}
}

var _ codec.ChangeObserver = (*observer)(nil)

type observer struct {
	log     *slog.Logger
	opt     Options
	start   time.Time
	window  atomic.Uint64 // seconds since start << 32 | lines in that second
	dropped atomic.Uint64
}

// Begin returns ctx.
func (o *observer) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }

// End logs e if it has failed or was slow.
func (o *observer) End(ctx context.Context, e codec.Event) {
	class := codec.ClassNone
	if e.Err != nil {
		class = e.Class()
	}
	switch {
	case class != codec.ClassNone:
		o.write(ctx, "codec failed", o.opt.ErrorLevel.Level(), e, class)
	case e.Duration >= o.opt.Slow:
		o.write(ctx, "codec slow", o.opt.SlowLevel.Level(), e, class)
	}
}

func (o *observer) write(ctx context.Context, msg string, level slog.Level, e codec.Event, class codec.Class) {
	if !o.log.Enabled(ctx, level) {
		return
	}
	if !o.admit() {
		o.dropped.Add(1)
		return
	}
	attrs := make([]slog.Attr, 0, 8)
	attrs = append(attrs,
		slog.String("codec", e.Codec), slog.String("op", e.Op.String()), slog.String("type", typeName(e)),
		slog.Int("size", e.Size), slog.Duration("duration", e.Duration))
	if class != codec.ClassNone {
		attrs = append(attrs, slog.String("class", class.String()))
		if !o.opt.HideErrors {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
	}
	if n := o.dropped.Swap(0); n > 0 {
		attrs = append(attrs, slog.Uint64("left_out", n))
	}
	o.log.LogAttrs(ctx, level, msg, attrs...)
}

// Changed logs a change.
func (o *observer) Changed(ctx context.Context, c codec.Change) { LogChange(ctx, o.log, c) }

// LogChange writes a change to l: at level Warn if it is for the worse, else at Info.
func LogChange(ctx context.Context, l *slog.Logger, c codec.Change) {
	level := slog.LevelInfo
	if c.Worse {
		level = slog.LevelWarn
	}
	l.LogAttrs(ctx, level, "codec changed", slog.String("chooser", c.Chooser), slog.String("from", c.From), slog.String("to", c.To),
		slog.Float64("share", c.Share), slog.String("cause", c.Cause))
}

// admit counts a line of the present second, and reports whether it is within the limit.
func (o *observer) admit() bool {
	second := uint64(time.Since(o.start)/time.Second) & (1<<32 - 1)
	for {
		w := o.window.Load()
		next := second<<32 | 1
		if w>>32 == second {
			if w&(1<<32-1) >= uint64(o.opt.PerSecond) {
				return false
			}
			next = w + 1
		}
		if o.window.CompareAndSwap(w, next) {
			return true
		}
	}
}

func typeName(e codec.Event) string {
	if t := e.Type(); t != nil {
		return t.String()
	}
	return "nil"
}
