package foreign

import (
	"time"

	"example.org/golden/zmy/foreign/stock"
)

// Basket is made of other packages' types.
type Basket struct {
	Item  stock.Item            `zmy:"0"`
	Items []*stock.Item         `zmy:"1"`
	By    map[string]stock.Item `zmy:"2"`
	Month time.Month            `zmy:"3"`
}

var samples = []any{
	&Basket{},
	&Basket{Item: stock.Item{Sku: "a", Size: 1}, Items: []*stock.Item{{Sku: "b"}}, By: map[string]stock.Item{"k": {Sku: "c"}}, Month: time.May},
}
