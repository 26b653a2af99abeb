package grpcx

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/metadata"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/slogx"
)

// Telemetry measures what codecs do in gRPC calls, by method and by codec. One Telemetry may serve
// clients and servers. It adds no allocation to a unary call in a codec of this package, except
// what a [codec.Contextual] allocates. On a server it adds one allocation to a call in gRPC's own
// "proto".
//
//	t := grpcx.NewTelemetry(grpcx.WithMetrics(&metrics))
//	conn, err := grpc.NewClient(target, t.DialOptions()...)
//	shoppb.RegisterOrdersServer(t.Registrar(server), impl)
type Telemetry struct {
	observer codec.Observer
	metrics  *Metrics
	slow     time.Duration
	log      *slog.Logger
	labels   bool
	context  func(context.Context, metadata.MD) context.Context
	degrader *Degrader

	mu      sync.Mutex // held to add methods
	methods [2]atomic.Pointer[map[string]*method]
}

// TelemetryOption is an option of [NewTelemetry].
type TelemetryOption func(*Telemetry)

// WithObserver sets an observer that is told of each message, to make spans for example. It can
// find the method by [Method]. Join several observers with codec.Observers. A codec.ChangeObserver
// is also told of the changes of the [Degrader].
func WithObserver(o codec.Observer) TelemetryOption {
	return func(t *Telemetry) { t.observer = o }
}

// WithMetrics counts messages in m.
func WithMetrics(m *Metrics) TelemetryOption { return func(t *Telemetry) { t.metrics = m } }

// WithSlow sets the duration beyond which a message counts as slow. The default is codec.SlowMark.
// 0 turns it off.
func WithSlow(d time.Duration) TelemetryOption { return func(t *Telemetry) { t.slow = d } }

// WithLogger logs a warning for each slow message, and the changes of the [Degrader]. If the
// degrader changes to the fallback, or has to keep the primary, the level is Warn. For other
// changes it is Info.
func WithLogger(l *slog.Logger) TelemetryOption { return func(t *Telemetry) { t.log = l } }

// WithPprofLabels labels the samples of CPU profiles that fall into codecs with method, codec and
// op. Codec and op are the labels of package pprofx. While a message is marshalled, these labels
// replace the labels of the call's context.
func WithPprofLabels() TelemetryOption { return func(t *Telemetry) { t.labels = true } }

// WithCallContext binds codecs to a context that f makes of the call's context and metadata: on a
// server the metadata received, on a client the metadata to be sent. From this context a canary
// chooses an arm, once for all messages of the call. Handlers on servers get the context too.
//
//	c, err := canary.New(old, new, canary.Options{})
//	err = grpcx.Register(grpcx.Codec(c.Routed()))
//	t := grpcx.NewTelemetry(grpcx.WithCallContext(func(ctx context.Context, md metadata.MD) context.Context {
//		return c.WithRequest(ctx, strings.Join(md.Get(canary.DefaultHeader), ""), strings.Join(md.Get("user"), ""))
//	}))
func WithCallContext(f func(ctx context.Context, md metadata.MD) context.Context) TelemetryOption {
	return func(t *Telemetry) { t.context = f }
}

// WithDegrader lets d choose the codecs of the calls that clients make.
func WithDegrader(d *Degrader) TelemetryOption { return func(t *Telemetry) { t.degrader = d } }

// NewTelemetry returns a Telemetry with these options. It is not changed afterwards.
func NewTelemetry(opts ...TelemetryOption) *Telemetry {
	t := &Telemetry{slow: codec.SlowMark}
	for _, o := range opts {
		o(t)
	}
	return t
}

// incoming returns the context of a call on a server.
func (t *Telemetry) incoming(ctx context.Context) context.Context {
	if t.context == nil {
		return ctx
	}
	md, _ := metadata.FromIncomingContext(ctx)
	return t.context(ctx, md)
}

// outgoing returns the context of a call of a client.
func (t *Telemetry) outgoing(ctx context.Context) context.Context {
	if t.context == nil {
		return ctx
	}
	md, _ := metadata.FromOutgoingContext(ctx)
	return t.context(ctx, md)
}

// method is a method on one side, with a cell for each codec.
type method struct {
	t      *Telemetry
	name   string
	server bool
	mu     sync.Mutex // held to add cells
	cells  atomic.Pointer[map[string]*cell]
	size   atomic.Int64 // bytes of the last call's larger message; for a stream, of its last message
}

const (
	client = 0
	server = 1
)

