package grpcx

import (
	"google.golang.org/grpc/mem"

	"github.com/zmylab/zmy/codec"
)

// kept is a message that holds on to the buffer that it arrived in.
type kept interface {
	keep(w *wireCodec, data mem.BufferSlice) error
	send(w *wireCodec, to *piece) error
	share() // takes a reference for a copy of the message, which is released by itself
	Release()
}

// Held is a message of type T whose strings and bytes stand in the buffer that gRPC
// received: nothing is copied. A client passes *Held[T] for the reply, a server as
// the type of a request:
//
//	var reply grpcx.Held[Order]
//	err := conn.Invoke(ctx, "/shop.Orders/Get", &id, &reply, grpc.CallContentSubtype("zmy"))
//	defer reply.Release()
//
// Nothing of V may be used after Release; what is to outlive it is copied by
// zmy.Clone. A Held that is not released is not a leak of memory: its buffer goes to
// the garbage collector, and not back to the pool. Codecs that are no codec.Viewer
// copy, as they always do.
type Held[T any] struct {
	V   T
	buf mem.Buffer // nil if V holds nothing of it
}

// Release gives the buffer back and sets V to zero. It may be called more than once.
func (h *Held[T]) Release() {
	release(&h.buf)
	var zero T
	h.V = zero
}

func (h *Held[T]) keep(w *wireCodec, data mem.BufferSlice) error {
	h.Release()
	viewer, ok := codec.As[codec.Viewer](w.c)
	if !ok {
		return w.decode(data, &h.V)
	}
	buf := w.whole(data)
	if err := viewer.UnmarshalView(buf.ReadOnlyData(), &h.V); err != nil {
		buf.Free()
		return err
	}
	h.buf = buf
	return nil
}

func (h *Held[T]) send(w *wireCodec, to *piece) error { return w.encodeTo(to, &h.V) }

func (h *Held[T]) share() { share(h.buf) }

// Raw is a message that is not unmarshalled at all: for proxies, and for views
// (ViewOrder and the like), which read single fields in place.
//
// It is received like [Held], and sent as it is by whichever codec of this package the
// call has; the caller sees to it that its bytes are of that codec.
type Raw struct{ buf mem.Buffer }

// NewRaw is a Raw to send. b must not be changed until the call has ended.
func NewRaw(b []byte) *Raw { return &Raw{mem.SliceBuffer(b)} }

// Bytes returns the message, nil before it has come and after Release.
func (r *Raw) Bytes() []byte {
	if r.buf == nil {
		return nil
	}
	return r.buf.ReadOnlyData()
}

// Release gives the buffer back; Bytes may not be used any more. It may be called more
// than once.
func (r *Raw) Release() { release(&r.buf) }

func (r *Raw) keep(w *wireCodec, data mem.BufferSlice) error {
	r.Release()
	r.buf = w.whole(data)
	return nil
}

func (r *Raw) send(_ *wireCodec, to *piece) error {
	r.share() // with gRPC, which frees what it has sent
	to.list[0] = r.buf
	return nil
}

func (r *Raw) share() { share(r.buf) }

func share(buf mem.Buffer) {
	if buf != nil {
		buf.Ref()
	}
}

func release(buf *mem.Buffer) {
	if *buf != nil {
		(*buf).Free()
		*buf = nil
	}
}
