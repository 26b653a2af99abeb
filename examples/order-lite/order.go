// Package orderlite is the subject of most speed comparisons between binary
// formats: an order of static types only, 1–15 items (4.2 on average) and a map
// of strings; about 480 bytes of JSON.
package orderlite

import (
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Order
//go:generate zmy gen -type Order

// Order is one order.
type Order struct {
	ID        string            `json:"id" zmy:"0"`
	Items     []Item            `json:"items" zmy:"1"`
	Metadata  map[string]string `json:"metadata" zmy:"2"`
	Timestamp time.Time         `json:"timestamp" zmy:"3"`
}

// Item is one line of an order.
type Item struct {
	Sku   string  `json:"sku" zmy:"0"`
	Price float64 `json:"price" zmy:"1"`
	Qty   int32   `json:"qty" zmy:"2"`
	Attrs []byte  `json:"attrs" zmy:"3"` // opaque to the order service, often empty
}

// SampleOrder draws one order with four metadata entries.
func SampleOrder(r *rand.Rand) Order {
	o := Order{
		ID: sample.OrderID(r),
		Metadata: map[string]string{
			"channel":       sample.Pick(r, []string{"web", "ios", "android", "phone", "store"}),
			"region":        sample.Pick(r, []string{"eu-central", "us-east", "ap-south"}),
			"customer-tier": sample.Pick(r, []string{"bronze", "silver", "gold", "platinum"}),
			"currency":      sample.Pick(r, []string{"EUR", "USD", "GBP", "JPY"}),
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
