// Package msg is what zmy load grpc sends: one message of a size that is asked for, in the form
// of a Go struct. Packages loadpb and loadfb have the same as protobuf and FlatBuffers.
package msg

import (
	"encoding/binary"
	"math/rand/v2"
)

//go:generate fxjson -type=Message
//go:generate zmy gen -type=Message

// Message is a batch of records, or one block of bytes. Its first four fields say what it is, so
// that a server answers with the like and whoever receives it knows what it must hold.
type Message struct {
	Variant uint32 `json:"variant" zmy:"0"` // which of the messages of its size
	Size    uint32 `json:"size" zmy:"1"`    // that was asked for, in bytes
	Blob    bool   `json:"blob" zmy:"2"`    // no records
	Count   uint64 `json:"count" zmy:"3"`   // how many responses are wanted, or how many requests have come
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

// Variants is how many messages of each size there are, sent by turns: one alone would be
// learnt by heart by branch predictors and caches.
const Variants = 4

// The protobuf encoding of a message's parts takes about so many bytes; New goes by that.
const (
	HeadBytes = 16 // the first four fields
	itemBytes = 46 // of a record, at most
)

// Sizes that New makes.
const (
	MinSize = 64
	MaxSize = 16 << 20
)

// New is a message that takes about size bytes as protobuf. The same arguments give the same
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

// Bytes are n bytes of which every other sixteen are random, so that a compressor halves them.
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
