// Package v1 is the oldest version of the exchanged types, in a program that nobody has updated for
// long. The program passes on fields that it does not know.
package v1

import "github.com/zmylab/zmy"

//go:generate zmy gen -type=Order

// Order is one order.
type Order struct {
	ID     string            `zmy:"0"`
	Items  []Item            `zmy:"1"`
	Labels map[string]string `zmy:"2"` // set by whoever handles the order

	unknown zmy.Unknown
}

// Item is one line of an Order.
type Item struct {
	Sku string `zmy:"0"`
	Qty int32  `zmy:"1"`

	unknown zmy.Unknown
}