// method returns the entry of a method on one side. It adds it if it is new.
func (t *Telemetry) method(name string, side int) *method {
	if all := t.methods[side].Load(); all != nil {
		if m := (*all)[name]; m != nil {
			return m
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return added(&t.methods[side], name, func() *method {
		return &method{t: t, name: name, server: side == server}
	})
}

// cell returns the entry of the method and a codec. It adds it if it is new.
func (m *method) cell(name string) *cell {
	if all := m.cells.Load(); all != nil {
		if c := (*all)[name]; c != nil {
			return c
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return added(&m.cells, name, func() *cell { return newCell(m, name) })
}

// added returns the value under key, and adds it if it is missing. It changes a copy of the map, so
// that readers need no lock.
func added[V any](p *atomic.Pointer[map[string]V], key string, make func() V) V {
	next := map[string]V{}
	if old := p.Load(); old != nil {
		if v, ok := (*old)[key]; ok {
			return v
		}
		maps.Copy(next, *old)
	}
	v := make()
	next[key] = v
	p.Store(&next)
	return v
}

// cell is a method together with a codec.
type cell struct {
	*method
	codec  string
	counts [2]*opCounts       // of codec.OpMarshal and OpUnmarshal; nil without metrics
	labels [2]context.Context // likewise; nil without WithPprofLabels
}

func newCell(m *method, name string) *cell {
	c := &cell{method: m, codec: name}
	for _, op := range []codec.Op{codec.OpMarshal, codec.OpUnmarshal} {
		if m.t.metrics != nil {
			c.counts[op] = m.t.metrics.counts(Key{m.name, name, m.server, op})
		}
		if m.t.labels {
			c.labels[op] = pprof.WithLabels(context.Background(),
				pprof.Labels("method", m.name, "codec", name, "op", op.String()))
		}
	}
	return c
}

// work is an operation of a codec that has begun.
type work struct {
	cell  *cell
	ctx   context.Context
	began context.Context // the context that the observer's Begin returned
	op    codec.Op
	v     any
	start time.Duration
}

// begin starts an operation on the calling goroutine.
func (c *cell) begin(ctx context.Context, op codec.Op, v any) work {
	w := work{cell: c, ctx: ctx, op: op, v: v}
	if o := c.t.observer; o != nil {
		w.began = o.Begin(c.context(ctx), codec.NewEvent(c.codec, op, v))
	}
	if l := c.labels[op]; l != nil {
		pprof.SetGoroutineLabels(l)
	}
	w.start = ticks()
	return w
}

// end ends the operation, on the goroutine that began it, and reports it to metrics, observer and
// log. It returns how long the operation took.
func (w *work) end(size int, err error) time.Duration {
	c, d := w.cell, ticks()-w.start
	if c.labels[w.op] != nil {
		pprof.SetGoroutineLabels(w.ctx)
	}
	slow := c.t.slow > 0 && d > c.t.slow
	if n := c.counts[w.op]; n != nil {
		n.add(d, size, slow, err)
	}
	if err != nil && c.server {
		c.tellFailure(w.ctx, w.op)
	}
	if c.t.observer != nil {
		e := codec.NewEvent(c.codec, w.op, w.v)
		e.Size, e.Duration, e.Err = size, d, err
		c.t.observer.End(w.began, e)
	}
	if slow && c.t.log != nil {
		c.t.log.LogAttrs(w.ctx, slog.LevelWarn, "codec slow", slog.String("method", c.name), slog.String("codec", c.codec),
			slog.String("op", w.op.String()), slog.String("type", fmt.Sprintf("%T", w.v)), slog.Int("size", size),
			slog.Duration("duration", d))
	}
	return d
}

// changed reports a change of the [Degrader] to observer and logger.
func (t *Telemetry) changed(ctx context.Context, c codec.Change) {
	if t.observer != nil {
		codec.TellChange(ctx, t.observer, c)
	}
	if t.log != nil {
		slogx.LogChange(ctx, t.log, c)
	}
}

// methodKey is the context key of the gRPC method, for observers.
type methodKey struct{}

// context returns ctx with the method.
func (m *method) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, methodKey{}, m)
}

// Method is for observers. It returns the full method of the gRPC call in which a codec works, such
// as "/shop.Orders/Get". server is true on the server's side. ok is false outside such calls.
func Method(ctx context.Context) (name string, server, ok bool) {
	m, ok := ctx.Value(methodKey{}).(*method)
	if !ok {
		return "", false, false
	}
	return m.name, m.server, true
}

// began is the zero point of ticks.
var began = time.Now()

// ticks returns the time since began. It reads only the monotonic clock, which costs half of
// time.Now.
func ticks() time.Duration { return time.Since(began) }
