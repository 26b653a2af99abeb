// Package shop has types whose .proto file is a golden file.
package shop

import (
	"context"
	"iter"
	"time"

	"github.com/zmylab/zmy/fxproto"
)

// Order is what a customer has bought.
//
// It has two paragraphs.
//
//zmy:proto-reserved 4, 20 to 29
//zmy:proto-reserved "old_note"
type Order struct {
	// ID is unique.
	ID     string `proto:"1"`
	State  Status `proto:"2"`
	Lines  []Line `proto:"3"`
	UserID int64  `proto:"5,name:customer_id" json:"customerId"`
	// Note is for the parcel service.
	//
	// Deprecated: nobody reads it.
	Note     *string          `proto:"6" json:"remark,omitempty"`
	Labels   map[string]Money `proto:"7"`
	Codes    []int32          `proto:"8,unpacked"`
	Created  time.Time        `proto:"9"`
	Took     time.Duration    `proto:"10"`
	Timeout  time.Duration    `proto:"11,varint"`
	Digest   [16]byte         `proto:"12"`
	Level    level            `proto:"13"`
	HTTPPort uint32           `proto:"14,fixed"`
	Extra    map[int32]*Order `proto:"15"`
	Page     Page[Line]       `proto:"16"`
	Weight   Kind             `proto:"17"`
	Note2    []byte           `proto:"18,optional"`
	Card     *Card            `proto:"30,oneof:payment"`
	Cash     *bool            `proto:"31,oneof:payment"` // or cash
	Address  struct {         // where it goes
		Street string `proto:"1"`
		Parts  []struct {
			Text string `proto:"1"`
		} `proto:"2"`
	} `proto:"32"`
	Quoted string `proto:"33" json:"a\"b\\c"`
	// Delivery is how it is sent.
	Delivery Delivery       `proto:"oneof"`
	Gift     Gift           `proto:"oneof,name:present"`
	Comment  *string        `proto:"38,wrapper"`
	Detail   *fxproto.Any   `proto:"39"`
	Fields   map[string]any `proto:"40"`

	Unknown fxproto.Unknown
	Hidden  string `proto:"-"`
}

// Delivery is how an order is sent.
//
//zmy:union Parcel=34 Collected=35
type Delivery interface{ isDelivery() }

// Parcel is sent by post.
type Parcel struct {
	Weight uint32 `proto:"1"`
}

// Collected has a comment that is not in the .proto file.
type Collected struct {
	// Where it is waiting.
	At string `proto:"35,oneof,name:collected_at"`
}

func (*Parcel) isDelivery()    {}
func (*Collected) isDelivery() {}

// Gift has no directive, since the fields of its structs have numbers.
type Gift interface{ isGift() }

type GiftText struct {
	Text string `proto:"36,oneof" json:"cardText"`
}

type GiftBox struct {
	Box struct {
		Colour string `proto:"1"`
	} `proto:"37,oneof"`
}

func (*GiftText) isGift() {}
func (*GiftBox) isGift()  {}

// Line is a line of an order.
type Line struct {
	SKU   string   `proto:"1"`
	Count uint16   `proto:"2"`
	Price Money    `proto:"3"`
	Unit  LineUnit `proto:"4"`
}

type Money struct {
	Units int64 `proto:"1,sint"`
}

// Card is a way to pay.
//
// Deprecated: use cash.
type Card struct{}

// Page is generic.
type Page[T any] struct {
	Items []T `proto:"1"`
}

// Status says what happens to an order.
type Status int32

const (
	StatusPaid    Status = 2
	StatusOpen    Status = 1
	StatusLost    Status = -1
	StatusSettled        = StatusPaid
)

// level has a zero, and names that do not begin with its own.
//
//zmy:sentinel levels
//zmy:proto-reserved 7
type level int32

const (
	none level = iota
	low
	veryHigh
	levels
)

// LineUnit has a value of Status, so it joins the message Line.
//
//zmy:proto-value LineUnitOpen STATUS_OPEN
type LineUnit int32

const (
	LineUnitNone LineUnit = 0
	LineUnitOpen LineUnit = 1
)

// Kind has no constants.
type Kind int32

// Orders keeps orders.
//
//zmy:service shop.v1.OrderService
type Orders interface {
	// Get returns an order.
	Get(context.Context, *Key) (*Order, error)
	// Watch is a stream.
	//
	// Deprecated: use Get.
	Watch(context.Context, *Key) iter.Seq2[*Order, error]
	//zmy:rpc PutAll
	Put(context.Context, iter.Seq2[*Order, error]) (*Key, error)
	Sync(context.Context, iter.Seq2[*Order, error]) iter.Seq2[*Key, error]
}

type Key struct {
	ID string `proto:"1"`
}
