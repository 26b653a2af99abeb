package grpcx

import (
	"context"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"

	"github.com/zmylab/zmy/codec"
)

// DialOptions returns the interceptors that measure a client. They run before the interceptors of
// options that are passed to grpc.NewClient after these.
func (t *Telemetry) DialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithChainUnaryInterceptor(t.UnaryClientInterceptor()),
		grpc.WithChainStreamInterceptor(t.StreamClientInterceptor()),
	}
}

// UnaryClientInterceptor returns an interceptor that measures unary calls.
func (t *Telemetry) UnaryClientInterceptor() grpc.UnaryClientInterceptor {
	return func(ctx context.Context, name string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption) error {
		m := t.method(name, client)
		ctx = t.outgoing(ctx)
		if t.degrader != nil && t.degrader.takes(opts) {
			return t.degrader.unary(ctx, m, req, reply, cc, invoke, opts)
		}
		inner, subtype := callCodec(opts)
		if inner == nil {
			return invoke(ctx, name, req, reply, cc, opts...)
		}
		c := clientCalls.Get().(*clientCall)
		c.set(ctx, m, inner, subtype)
		err := invoke(ctx, name, req, reply, cc, c.options(opts)...)
		c.free()
		return err
	}
}

// StreamClientInterceptor returns an interceptor that measures streams.
func (t *Telemetry) StreamClientInterceptor() grpc.StreamClientInterceptor {
	return func(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, name string, open grpc.Streamer,
		opts ...grpc.CallOption) (grpc.ClientStream, error) {
		m := t.method(name, client)
		ctx = t.outgoing(ctx)
		if t.degrader != nil && t.degrader.takes(opts) {
			return t.degrader.stream(ctx, m, desc, cc, open, opts)
		}
		inner, subtype := callCodec(opts)
		if inner == nil {
			return open(ctx, desc, cc, name, opts...)
		}
		c := newClientCall() // not pooled: gRPC may still use it after the stream has ended
		c.told = func(time.Duration, int, error) {}
		c.set(ctx, m, inner, subtype)
		return open(ctx, desc, cc, name, c.options(opts)...)
	}
}

// callCodec returns the codec that a call's options choose, and the content-subtype that they set.
// The subtype is empty if gRPC sends none. c is nil if the codec is of a kind that cannot be
// measured.
func callCodec(opts []grpc.CallOption) (c encoding.CodecV2, subtype string) {
	var forced encoding.CodecV2
	for _, o := range opts {
		switch o := o.(type) {
		case grpc.ContentSubtypeCallOption:
			subtype = o.ContentSubtype
		case grpc.ForceCodecV2CallOption:
			forced = o.CodecV2
		case grpc.ForceCodecCallOption, grpc.CustomCodecCallOption:
			return nil, ""
		}
	}
	switch {
	case forced != nil && subtype == "":
		return forced, forced.Name()
	case forced != nil:
		return forced, subtype
	case subtype == "":
		return encoding.GetCodecV2(proto.Name), ""
	}
	return encoding.GetCodecV2(subtype), subtype
}

// clientCall stands in for the codec of one call and measures it.
type clientCall struct {
	inner   encoding.CodecV2
	subtype string
	cell    *cell
	ctx     context.Context
	opts    []grpc.CallOption // the call's own options and force
	force   grpc.CallOption   // makes gRPC use the clientCall as codec

	// For a Degrader.
	choice  grpc.CallOption // sets the content-subtype; nil keeps that of the call
	trailer metadata.MD     // the call's trailer, if choice is set
	after   grpc.CallOption // fills trailer
	sent    bool            // the request has been marshalled
	took    time.Duration   // time of marshalling and unmarshalling in a unary call
	size    int             // bytes of the larger message
	err     error           // the codec's error, if the codec failed

	// told, if set, is called for each message of a stream, and took, size and err stay unset: a
	// stream sends and receives at the same time.
	told func(d time.Duration, size int, err error)
}

var clientCalls = sync.Pool{New: func() any { return newClientCall() }}

func newClientCall() *clientCall {
	c := new(clientCall)
	c.force, c.after = grpc.ForceCodecV2(c), grpc.Trailer(&c.trailer)
	return c
}

func (c *clientCall) set(ctx context.Context, m *method, inner encoding.CodecV2, subtype string) {
	c.ctx, c.cell, c.inner, c.subtype = ctx, m.cell(inner.Name()), inner, subtype
	if w, ok := inner.(*wireCodec); ok {
		c.inner = w.of(ctx)
	}
}

// options returns opts followed by the options of c. The next call of options reuses the slice.
func (c *clientCall) options(opts []grpc.CallOption) []grpc.CallOption {
	c.opts = append(append(c.opts[:0], opts...), c.force)
	if c.choice != nil {
		c.opts = append(c.opts, c.choice, c.after)
	}
	return c.opts
}

// free returns c to the pool after a unary call. gRPC no longer uses c then.
func (c *clientCall) free() {
	clear(c.opts)
	*c = clientCall{force: c.force, after: c.after, opts: c.opts[:0]}
	clientCalls.Put(c)
}

// Name returns the content-subtype. It is empty for "proto" if the caller names no codec: gRPC
// sends such calls as application/grpc, whether they are measured or not.
func (c *clientCall) Name() string { return c.subtype }

// Marshal marshals with the call's codec and measures it.
func (c *clientCall) Marshal(v any) (mem.BufferSlice, error) {
	w := c.cell.begin(c.ctx, codec.OpMarshal, v)
	out, err := c.inner.Marshal(v)
	if c.told == nil {
		c.sent = err == nil
	}
	c.ended(&w, out.Len(), err)
	return out, err
}

// Unmarshal unmarshals with the call's codec and measures it.
func (c *clientCall) Unmarshal(data mem.BufferSlice, v any) error {
	size := data.Len()
	w := c.cell.begin(c.ctx, codec.OpUnmarshal, v)
	err := c.inner.Unmarshal(data, v)
	c.ended(&w, size, err)
	return err
}

func (c *clientCall) ended(w *work, size int, err error) {
	d := w.end(size, err)
	if c.told != nil {
		c.told(d, size, err)
		return
	}
	c.took += d
	c.size = max(c.size, size)
	if err != nil {
		c.err = err
	}
}
