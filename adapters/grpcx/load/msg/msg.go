// Package msg has the messages that zmy load grpc sends, as Go structs. New makes one of a given
// size. Packages loadpb and loadfb have the same messages as protobuf and FlatBuffers.
package msg

import (
	"encoding/binary"
	"math/rand/v2"
)

//go:generate fxjson -type=Message
//go:generate zmy gen -type=Message

// Message is a batch of records, or one block of bytes. Its first four fields describe it, so that
// a server can answer with a message of the same size and kind. They also tell a receiver what the
// message must contain.
type Message struct {
	Variant uint32 `json:"variant" zmy:"0"` // index among the messages of this size
	Size    uint32 `json:"size" zmy:"1"`    // bytes that were asked for
	Blob    bool   `json:"blob" zmy:"2"`    // a block of bytes instead of records
	Count   uint64 `json:"count" zmy:"3"`   // how many responses are wanted, or how many requests have arrived
	Items   []Item `json:"items" zmy:"4"`
	Body    []byte `json:"body" zmy:"5"`
}

// Item is a record: the line of an order.
type Item struct {
	Sku   string  `json:"sku" zmy:"0"`
	Price float64 `json:"price" zmy:"1"`
	Qty   int32   `json:"qty" zmy:"2"`
	Attrs []byte  `json:"attrs" zmy:"3"`
}

// Variants is how many different messages of each size are sent in turn. Branch predictors and
// caches would adapt to a single message.
const Variants = 4

// Approximate sizes of a message's parts as protobuf, from which New computes.
const (
	HeadBytes = 16 // the first four fields
	itemBytes = 46 // a record, at most
)

// Sizes that New makes.
const (
	MinSize = 64
	MaxSize = 16 << 20
)

// New returns a message that takes about size bytes as protobuf. The same arguments give the same
// message in every process.
func New(variant, size int, blob bool) *Message {
	r := rand.New(rand.NewPCG(uint64(size), uint64(variant)))
	m := &Message{Variant: uint32(variant), Size: uint32(size), Blob: blob}
	left := size - HeadBytes
	for !blob && left >= itemBytes {
		i := item(r)
		m.Items = append(m.Items, i)
		left -= 2 + 2 + len(i.Sku) + 9 + 2 + 2 + len(i.Attrs)
	}
	m.Body = Bytes(r, max(0, left-4))
	return m
}

func item(r *rand.Rand) Item {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"
	sku := []byte("SKU-00000000")
	for i := range sku[4:] {
		sku[4+i] = letters[r.IntN(len(letters))]
	}
	return Item{Sku: string(sku), Price: float64(r.IntN(100_000)) / 100, Qty: int32(1 + r.IntN(99)), Attrs: Bytes(r, 4+r.IntN(13))}
}

// Bytes returns n bytes: sixteen random ones, sixteen zeros, and so on, so that compression halves
// them.
func Bytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := 0; i < n; i += 8 {
		if i%32 < 16 {
			var word [8]byte
			binary.LittleEndian.PutUint64(word[:], r.Uint64())
			copy(b[i:], word[:])
		}
	}
	return b
}
