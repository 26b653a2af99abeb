// Package shop has the service's messages as plain Go types. A program uses them once it no longer
// generates types with gogo/protobuf's options.
package shop

import (
	"time"

	"github.com/zmylab/zmy/adapters/protox/examples/gogo/ids"
)

//go:generate zmy gen -type=Order,Receipt

// Status of an order, with the numbers of the schema's enum.
type Status int32

// The statuses.
const (
	StatusUnknown Status = iota
	StatusPaid
)

// Order is message Order.
type Order struct {
	ID       ids.ID            `zmy:"0"`
	Customer ids.Customer      `zmy:"1"`
	Items    []Item            `zmy:"2"`
	Placed   time.Time         `zmy:"3"`
	Paid     *time.Time        `zmy:"4"`
	Within   time.Duration     `zmy:"5"`
	Stock    map[ids.SKU]int64 `zmy:"6"`
	Audit    Audit             `zmy:"7"`
	Status   Status            `zmy:"8"`
	Note     *string           `zmy:"9"`
	Tags     []int64           `zmy:"10"`
	ShipTo   *Address          `zmy:"11"`
}

// Item is message Item.
type Item struct {
	Sku   ids.SKU `zmy:"0"`
	Qty   int32   `zmy:"1"`
	Price float64 `zmy:"2"`
}

// Audit is message Audit.
type Audit struct {
	By string    `zmy:"0"`
	At time.Time `zmy:"1"`
}

// Address is message Address.
type Address struct {
	City string `zmy:"0"`
}

// Receipt is message Receipt.
type Receipt struct {
	ID ids.ID    `zmy:"0"`
	At time.Time `zmy:"1"`
}
