// Package order is the subject "a business record with dynamic parts": three
// levels of structs, decimal prices of arbitrary precision, raw JSON, and metadata
// whose values have types that only the value knows: strings, ints, floats, bools, times,
// byte strings, integers beyond 64 bits and nested maps. About 2 KB of JSON.
//
// Counting each leaf as one field (a scalar, string, time, number, byte string or
// raw JSON text), at least 37% of the fields of every order are dynamic: the leaves
// of Metadata, and Attrs, whose content no Go type describes.
package order

import (
	"encoding/json"
	"math/big"
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
	Sku     string          `json:"sku" zmy:"0"`
	Price   *big.Float      `json:"price" zmy:"1"`
	Attrs   json.RawMessage `json:"attrs" zmy:"2"` // the catalogue's attributes, passed through
	Details SkuDetails      `json:"details" zmy:"3"`
}

// SkuDetails is the catalogue's entry for an item.
type SkuDetails struct {
	Name        string `json:"name" zmy:"0"`
	Brand       string `json:"brand" zmy:"1"`
	Description string `json:"description" zmy:"2"`
	WeightGrams int32  `json:"weight_grams" zmy:"3"`
}

// SampleOrder draws one order of 1–15 items, Poisson with a mean of 4.2.
func SampleOrder(r *rand.Rand) Order {
	at := sample.Time(r)
	o := Order{ID: sample.OrderID(r), Timestamp: at}
	for range sample.ItemCount(r) {
		o.Items = append(o.Items, sampleItem(r))
	}
	skus := make([]string, len(o.Items))
	for i := range o.Items {
		skus[i] = o.Items[i].Sku
	}
	o.Metadata = sample.OrderMetadata(r, at, skus)
	return o
}

func sampleItem(r *rand.Rand) Item {
	brand := sample.Brand(r)
	return Item{
		Sku:   sample.SKU(r),
		Price: sample.BigPrice(r),
		Attrs: sample.RawAttrs(r),
		Details: SkuDetails{
			Name:        sample.ProductName(r, brand),
			Brand:       brand,
			Description: sample.Text(r, 6+r.IntN(10)),
			WeightGrams: int32(sample.LogNormal(r, 400, 1)),
		},
	}
}
