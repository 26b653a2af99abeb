// Package orderliteany is package orderlite with a map of dynamic values: the
// difference between the two is the price of `any`.
package orderliteany

import (
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Order
//go:generate zmy gen -type Order

// Order is one order.
type Order struct {
	ID        string         `json:"id" zmy:"0"`
	Items     []Item         `json:"items" zmy:"1"`
	Metadata  map[string]any `json:"metadata" zmy:"2"`
	Timestamp time.Time      `json:"timestamp" zmy:"3"`
}

// Item is one line of an order.
type Item struct {
	Sku   string  `json:"sku" zmy:"0"`
	Price float64 `json:"price" zmy:"1"`
	Qty   int32   `json:"qty" zmy:"2"`
	Attrs []byte  `json:"attrs" zmy:"3"` // opaque to the order service, often empty
}

// SampleOrder draws one order whose metadata holds two strings, an int, a float, a
// bool and a nested map of two entries.
func SampleOrder(r *rand.Rand) Order {
	o := Order{
		ID: sample.OrderID(r),
		Metadata: map[string]any{
			"channel":  sample.Pick(r, []string{"web", "ios", "android", "phone", "store"}),
			"currency": sample.Pick(r, []string{"EUR", "USD", "GBP", "JPY"}),
			"points":   r.IntN(5000),
			"risk":     sample.Round(r.Float64(), 3),
			"gift":     sample.Chance(r, 0.15),
			"customer": map[string]any{"tier": sample.Pick(r, []string{"bronze", "silver", "gold"}), "orders": 1 + r.IntN(200)},
		},
		Timestamp: sample.Time(r),
	}
	for range sample.ItemCount(r) {
		o.Items = append(o.Items, Item{
			Sku:   sample.SKU(r),
			Price: sample.Price(r),
			Qty:   1 + int32(r.IntN(10)),
			Attrs: sample.Bytes(r, r.IntN(24)),
		})
	}
	return o
}
