package foreign

import (
	"net/netip"
	"net/url"
	"time"

	"example.org/golden/json/foreign/stock"
)

// Basket is made of other packages' types.
type Basket struct {
	Item   stock.Item
	Items  []*stock.Item
	ByCode map[stock.Code]stock.Item
	Addr   netip.Addr
	URL    url.URL
	stock.Place
	Month time.Month
}

var samples = []any{
	&Basket{},
	&Basket{
		Item:   stock.Item{Sku: "a", Size: 1},
		Items:  []*stock.Item{nil, {Sku: "b"}},
		ByCode: map[stock.Code]stock.Item{{1, 2}: {Sku: "c"}, {0, 255}: {}},
		Addr:   netip.MustParseAddr("::1"), URL: url.URL{Scheme: "http", Host: "x"},
		Place: stock.Place{Row: 1, Col: 2}, Month: time.May,
	},
}
