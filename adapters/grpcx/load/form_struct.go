package load

import (
	"fmt"
	"sync"

	"google.golang.org/grpc/encoding"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/adapters/grpcx"
	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
	"github.com/zmylab/zmy/codec"
)

// structForm uses a codec whose messages are the Go struct. Targets are pooled; whether their
// slices are filled again depends on the codec.
func structForm(c codec.Codec, name, about string) *form {
	return structFormV2(grpcx.Codec(c, grpcx.WithName(name)), name, about)
}

func structFormV2(c encoding.CodecV2, name, about string) *form {
	pool := sync.Pool{New: func() any { return new(msg.Message) }}
	return &form{
		name: name, about: about, codec: c,
		send:    func(m *msg.Message) any { return m },
		target:  pool.Get,
		read:    func(v any) (msg.Head, error) { return v.(*msg.Message).Head(), nil },
		release: pool.Put,
	}
}

// limits are the limits in bytes for a message of msg.MaxSize.
const limits = 2 * msg.MaxSize

// zmyCodec is ZMY native with limits for large messages. It unmarshals into the slices that a
// target already has.
var zmyCodec = sync.OnceValue(func() encoding.CodecV2 {
	return grpcx.Codec(codec.ZMY{
		MarshalOptions:   zmy.MarshalOptions{MaxWire: limits, MaxRaw: limits},
		UnmarshalOptions: zmy.UnmarshalOptions{MaxWire: limits, MaxRaw: limits, Budget: 16 * limits, Reuse: true},
	})
})

// viewForm reads messages of ZMY in place.
func viewForm() *form {
	pool := sync.Pool{New: func() any { return new(grpcx.Raw) }}
	return &form{
		name: "zmy-view", about: "ZMY native, verified and read in place", codec: zmyCodec(),
		send:   func(m *msg.Message) any { return m },
		target: pool.Get,
		read:   func(v any) (msg.Head, error) { return readView(v.(*grpcx.Raw).Bytes()) },
		release: func(v any) {
			v.(*grpcx.Raw).Release()
			pool.Put(v)
		},
	}
}

func readView(b []byte) (msg.Head, error) {
	v, err := msg.ViewMessageOptions(b, zmy.UnmarshalOptions{MaxWire: limits, MaxRaw: limits})
	if err != nil {
		return msg.Head{}, err
	}
	h := msg.Head{Variant: v.Variant(), Size: v.Size(), Blob: v.Blob(), Count: v.Count()}
	for i := range v.ItemsLen() {
		it := v.Items(i)
		h.Sum.Text(it.Sku())
		h.Sum.Float(it.Price())
		h.Sum.Num(uint64(it.Qty()))
		h.Sum.Blob(it.Attrs())
	}
	h.Sum.Blob(v.Body())
	if err := v.Err(); err != nil {
		return h, fmt.Errorf("view: %w", err)
	}
	return h, nil
}
