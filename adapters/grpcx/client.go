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

// DialOptions are the interceptors of a client. They come before those that are
// given to grpc.NewClient after them.
func (t *Telemetry) DialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithChainUnaryInterceptor(t.UnaryClientInterceptor()),
		grpc.WithChainStreamInterceptor(t.StreamClientInterceptor()),
	}
}

// UnaryClientInterceptor measures unary calls.
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

// StreamClientInterceptor measures streams.
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
		c := newClientCall() // gRPC may look at it after the stream has ended: it is not used again
		c.told = func(time.Duration, int, error) {}
		c.set(ctx, m, inner, subtype)
		return open(ctx, desc, cc, name, c.options(opts)...)
	}
}

// callCodec returns the codec that a call's options choose and the content-subtype
// that they give it, which is empty where gRPC is to say nothing of it; nil if it is of
// a kind that cannot be measured.
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

// clientCall is the codec of one call: the one chosen, which it measures.
type clientCall struct {
	inner   encoding.CodecV2
	subtype string
	cell    *cell
	ctx     context.Context
	opts    []grpc.CallOption // those of the call and force
	force   grpc.CallOption   // puts the clientCall in the place of its codec

	// For a Degrader.
	choice  grpc.CallOption // the content-subtype; nil to leave that of the call
	trailer metadata.MD     // of the call, if choice is set
	after   grpc.CallOption // fills trailer
	sent    bool            // the request has been marshalled
	took    time.Duration   // marshalling and unmarshalling, of a unary call
	size    int             // of the larger message
	err     error           // of the codec, if it is what has failed

	// told is told of each message of a stream in the place of took, size and err, as a
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

// options returns opts with the codec at the end, in memory that is used again.
func (c *clientCall) options(opts []grpc.CallOption) []grpc.CallOption {
	c.opts = append(append(c.opts[:0], opts...), c.force)
	if c.choice != nil {
		c.opts = append(c.opts, c.choice, c.after)
	}
	return c.opts
}

// free gives c back after a unary call, of which nothing is left when it returns.
func (c *clientCall) free() {
	clear(c.opts)
	*c = clientCall{force: c.force, after: c.after, opts: c.opts[:0]}
	clientCalls.Put(c)
}

// Name is the content-subtype. It is empty for "proto" where the caller names no codec:
// such calls are marked application/grpc, as they are without measuring.
func (c *clientCall) Name() string { return c.subtype }

// Marshal is the codec's.
func (c *clientCall) Marshal(v any) (mem.BufferSlice, error) {
	w := c.cell.begin(c.ctx, codec.OpMarshal, v)
	out, err := c.inner.Marshal(v)
	if c.told == nil {
		c.sent = err == nil
	}
	c.ended(&w, out.Len(), err)
	return out, err
}

// Unmarshal is the codec's.
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
