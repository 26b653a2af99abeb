package load

import (
	"errors"
	"fmt"
	"sync"

	flatbuffers "github.com/google/flatbuffers/go"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"

	"github.com/zmylab/zmy/adapters/grpcx/load/loadfb"
	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
)

// flatbuffersForm builds messages from the Go struct with reused builders, hands their memory to
// gRPC without a copy, and reads received messages in place.
func flatbuffersForm() *form {
	pool := sync.Pool{New: func() any { return new(flatMessage) }}
	return &form{
		name: "flatbuffers", about: "FlatBuffers: builders pooled and sent from where they built, messages read in place (its Go " +
			"runtime has no verifier)", codec: new(flatCodec),
		send:   func(m *msg.Message) any { return m },
		target: pool.Get,
		read:   func(v any) (msg.Head, error) { return readFlat(v.(*flatMessage).bytes()) },
		release: func(v any) {
			v.(*flatMessage).release()
			pool.Put(v)
		},
	}
}

// flatMessage is a received message in its buffer.
type flatMessage struct{ buf mem.Buffer }

func (m *flatMessage) bytes() []byte {
	if m.buf == nil {
		return nil
	}
	return m.buf.ReadOnlyData()
}

func (m *flatMessage) release() {
	if m.buf != nil {
		m.buf.Free()
		m.buf = nil
	}
}

// flatCodec is gRPC's codec for FlatBuffers.
type flatCodec struct{}

var _ encoding.CodecV2 = new(flatCodec)

func (*flatCodec) Name() string { return "flatbuffers" }

// builder is also a mem.BufferPool with one buffer, its own: gRPC returns the buffer when the
// message was sent.
type builder struct {
	*flatbuffers.Builder
	items []flatbuffers.UOffsetT // the items of the message being built
	done  []byte
}

var builders = sync.Pool{New: func() any { return &builder{Builder: flatbuffers.NewBuilder(1 << 10)} }}

// Get is never called: gRPC only returns buffers.
func (b *builder) Get(n int) *[]byte {
	out := make([]byte, n)
	return &out
}

// Put returns the builder to the pool.
func (b *builder) Put(*[]byte) { builders.Put(b) }

func (*flatCodec) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(*msg.Message)
	if !ok {
		return nil, fmt.Errorf("load: flatbuffers marshals messages, not %T", v)
	}
	b := builders.Get().(*builder)
	b.build(m)
	b.done = b.FinishedBytes()
	if mem.IsBelowBufferPoolingThreshold(cap(b.done)) { // gRPC would not return such a small buffer
		small := append(mem.SliceBuffer(nil), b.done...)
		builders.Put(b)
		return mem.BufferSlice{small}, nil
	}
	return mem.BufferSlice{mem.NewBuffer(&b.done, b)}, nil
}

func (*flatCodec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(*flatMessage)
	if !ok {
		return fmt.Errorf("load: flatbuffers unmarshals into its own messages, not %T", v)
	}
	m.release()
	m.buf = data.MaterializeToBuffer(mem.DefaultBufferPool())
	return nil
}

// build builds the message. FlatBuffers needs strings and vectors before the tables that contain
// them.
func (b *builder) build(m *msg.Message) {
	b.Reset()
	b.items = b.items[:0]
	for i := range m.Items {
		it := &m.Items[i]
		sku, attrs := b.CreateString(it.Sku), b.CreateByteVector(it.Attrs)
		loadfb.ItemStart(b.Builder)
		loadfb.ItemAddSku(b.Builder, sku)
		loadfb.ItemAddPrice(b.Builder, it.Price)
		loadfb.ItemAddQty(b.Builder, it.Qty)
		loadfb.ItemAddAttrs(b.Builder, attrs)
		b.items = append(b.items, loadfb.ItemEnd(b.Builder))
	}
	var items, body flatbuffers.UOffsetT
	if len(b.items) > 0 {
		loadfb.MessageStartItemsVector(b.Builder, len(b.items))
		for i := len(b.items) - 1; i >= 0; i-- {
			b.PrependUOffsetT(b.items[i])
		}
		items = b.EndVector(len(b.items))
	}
	if len(m.Body) > 0 {
		body = b.CreateByteVector(m.Body)
	}
	loadfb.MessageStart(b.Builder)
	loadfb.MessageAddVariant(b.Builder, m.Variant)
	loadfb.MessageAddSize(b.Builder, m.Size)
	loadfb.MessageAddBlob(b.Builder, m.Blob)
	loadfb.MessageAddCount(b.Builder, m.Count)
	if items != 0 {
		loadfb.MessageAddItems(b.Builder, items)
	}
	if body != 0 {
		loadfb.MessageAddBody(b.Builder, body)
	}
	b.Finish(loadfb.MessageEnd(b.Builder))
}

var errFlat = errors.New("flatbuffers: no message")

// readFlat reads a message in place. The library panics on a damaged message; readFlat returns that
// as an error.
func readFlat(b []byte) (h msg.Head, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errFlat, p)
		}
	}()
	if len(b) < flatbuffers.SizeUOffsetT {
		return h, errFlat
	}
	var m loadfb.Message
	m.Init(b, flatbuffers.GetUOffsetT(b))
	h = msg.Head{Variant: m.Variant(), Size: m.Size(), Blob: m.Blob(), Count: m.Count()}
	n := m.ItemsLength()
	if n > len(b) {
		return h, errFlat
	}
	var it loadfb.Item
	for i := range n {
		m.Items(&it, i)
		h.Sum.Blob(it.Sku())
		h.Sum.Float(it.Price())
		h.Sum.Num(uint64(it.Qty()))
		h.Sum.Blob(it.AttrsBytes())
	}
	h.Sum.Blob(m.BodyBytes())
	return h, nil
}
