package gogo

import (
	"github.com/zmylab/zmy/adapters/protox/examples/gogo/gogopb"
	"github.com/zmylab/zmy/adapters/protox/examples/gogo/shop"
)

// FromGogo converts an order from gogo/protobuf's types. Because of the options, most of their
// fields have the plain Go types already.
func FromGogo(m *gogopb.Order) *shop.Order {
	o := &shop.Order{
		ID: m.ID, Customer: m.Customer, Placed: m.Placed, Paid: m.Paid, Within: m.Within, Stock: m.Stock,
		Audit: shop.Audit(m.Audit), Status: shop.Status(m.Status), Note: m.Note, Tags: m.Tags,
	}
	for _, i := range m.Items {
		o.Items = append(o.Items, shop.Item(i))
	}
	if m.ShipTo != nil {
		o.ShipTo = &shop.Address{City: m.ShipTo.City}
	}
	return o
}

// ToGogo is the reverse of FromGogo.
func ToGogo(o *shop.Order) *gogopb.Order {
	m := &gogopb.Order{
		ID: o.ID, Customer: o.Customer, Placed: o.Placed, Paid: o.Paid, Within: o.Within, Stock: o.Stock,
		Audit: gogopb.Audit(o.Audit), Status: gogopb.Status(o.Status), Note: o.Note, Tags: o.Tags,
	}
	for _, i := range o.Items {
		m.Items = append(m.Items, gogopb.Item(i))
	}
	if o.ShipTo != nil {
		m.ShipTo = &gogopb.Address{City: o.ShipTo.City}
	}
	return m
}
