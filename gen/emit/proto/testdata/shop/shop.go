// Package shop is the case of package proto's tests.
package shop

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"time"
)

// Order is what a customer sends.
// It has every shape that proto3 spells in its own way.
type Order struct {
	ID        string // stable
	UserID    uint32
	HTTPPort  int8
	At        time.Time
	Took      time.Duration
	Price     *big.Float
	Total     big.Int
	Note      *string
	Done      *bool
	Shipped   *time.Time
	Parent    *Order
	Items     []Item
	ItemRefs  []*Item
	Tags      []string
	Hash      [32]byte
	Blob      []byte
	Matrix    [][]float64
	Meta      map[string]any
	Counts    map[string]int
	ByFloat   map[float64]Item
	Groups    map[string][]Item
	Opt       []*int
	PP        **int
	Page      Page[Item]
	Raw       json.RawMessage
	Addr      netip.Addr
	Phase     complex64
	Inner     struct{ A, B int }
	state     int
	Skipped   chan int `json:"-"`
	Timestamp Timestamp
	ID_       string
	Base
}

// Page is generic.
type Page[T any] struct{ Items []T }

// Item is one line.
type Item struct{ Sku string }

// Timestamp shares its name with a fixed message.
type Timestamp struct{ N int64 }

// Base is embedded.
type Base struct{ Made time.Time }

// Wrong has fields without a form.
type Wrong struct {
	Done  chan int
	Items []struct{ F func() }
	Err   error
}

var _ = Order{}.state
