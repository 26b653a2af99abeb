// Package shop is what the edits of the test begin with.
package shop

import (
	"encoding/json"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// An edit may remove what else needs this import.
var _ *big.Int

// Order is one order.
type Order struct {
	Base
	*Audit
	ID       string            `json:"id"`
	Qty      int32             `json:"qty"`
	Count    uint16            `json:"count"`
	Wide     int64             `json:"wide"`
	Price    float64           `json:"price"`
	Weight   float32           `json:"weight"`
	Paid     bool              `json:"paid"`
	Note     string            `json:"note,omitempty"`
	Code     *int32            `json:"code"`
	Maybe    *string           `json:"maybe,omitempty"`
	Items    []Item            `json:"items"`
	Tags     []string          `json:"tags,omitempty"`
	Rows     []int             `json:"rows,omitzero"`
	Attrs    map[string]string `json:"attrs"`
	ByNumber map[int32]Item    `json:"by_number"`
	Data     []byte            `json:"data"`
	Point    [2]float64        `json:"point"`
	At       time.Time         `json:"at"`
	Took     time.Duration     `json:"took"`
	State    State             `json:"state"`
	Level    Level             `json:"level"`
	Sum      Money             `json:"sum"`
	Big      *big.Int          `json:"big"`
	Any      any               `json:"any"`
	Raw      json.RawMessage   `json:"raw,omitempty"`
	Num      json.Number       `json:"num"`
	Quoted   int64             `json:"quoted,string"`
	Ship     Address           `json:"ship"`
	Bill     *Address          `json:"bill,omitempty"`
	Names    Names             `json:"names"`
	Inner    struct {
		A int `json:"a"`
	} `json:"inner"`
	Rate float64 `json:"rate" fxjson:"decimals=2"`
	Hidden string `json:"-"`
}

// Base is embedded.
type Base struct {
	Version int    `json:"version"`
	Kind    string `json:"kind"`
}

// Audit is embedded as a pointer.
type Audit struct {
	By string `json:"by"`
}

// Item is a line of an order.
type Item struct {
	SKU  string `json:"sku"`
	Size int8   `json:"size"`
}

// Address is a place.
type Address struct {
	City string `json:"city"`
	Zip  string `json:"zip"`
}

// Names is a list with a name.
type Names []string

// State is an enumeration of strings.
type State string

// The states.
const (
	Open   State = "open"
	Sent   State = "sent"
	Closed State = "closed"
)

// Level is an enumeration of integers.
type Level uint8

// The levels.
const (
	Low  Level = 1
	Mid  Level = 2
	High Level = 3
)

// Money writes itself.
type Money struct {
	Cents int64
}

// MarshalText writes 12c.
func (m Money) MarshalText() ([]byte, error) {
	return strconv.AppendInt(nil, m.Cents, 10), nil
}

// UnmarshalText reads it.
func (m *Money) UnmarshalText(b []byte) (err error) {
	if strings.HasPrefix(string(b), "+") {
		return errors.New("a sign")
	}
	m.Cents, err = strconv.ParseInt(string(b), 10, 64)
	return err
}
