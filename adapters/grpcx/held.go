package grpcx

import (
	"google.golang.org/grpc/mem"

	"github.com/zmylab/zmy/codec"
)

// kept is a message that keeps the buffer in which it arrived.
type kept interface {
	keep(w *wireCodec, data mem.BufferSlice) error
	send(w *wireCodec, to *piece) error
	share() // takes a reference to the buffer for a copy of the message; the copy is released separately
	Release()
}

// Held is a message of type T whose strings and bytes point into the buffer that gRPC received, so
// that nothing is copied. A client passes a *Held[T] for the reply. A server uses Held[T] as the
// type of a request:
//
//	var reply grpcx.Held[Order]
//	err := conn.Invoke(ctx, "/shop.Orders/Get", &id, &reply, grpc.CallContentSubtype("zmy"))
//	defer reply.Release()
//
// Nothing of V may be used after Release; copy with zmy.Clone what you need longer. A Held that is
// never released leaks no memory: the garbage collector frees its buffer, but the pool does not get
// it back. A codec that is not a codec.Viewer copies as usual.
type Held[T any] struct {
	V   T
	buf mem.Buffer // nil if V does not point into a buffer
}

// Release returns the buffer and sets V to zero. It may be called more than once.
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

// Raw is a message that is not unmarshalled at all. It is for proxies, and for views (ViewOrder and
// the like), which read single fields in place.
//
// It keeps its buffer like [Held]. Every codec of this package sends it unchanged, so the caller
// must make sure that its bytes are a message of the call's codec.
type Raw struct{ buf mem.Buffer }

// NewRaw returns a Raw to send. b must not be changed until the call has ended.
func NewRaw(b []byte) *Raw { return &Raw{mem.SliceBuffer(b)} }

// Bytes returns the message. It is nil before a message was received and after Release.
func (r *Raw) Bytes() []byte {
	if r.buf == nil {
		return nil
	}
	return r.buf.ReadOnlyData()
}

// Release returns the buffer. The slice of Bytes must not be used afterwards. Release may be called
// more than once.
func (r *Raw) Release() { release(&r.buf) }

func (r *Raw) keep(w *wireCodec, data mem.BufferSlice) error {
	r.Release()
	r.buf = w.whole(data)
	return nil
}

func (r *Raw) send(_ *wireCodec, to *piece) error {
	r.share() // gRPC frees what it has sent
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
