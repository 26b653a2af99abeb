package gogo

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/zmylab/zmy/adapters/protox/examples/gogo/ids"
	"github.com/zmylab/zmy/adapters/protox/examples/gogo/pb"
	"github.com/zmylab/zmy/adapters/protox/examples/gogo/shop"
)

// This file does by hand what gogo/protobuf's options did in generated code.

// FromPB converts an order from protoc-gen-go's types. It fails if the length of the ID is neither
// 16 nor 0, because ids.ID cannot hold such an ID.
func FromPB(m *pb.Order) (*shop.Order, error) {
	id, err := ids.FromBytes(m.GetId())
	if err != nil {
		return nil, err
	}
	o := &shop.Order{
		ID: id, Customer: ids.Customer(m.GetCustomer()), Placed: timeOf(m.GetPlaced()), Within: m.GetWithin().AsDuration(),
		Audit: shop.Audit{By: m.GetAudit().GetBy(), At: timeOf(m.GetAudit().GetAt())}, Status: shop.Status(m.GetStatus()),
		Tags: m.GetTags(),
	}
	for _, i := range m.GetItems() {
		o.Items = append(o.Items, shop.Item{Sku: ids.SKU(i.GetSku()), Qty: i.GetQty(), Price: i.GetPrice()})
	}
	if p := m.GetPaid(); p != nil {
		t := p.AsTime()
		o.Paid = &t
	}
	if m.GetNote() != nil {
		s := m.GetNote().GetValue()
		o.Note = &s
	}
	if m.GetShipTo() != nil {
		o.ShipTo = &shop.Address{City: m.GetShipTo().GetCity()}
	}
	if len(m.GetStock()) > 0 {
		o.Stock = make(map[ids.SKU]int64, len(m.GetStock()))
		for k, v := range m.GetStock() {
			o.Stock[ids.SKU(k)] = v
		}
	}
	return o, nil
}

// ToPB is the reverse of FromPB. gogo/protobuf writes fields that are not nullable even if they are
// zero; ToPB leaves them out. Readers of both kinds take a missing field for zero.
func ToPB(o *shop.Order) *pb.Order {
	m := &pb.Order{Customer: string(o.Customer), Placed: timestampOf(o.Placed), Status: pb.Status(o.Status), Tags: o.Tags}
	if o.ID != (ids.ID{}) {
		m.Id = o.ID[:]
	}
	for _, i := range o.Items {
		m.Items = append(m.Items, &pb.Item{Sku: string(i.Sku), Qty: i.Qty, Price: i.Price})
	}
	if o.Paid != nil {
		m.Paid = timestamppb.New(*o.Paid)
	}
	if o.Within != 0 {
		m.Within = durationpb.New(o.Within)
	}
	if len(o.Stock) > 0 {
		m.Stock = make(map[string]int64, len(o.Stock))
		for k, v := range o.Stock {
			m.Stock[string(k)] = v
		}
	}
	if o.Audit != (shop.Audit{}) {
		m.Audit = &pb.Audit{By: o.Audit.By, At: timestampOf(o.Audit.At)}
	}
	if o.Note != nil {
		m.Note = wrapperspb.String(*o.Note)
	}
	if o.ShipTo != nil {
		m.ShipTo = &pb.Address{City: o.ShipTo.City}
	}
	return m
}

// timeOf converts a timestamp to a time. A nil timestamp becomes the zero time; its AsTime would
// return 1970.
func timeOf(t *timestamppb.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.AsTime()
}

// timestampOf converts a time to a timestamp. The zero time becomes nil.
func timestampOf(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}
