package grpcx

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"

	"github.com/zmylab/zmy/codec"
)

// CodecOption is an option of [Codec].
type CodecOption func(*wireCodec)

// WithName sets another content-subtype than the codec's own name, such as "json" for fxjson, whose
// output any JSON codec reads.
func WithName(name string) CodecOption {
	return func(w *wireCodec) { w.name = strings.ToLower(name) }
}

// WithPool takes buffers from pool instead of the pool that all codecs share.
func WithPool(pool mem.BufferPool) CodecOption {
	return func(w *wireCodec) { w.pool = pool }
}

// Codec makes a gRPC codec of c. Its content-subtype is c.Name() in lower case.
//
// Messages are marshalled into pooled buffers, which gRPC releases after sending. Unmarshalled
// values do not point into received buffers, with two exceptions. gRPC does not reuse the buffer of
// a message of at most a kilobyte, so values that codec.ZMY reads may point into it. A [Held] or
// [Raw] keeps its buffer until its method Release is called.
func Codec(c codec.Codec, opts ...CodecOption) encoding.CodecV2 {
	w := &wireCodec{c: c, name: strings.ToLower(c.Name()), pool: &buffers, room: new(atomic.Int64)}
	if z, ok := c.(codec.ZMY); ok {
		w.inPlace = z
	}
	for _, o := range opts {
		o(w)
	}
	return w
}

// wireCodec implements gRPC's codec interface with a codec.Codec.
type wireCodec struct {
	c    codec.Codec
	name string
	pool mem.BufferPool
	room *atomic.Int64 // bytes to ask of the pool for the next message, see learn

	// inPlace unmarshals without copying. It is nil unless c is exactly a codec.ZMY: a type that
	// embeds one has its UnmarshalView, but its own Unmarshal may do more.
	inPlace codec.Viewer
}

// of returns w for the call of ctx. If w's codec is a [codec.Contextual], such as the codec of a
// canary or an observer, of binds it to ctx once. So all messages of a call have the same arm, and
// their spans have the same parent.
func (w *wireCodec) of(ctx context.Context) *wireCodec {
	c, ok := w.c.(codec.Contextual)
	if !ok {
		return w
	}
	bound := *w
	bound.c = c.WithContext(ctx)
	return &bound
}

// Name returns the content-subtype.
func (w *wireCodec) Name() string { return w.name }

// Marshal returns v in buffers of the pool.
func (w *wireCodec) Marshal(v any) (mem.BufferSlice, error) {
	switch p := v.(type) {
	case *probe:
		return p.marshal(p.v)
	case *encodedReply:
		return p.slice(), p.err
	}
	return w.encode(v)
}

// maxRoom is the size of the largest buffer that the shared pool keeps. A larger buffer is
// allocated anew each time. If room grew beyond maxRoom, each small message after a large one would
// cost such an allocation.
const maxRoom = 1 << maxBufferBits

// encode marshals v without measuring.
func (w *wireCodec) encode(v any) (mem.BufferSlice, error) {
	p := new(piece)
	err := w.encodeTo(p, v)
	return p.slice(), err
}

// encodeTo marshals v into p. gRPC does not return the buffers of messages below its threshold for
// pooling. Such a message is copied into memory of exactly its size, so that it does not keep a
// large buffer in use.
func (w *wireCodec) encodeTo(p *piece, v any) error {
	if k, ok := v.(kept); ok {
		return k.send(w, p)
	}
	room := int(w.room.Load())
	buf := w.pool.Get(room)
	out, err := codec.Append(w.c, (*buf)[:0], v)
	if err != nil {
		w.pool.Put(buf)
		return err
	}
	w.learn(len(out))
	if mem.IsBelowBufferPoolingThreshold(len(out)) {
		p.data = bytes.Clone(out)
		p.list[0] = &p.data
		w.pool.Put(buf)
		return nil
	}
	// out has outgrown a buffer that the pool keeps, and is itself too large for the pool
	if len(out) > maxRoom && cap(out) > cap(*buf) {
		w.pool.Put(buf)
		p.data = out
		p.list[0] = &p.data
		return nil
	}
	*buf = out // if out has outgrown the buffer, the pool gets out instead
	if oversized(room, out) {
		fit := w.pool.Get(len(out))
		copy(*fit, out)
		w.pool.Put(buf)
		buf = fit
	}
	p.list[0] = mem.NewBuffer(buf, w.pool)
	return nil
}

// piece is a message in one buffer, together with the list of buffers that gRPC wants. Both are one
// allocation.
type piece struct {
	list [1]mem.Buffer
	data mem.SliceBuffer // the buffer in list, if it is not from a pool
}

// slice returns the list of buffers, nil if there is no message.
func (p *piece) slice() mem.BufferSlice {
	if p.list[0] == nil {
		return nil
	}
	return p.list[:]
}

// oversized reports whether out should be copied into a smaller buffer than the one that the pool
// gave for room. Messages may wait long to be sent, and the message before may have been a thousand
// times as large. Both conditions are needed because a pool's buffers grow in steps: asking for
// slightly less, or getting slightly too much, would not give a smaller buffer.
func oversized(room int, out []byte) bool {
	return room > 2*len(out) && cap(out) > 4*len(out)
}

// learn adapts room to the size of a message: upwards at once, downwards slowly.
func (w *wireCodec) learn(n int) {
	room, need := w.room.Load(), int64(min(n, maxRoom))
	switch {
	case need > room:
		w.room.Store(need)
	case room-need > room/4:
		w.room.Store(room - (room-need)/16)
	}
}

// Unmarshal stores the message in v. It keeps no reference to data, except in a [Held] or [Raw] and
// in small messages, whose memory gRPC does not reuse.
func (w *wireCodec) Unmarshal(data mem.BufferSlice, v any) error {
	if p, ok := v.(*probe); ok {
		return p.unmarshal(data, p.v)
	}
	return w.decode(data, v)
}

// decode unmarshals without measuring.
func (w *wireCodec) decode(data mem.BufferSlice, v any) error {
	if k, ok := v.(kept); ok {
		return k.keep(w, data)
	}
	if len(data) == 1 {
		return w.read(data[0], v)
	}
	whole := w.whole(data)
	defer whole.Free()
	return w.read(whole, v)
}

// read unmarshals the message b. If b's memory is reused, the result must not point into it. Below
// the threshold for pooling gRPC reads each frame into memory of its own, a mem.SliceBuffer. The
// result may keep that memory: it is at most a kilobyte, and a copy is saved.
func (w *wireCodec) read(b mem.Buffer, v any) error {
	message := b.ReadOnlyData()
	if w.inPlace != nil && mem.IsBelowBufferPoolingThreshold(len(message)) {
		if _, own := b.(mem.SliceBuffer); own {
			return w.inPlace.UnmarshalView(message, v)
		}
	}
	return w.c.Unmarshal(message, v)
}

// whole returns data in one buffer, which the caller frees. A small message gets memory of its own:
// gRPC returns no buffer below its threshold to the pool.
func (w *wireCodec) whole(data mem.BufferSlice) mem.Buffer {
	if n := data.Len(); len(data) != 1 && mem.IsBelowBufferPoolingThreshold(n) {
		b := make([]byte, n)
		data.CopyTo(b)
		return mem.SliceBuffer(b)
	}
	return data.MaterializeToBuffer(w.pool)
}
