// Package orderlarge is package order at the size of a wholesale order: the same types, some 590
// items with a paragraph of product text each, 416 KB of JSON on average. Its texts have the
// entropy of prose (see examples/internal/sample), and as in any such order many lines are variants
// of one product: about every second item shares name, brand and description with the item before
// it, and differs in the other fields. This redundancy decides how well an order can be compressed.
package orderlarge

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

// medianItems makes the JSON form average 416 KB.
const medianItems = 580

// SampleOrder draws one order. The number of items is log-normal; one order in a hundred has more
// than 1.4 times the median.
func SampleOrder(r *rand.Rand) Order {
	at := sample.Time(r)
	o := Order{ID: sample.OrderID(r), Timestamp: at}
	for range int(sample.LogNormal(r, medianItems, 0.15)) {
		it := sampleItem(r)
		if n := len(o.Items); n > 0 && sample.Chance(r, 0.5) { // another variant of the previous product
			it.Details = o.Items[n-1].Details
		}
		o.Items = append(o.Items, it)
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
			Description: sample.Text(r, 40+r.IntN(61)),
			WeightGrams: int32(sample.LogNormal(r, 400, 1)),
		},
	}
}
