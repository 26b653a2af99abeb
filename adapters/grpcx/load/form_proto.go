package load

import (
	"fmt"
	"sync"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"

	"github.com/zmylab/zmy/adapters/grpcx/load/loadpb"
	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
)

// toProto converts m to protobuf.
func toProto(m *msg.Message) any {
	p := &loadpb.Message{Variant: m.Variant, Size: m.Size, Blob: m.Blob, Count: m.Count, Body: m.Body}
	for _, i := range m.Items {
		p.Items = append(p.Items, &loadpb.Item{Sku: i.Sku, Price: i.Price, Qty: i.Qty, Attrs: i.Attrs})
	}
	return p
}

func readProto(v any) (msg.Head, error) {
	m := v.(*loadpb.Message)
	h := msg.Head{Variant: m.Variant, Size: m.Size, Blob: m.Blob, Count: m.Count}
	for _, it := range m.Items {
		h.Sum.Text(it.Sku)
		h.Sum.Float(it.Price)
		h.Sum.Num(uint64(it.Qty))
		h.Sum.Blob(it.Attrs)
	}
	h.Sum.Blob(m.Body)
	return h, nil
}

// protobufForm uses gRPC's own codec. That codec resets a message before it unmarshals into it, so
// reusing messages would save no memory: target makes a new one for each call.
func protobufForm() *form {
	return &form{
		name: "protobuf", about: "protobuf-go by gRPC's own codec, its buffers pooled",
		send: toProto, read: readProto,
		target:  func() any { return new(loadpb.Message) },
		release: func(any) {},
	}
}

// vtForm takes messages, with all that they contain, from the pool that vtprotobuf generates.
func vtForm() *form {
	return &form{
		name: "vtprotobuf", about: "vtprotobuf: generated code, messages and buffers pooled", codec: new(vtCodec),
		send: toProto, read: readProto,
		target:  func() any { return loadpb.MessageFromVTPool() },
		release: func(v any) { v.(*loadpb.Message).ReturnToVTPool() },
	}
}

// vtCodec calls the methods of vtprotobuf. Its Unmarshal does not reset a message: messages from
// the pool are empty, except for memory to be filled.
type vtCodec struct{}

var _ encoding.CodecV2 = new(vtCodec)

func (*vtCodec) Name() string { return "vtprotobuf" }

func (*vtCodec) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(*loadpb.Message)
	if !ok {
		return nil, fmt.Errorf("load: vtprotobuf marshals messages, not %T", v)
	}
	size := m.SizeVT()
	if mem.IsBelowBufferPoolingThreshold(size) {
		b := make([]byte, size)
		_, err := m.MarshalToSizedBufferVT(b)
		return mem.BufferSlice{mem.SliceBuffer(b)}, err
	}
	pool := mem.DefaultBufferPool()
	buf := pool.Get(size)
	if _, err := m.MarshalToSizedBufferVT(*buf); err != nil {
		pool.Put(buf)
		return nil, err
	}
	return mem.BufferSlice{mem.NewBuffer(buf, pool)}, nil
}

func (*vtCodec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(*loadpb.Message)
	if !ok {
		return fmt.Errorf("load: vtprotobuf unmarshals into messages, not %T", v)
	}
	buf := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer buf.Free()
	return m.UnmarshalVT(buf.ReadOnlyData())
}

// rawName is the name of the codec that leaves bytes as they are.
const rawName = "raw"

// raw is a message of plain bytes.
type raw struct{ b []byte }

// rawCodec does not convert bytes, so that gRPC alone is measured.
type rawCodec struct{}

var _ encoding.CodecV2 = new(rawCodec)

func (*rawCodec) Name() string { return "zmy-load-raw" }

func (*rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(*raw)
	if !ok {
		return nil, fmt.Errorf("load: raw marshals bytes, not %T", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(m.b)}, nil
}

func (*rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(*raw)
	if !ok {
		return fmt.Errorf("load: raw unmarshals bytes, not %T", v)
	}
	if n := data.Len(); cap(m.b) < n {
		m.b = make([]byte, n)
	} else {
		m.b = m.b[:n]
	}
	data.CopyTo(m.b)
	return nil
}

func rawForm() *form {
	pool := sync.Pool{New: func() any { return new(raw) }}
	return &form{
		name: rawName, about: "no codec: bytes as they are, copied once on arrival; what gRPC itself takes", codec: new(rawCodec),
		send:   func(m *msg.Message) any { return &raw{appendRaw(nil, m)} },
		read:   func(v any) (msg.Head, error) { return readRaw(v.(*raw).b) },
		target: pool.Get, release: pool.Put,
	}
}
