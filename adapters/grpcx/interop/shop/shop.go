// Package shop is a gRPC service whose messages are plain structs and whose wire is protobuf, so that
// clients in any language call it. They know it by shop.proto, which is made from this file.
package shop

import (
	"context"
	"fmt"
	"iter"
	"time"
)

//go:generate fxproto -type=Key,Order,Receipt
//go:generate zmy gen -grpc -type=Orders
//go:generate zmy gen -lang proto -type=Orders

// Orders keeps orders.
type Orders interface {
	// Get returns an order.
	//
	//zmy:rpc GetOrder
	Get(context.Context, *Key) (*Order, error)
	// List returns as many orders as the key says.
	List(context.Context, *Key) iter.Seq2[*Order, error]
	// Put takes orders, which must be as Get returns them.
	Put(context.Context, iter.Seq2[*Order, error]) (*Receipt, error)
	// Price answers each order with what it costs, as it comes.
	Price(context.Context, iter.Seq2[*Order, error]) iter.Seq2[*Receipt, error]
}

// Key names an order.
type Key struct {
	Number int32 `proto:"1"`
}

// Receipt sums orders up.
type Receipt struct {
	Orders int64   `proto:"1"`
	Total  float64 `proto:"2"`
}

// Order has a field of most kinds.
type Order struct {
	ID      string           `proto:"1"`
	Items   []Item           `proto:"2"`
	Placed  time.Time        `proto:"3"`
	Due     time.Duration    `proto:"4"`
	Labels  map[string]int64 `proto:"5,val:sint"`
	Note    *string          `proto:"6"`
	State   State            `proto:"7"`
	Voucher *string          `proto:"8,oneof:payment"`
	Card    *Card            `proto:"9,oneof:payment"`
	Balance int64            `proto:"10,sint"`
	Serial  uint64           `proto:"11,fixed"`
	Seal    []byte           `proto:"12"`
	Weights []float64        `proto:"13"`
}

// Item is a line of an order.
type Item struct {
	SKU   string  `proto:"1"`
	Price float64 `proto:"2"`
	Qty   int32   `proto:"3"`
}

// Card is a way to pay.
type Card struct {
	Token string `proto:"1"`
}

// State is where an order stands.
type State int32

// The states.
const (
	StateUnspecified State = iota
	StatePaid
	StateSent
)

// Sample returns order number n.
func Sample(n int32) *Order {
	k := int64(n)
	o := &Order{ID: fmt.Sprintf("A-%d", n), Placed: time.Unix(1700000000+k, 5*k).UTC(), Due: time.Duration(k) * 1500 * time.Millisecond,
		Labels: map[string]int64{"höher": k, "low": -k}, State: State(n % 3), Balance: -1000 * k, Serial: 1<<63 + uint64(k),
		Seal: []byte{byte(n), 0, 255}, Weights: []float64{0.5 * float64(n), -1.25}}
	for i := range n%3 + 1 {
		o.Items = append(o.Items, Item{SKU: fmt.Sprintf("sku-%d", i), Price: 4.5 + float64(n), Qty: i + 1})
	}
	if n%2 == 1 {
		note := ""
		o.Note = &note
	}
	switch n % 3 {
	case 1:
		voucher := "V"
		o.Voucher = &voucher
	case 2:
		o.Card = &Card{Token: fmt.Sprint("t", n)}
	}
	return o
}
