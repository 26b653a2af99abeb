// Package shop is a gRPC service without a .proto: an interface, and messages that are Go structs.
// Nothing else is written by hand.
package shop

import (
	"context"
	"iter"

	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

//go:generate zmy gen -type=Key,Receipt
//go:generate zmy gen -grpc -type=Orders

// Orders keeps orders.
type Orders interface {
	// Get returns an order.
	//
	//zmy:rpc GetOrder
	Get(context.Context, *Key) (*orderlite.Order, error)
	// List returns the orders whose IDs begin with that of the key.
	List(context.Context, *Key) iter.Seq2[*orderlite.Order, error]
	// Put stores orders.
	Put(context.Context, iter.Seq2[*orderlite.Order, error]) (*Receipt, error)
	// Price answers each order with what it costs, as it comes.
	Price(context.Context, iter.Seq2[*orderlite.Order, error]) iter.Seq2[*Receipt, error]
}

// Key names an order.
type Key struct {
	ID string `zmy:"0"`
}

// Receipt sums orders up.
type Receipt struct {
	Orders int64   `zmy:"0"`
	Total  float64 `zmy:"1"`
}
