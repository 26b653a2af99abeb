package gogo

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/adapters/protox/examples/gogo/ids"
	"github.com/zmylab/zmy/adapters/protox/examples/gogo/shop"
)

// full has something in every field.
func full() *shop.Order {
	placed, note := time.Date(2024, 5, 1, 10, 0, 0, 123, time.UTC), "ring twice"
	paid := placed.Add(time.Minute)
	return &shop.Order{
		ID: ids.ID{1, 2, 3, 15: 9}, Customer: "ada", Items: []shop.Item{{Sku: "tea", Qty: 2, Price: 3.5}, {Sku: "cup", Qty: -1}},
		Placed: placed, Paid: &paid,
		Within: 90 * time.Second, Stock: map[ids.SKU]int64{"tea": 40}, Audit: shop.Audit{By: "till 3", At: placed},
		Status: shop.StatusPaid, Note: &note,
		Tags: []int64{7, -8, 1 << 40}, ShipTo: &shop.Address{City: "Wien"},
	}
}

// with is full after a change.
func with(change func(o *shop.Order)) *shop.Order {
	o := full()
	change(o)
	return o
}

// random draws an order in which any part may be missing or zero.
func random(r *rand.Rand) *shop.Order {
	o, some := new(shop.Order), func() bool { return r.IntN(3) > 0 }
	at := func() time.Time { return time.Unix(r.Int64N(1<<34)-1<<33, r.Int64N(1e9)).UTC() }
	if some() {
		for i := range o.ID {
			o.ID[i] = byte(r.IntN(256))
		}
	}
	if some() {
		o.Customer = ids.Customer(fmt.Sprint("customer ", r.IntN(1000)))
	}
	for range r.IntN(4) {
		o.Items = append(o.Items, shop.Item{Sku: ids.SKU(fmt.Sprint("sku ", r.IntN(9))), Qty: r.Int32N(3) - 1, Price: float64(r.IntN(3))})
	}
	if some() {
		o.Placed = at()
	}
	if some() {
		t := at()
		o.Paid = &t
	}
	if some() {
		o.Within = time.Duration(r.Int64N(1<<40) - 1<<39)
	}
	for range r.IntN(4) {
		if o.Stock == nil {
			o.Stock = map[ids.SKU]int64{}
		}
		o.Stock[ids.SKU(fmt.Sprint("sku ", r.IntN(9)))] = r.Int64N(5)
	}
	if some() {
		o.Audit.By = "till"
	}
	if some() {
		o.Audit.At = at()
	}
	o.Status = shop.Status(r.Int32N(3))
	if some() {
		s := "note"[:r.IntN(5)]
		o.Note = &s
	}
	for range r.IntN(4) {
		o.Tags = append(o.Tags, r.Int64()-1<<62)
	}
	if some() {
		o.ShipTo = &shop.Address{City: "Wien"[:r.IntN(5)]}
	}
	return o
}
