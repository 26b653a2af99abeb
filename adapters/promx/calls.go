package promx

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/zmylab/zmy/codec"
)

func (o *Options) calls() vectors {
	labels := []string{"method", "side", "codec", "op"}
	return vectors{
		duration: o.durations("zmy_grpc_codec_duration_seconds",
			"Time that codecs took for a message of a gRPC method, on the side of client or server.", labels...),
		size: o.sizes("zmy_grpc_message_size_bytes", "Sizes of messages of a gRPC method.", labels...),
		errors: counter("zmy_grpc_codec_errors_total", "Messages of a gRPC method that codecs failed at, by class of the error.",
			append(labels, "class")...),
	}
}

// Calls returns an observer for gRPC that counts operations by method. The parameter method, which
// is grpcx.Method, finds the method of a call.
//
//	grpcx.NewTelemetry(grpcx.WithObserver(m.Calls(grpcx.Method)))
//
// It costs some 250 ns for each message, in addition to grpcx's own event. A message outside of a
// call is not counted.
func (m *Metrics) Calls(method func(context.Context) (name string, server, ok bool)) codec.Observer {
	c := &calls{m: m, method: method}
	c.known.Store(&callTable{methods: map[string]bool{}, series: map[callKey]*operation{}})
	return c
}

// calls is the observer. It finds a series by one look-up, without allocating.
type calls struct {
	m      *Metrics
	method func(context.Context) (string, bool, bool)

	mu    sync.Mutex // held by writers of known
	known atomic.Pointer[callTable]
}

// callTable lists the series that exist. It is never changed, only replaced.
type callTable struct {
	methods map[string]bool // at most MaxMethods names, and the name other
	series  map[callKey]*operation
}

type callKey struct {
	method, codec string
	server        bool
	op            codec.Op
}

// Begin does nothing.
func (c *calls) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }

// End counts an operation.
func (c *calls) End(ctx context.Context, e codec.Event) {
	name, server, ok := c.method(ctx)
	if !ok {
		return
	}
	s := c.find(callKey{name, e.Codec, server, e.Op})
	s.count(&e, c.m.exemplar(ctx))
}

// find returns the series of k. It takes no lock if the series exists. Methods and codecs beyond
// the bounds share the series of [other]. They are not added to the table, so that clients cannot
// make it grow.
func (c *calls) find(k callKey) *operation {
	all := c.known.Load()
	if s, ok := all.series[k]; ok {
		return s
	}
	k.codec, _ = c.m.find(k.codec)
	k.method = c.bounded(all, k.method)
	if s, ok := all.series[k]; ok {
		return s
	}
	return c.add(k)
}

// bounded returns the label of a method: its name, or other if the table is full. The table only
// grows, so a method's label never changes.
func (c *calls) bounded(all *callTable, method string) string {
	if !all.methods[method] && len(all.methods) >= c.m.opt.MaxMethods {
		return other
	}
	return method
}

// add replaces the table by one that also has the series of k.
func (c *calls) add(k callKey) *operation {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.known.Load()
	k.method = c.bounded(all, k.method)
	if s, ok := all.series[k]; ok {
		return s
	}
	side := "client"
	if k.server {
		side = "server"
	}
	s := c.m.calls.of(k.method, side, k.codec, k.op.String())
	next := &callTable{methods: maps.Clone(all.methods), series: maps.Clone(all.series)}
	next.series[k] = &s
	next.methods[k.method] = true
	c.known.Store(next)
	return &s
}
