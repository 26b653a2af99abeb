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

// CodecOption directs [Codec].
type CodecOption func(*wireCodec)

// WithName registers the codec under another content-subtype than its own name:
// "json" for fxjson, whose bytes any JSON codec reads.
func WithName(name string) CodecOption {
	return func(w *wireCodec) { w.name = strings.ToLower(name) }
}

// WithPool takes buffers from pool in the place of one that all codecs share.
func WithPool(pool mem.BufferPool) CodecOption {
	return func(w *wireCodec) { w.pool = pool }
}

// Codec gives c to gRPC, as the codec of the content-subtype c.Name().
//
// Messages are marshalled into pooled buffers, which gRPC gives back when they are sent. Unmarshal
// copies where the buffers of what has arrived are used again, which those of small messages are
// not; a target of type [Held] or [Raw] keeps its buffer instead, until it is released.
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

// wireCodec is a codec.Codec as gRPC wants one.
type wireCodec struct {
	c    codec.Codec
	name string
	pool mem.BufferPool
	room *atomic.Int64 // for the next message: the size of the largest of late, at most maxRoom

	// Reads what need not be copied; nil if c might do more in Unmarshal, as a type that embeds a
	// codec.Viewer and so has its UnmarshalView.
	inPlace codec.Viewer
}

// of returns w as it serves the call of ctx: a codec that is a [codec.Contextual], such as those of
// a canary or an observer, is bound to it once, so that all messages of a call have one arm and one
// parent.
func (w *wireCodec) of(ctx context.Context) *wireCodec {
	c, ok := w.c.(codec.Contextual)
	if !ok {
		return w
	}
	bound := *w
	bound.c = c.WithContext(ctx)
	return &bound
}

// Name is the content-subtype.
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

// maxRoom is where reuse ends: what is asked of a pool beyond it is made anew, and would be for
// each of the small messages that come after a large one.
const maxRoom = 1 << maxBufferBits

// encode is Marshal unmeasured.
func (w *wireCodec) encode(v any) (mem.BufferSlice, error) {
	p := new(piece)
	err := w.encodeTo(p, v)
	return p.slice(), err
}

// encodeTo marshals v into p. Messages below gRPC's threshold for pooling are returned
// in memory of exactly their size: gRPC would not pool them, and they must not hold the
// larger buffer that they were made in.
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
	if len(out) > maxRoom && cap(out) > cap(*buf) { // grown to what no pool keeps, out of a buffer that it does
		w.pool.Put(buf)
		p.data = out
		p.list[0] = &p.data
		return nil
	}
	*buf = out // which may have grown out of the buffer: the pool takes it all the same
	if oversized(room, out) {
		fit := w.pool.Get(len(out))
		copy(*fit, out)
		w.pool.Put(buf)
		buf = fit
	}
	p.list[0] = mem.NewBuffer(buf, w.pool)
	return nil
}

// piece is a message in one buffer, with the list of buffers that gRPC wants: one allocation for
// both.
type piece struct {
	list [1]mem.Buffer
	data mem.SliceBuffer // what list points to, where the bytes are in no pool
}

// slice is the list, empty if there is no message.
func (p *piece) slice() mem.BufferSlice {
	if p.list[0] == nil {
		return nil
	}
	return p.list[:]
}

// oversized reports whether out is to be copied into a smaller buffer than the one that the pool
// gave for room, as messages may wait long until they are sent, and the one before this may have
// been a thousand times as large. A pool has steps of its own: a buffer is no better than another
// where little too much was asked for, or little too much was given.
func oversized(room int, out []byte) bool {
	return room > 2*len(out) && cap(out) > 4*len(out)
}

// learn lets the room for messages follow their sizes, up at once and down slowly.
func (w *wireCodec) learn(n int) {
	room, need := w.room.Load(), int64(min(n, maxRoom))
	switch {
	case need > room:
		w.room.Store(need)
	case room-need > room/4:
		w.room.Store(room - (room-need)/16)
	}
}

// Unmarshal stores the message into v. It keeps no reference to data, unless v is
// made to hold one.
func (w *wireCodec) Unmarshal(data mem.BufferSlice, v any) error {
	if p, ok := v.(*probe); ok {
		return p.unmarshal(data, p.v)
	}
	return w.decode(data, v)
}

// decode is Unmarshal unmeasured.
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

// read unmarshals the message b. Where its memory is used again the result must not point into it.
// Below the threshold for pooling gRPC reads each frame into memory of its own, a mem.SliceBuffer,
// which can be the result's: at most a kilobyte, and one copy less.
func (w *wireCodec) read(b mem.Buffer, v any) error {
	message := b.ReadOnlyData()
	if w.inPlace != nil && mem.IsBelowBufferPoolingThreshold(len(message)) {
		if _, own := b.(mem.SliceBuffer); own {
			return w.inPlace.UnmarshalView(message, v)
		}
	}
	return w.c.Unmarshal(message, v)
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
