package grpcx

import (
	"bytes"
	"strings"
	"sync/atomic"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"

	"github.com/zmylab/zmy/codec"
)

// CodecOption directs [Codec].
type CodecOption func(*wireCodec)

// WithName registers the codec under another content-subtype than its own name:
// "json" for fxjson, whose bytes any JSON codec reads.
func WithName(name string) CodecOption {
	return func(w *wireCodec) { w.name = strings.ToLower(name) }
}

// WithPool takes buffers from pool in the place of gRPC's own.
func WithPool(pool mem.BufferPool) CodecOption {
	return func(w *wireCodec) { w.pool = pool }
}

// Codec gives c to gRPC, as the codec of the content-subtype c.Name().
//
// Messages are marshalled into buffers of gRPC's pool, which it takes back when they
// are sent. Unmarshal copies, as the buffers of what has arrived are used again; a
// target of type [Held] or [Raw] keeps its buffer instead, until it is released.
func Codec(c codec.Codec, opts ...CodecOption) encoding.CodecV2 {
	w := &wireCodec{c: c, name: strings.ToLower(c.Name()), pool: mem.DefaultBufferPool()}
	for _, o := range opts {
		o(w)
	}
	return w
}

// wireCodec is a codec.Codec as gRPC wants one.
type wireCodec struct {
	c    codec.Codec
	name string
	pool mem.BufferPool
	room atomic.Int64 // for the next message: the size of the largest of late
}

// Name is the content-subtype.
func (w *wireCodec) Name() string { return w.name }

// Marshal returns v in buffers of the pool.
func (w *wireCodec) Marshal(v any) (mem.BufferSlice, error) {
	if p, ok := v.(*probe); ok {
		return p.marshal(w, p.v)
	}
	if c := claim(v); c != nil {
		defer c.free()
		return c.marshal(w, v)
	}
	return w.encode(v)
}

// encode is Marshal unmeasured. Messages below gRPC's threshold for pooling are returned
// in memory of exactly their size: gRPC would not pool them, and they must not hold the
// larger buffer that they were made in.
func (w *wireCodec) encode(v any) (mem.BufferSlice, error) {
	if k, ok := v.(kept); ok {
		return k.send(w)
	}
	room := int(w.room.Load())
	buf := w.pool.Get(room)
	out, err := codec.Append(w.c, (*buf)[:0], v)
	if err != nil {
		w.pool.Put(buf)
		return nil, err
	}
	w.learn(len(out))
	if mem.IsBelowBufferPoolingThreshold(len(out)) {
		small := mem.SliceBuffer(bytes.Clone(out))
		w.pool.Put(buf)
		return mem.BufferSlice{small}, nil
	}
	*buf = out // which may have grown out of the buffer: the pool takes it all the same
	if oversized(room, out) {
		fit := w.pool.Get(len(out))
		copy(*fit, out)
		w.pool.Put(buf)
		buf = fit
	}
	return mem.BufferSlice{mem.NewBuffer(buf, w.pool)}, nil
}

// oversized reports whether out is to be copied into a smaller buffer than the one that the pool gave
// for room, as messages may wait long until they are sent, and the one before this may have been a
// thousand times as large. A pool has steps of its own: a buffer is no better than
// another where little too much was asked for, or little too much was given.
func oversized(room int, out []byte) bool {
	return room > 2*len(out) && cap(out) > 4*len(out)
}

// learn lets the room for messages follow their sizes, up at once and down slowly.
func (w *wireCodec) learn(n int) {
	room := w.room.Load()
	switch {
	case int64(n) > room:
		w.room.Store(int64(n))
	case room-int64(n) > room/4:
		w.room.Store(room - (room-int64(n))/16)
	}
}

// Unmarshal stores the message into v. It keeps no reference to data, unless v is
// made to hold one.
func (w *wireCodec) Unmarshal(data mem.BufferSlice, v any) error {
	if p, ok := v.(*probe); ok {
		return p.unmarshal(w, data, p.v)
	}
	return w.decode(data, v)
}

// decode is Unmarshal unmeasured.
func (w *wireCodec) decode(data mem.BufferSlice, v any) error {
	if k, ok := v.(kept); ok {
		return k.keep(w, data)
	}
	if len(data) == 1 {
		return w.c.Unmarshal(data[0].ReadOnlyData(), v)
	}
	whole := w.whole(data)
	defer whole.Free()
	return w.c.Unmarshal(whole.ReadOnlyData(), v)
}

// whole returns data in one piece, to be freed. Small messages get memory of their own: a
// buffer that is below gRPC's threshold does not find its way back into the pool.
func (w *wireCodec) whole(data mem.BufferSlice) mem.Buffer {
	if n := data.Len(); len(data) != 1 && mem.IsBelowBufferPoolingThreshold(n) {
		b := make([]byte, n)
		data.CopyTo(b)
		return mem.SliceBuffer(b)
	}
	return data.MaterializeToBuffer(w.pool)
}
