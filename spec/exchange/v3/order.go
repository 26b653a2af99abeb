// Package v3 is the newest version of the exchanged types, ahead of the service.
package v3

import "time"

//go:generate zmy gen -type=Order
//go:generate zmy gen -lang=rust -type=Order -package=orders -o=../../../rust/exchange/src

// Order is one order.
type Order struct {
	ID       string            `zmy:"0"`
	Items    []Item            `zmy:"1"`
	Labels   map[string]string `zmy:"2"` // set by whoever handles the order
	Placed   time.Time         `zmy:"3"`
	Note     string            `zmy:"4"`
	Priority uint8             `zmy:"5"` // nobody writes it yet
	Gift     *Gift             `zmy:"6"`
}

// Item is one line of an Order.
type Item struct {
	Sku   string  `zmy:"0"`
	Qty   int32   `zmy:"1"`
	Price float64 `zmy:"2"`
	Attrs []byte  `zmy:"3"`
}

// Gift is how an Order is wrapped.
type Gift struct {
	Card string `zmy:"0"`
}
