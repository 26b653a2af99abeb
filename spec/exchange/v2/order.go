// Package v2 is the version of the exchanged types that the service writes.
package v2

import "time"

//go:generate zmy gen -type=Order

// Order is one order.
type Order struct {
	ID     string            `zmy:"0"`
	Items  []Item            `zmy:"1"`
	Labels map[string]string `zmy:"2"` // set by whoever handles the order
	Placed time.Time         `zmy:"3"`
	Note   string            `zmy:"4"`
}

// Item is one line of an Order.
type Item struct {
	Sku   string  `zmy:"0"`
	Qty   int32   `zmy:"1"`
	Price float64 `zmy:"2"`
}
