package foreign

import (
	"encoding/json"
	"time"

	"example.org/golden/proto/foreign/stock"
)

// Basket is made of other packages' types.
type Basket struct {
	Item                       stock.Item                       `proto:"1"`
	Items                      []*stock.Item                    `proto:"2"`
	ByCode                     map[stock.Code]stock.Item        `proto:"3"`
	Locked                     *stock.Locked                    `proto:"4"`
	Pairs                      []stock.Pair[string, stock.Item] `proto:"5"`
	Raw                        json.RawMessage                  `proto:"6"`
	Month                      json.Number                      `proto:"7"`
	stock.Pair[int32, *Basket] `proto:"8"`
	Times                      Times `proto:"9"`
}

// Times is a named list.
type Times []time.Time

var samples = []any{
	&Basket{},
	&Basket{
		Item: stock.Item{Sku: "a", Size: 1}, Items: []*stock.Item{{}, {Sku: "b"}}, ByCode: map[stock.Code]stock.Item{-1: {Sku: "c"}, 2: {}},
		Locked: &stock.Locked{N: 3}, Pairs: []stock.Pair[string, stock.Item]{{Key: "k", Value: stock.Item{Size: 4}}},
		Raw: json.RawMessage("{}"), Month: "5", Pair: stock.Pair[int32, *Basket]{Key: 6, Value: &Basket{Raw: json.RawMessage("1")}},
		Times: Times{time.Unix(1, 2).UTC(), time.Unix(0, 0).UTC()},
	},
}
