package tiny

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/netip"
	"time"
)

type Order struct {
	ID      string
	Created time.Time
	Extra   map[string]any
	Any     any
	Raw     json.RawMessage
	Number  json.Number
	Amount  *big.Int
	Addr    netip.Addr
	Shape   fmt.Stringer
	Items   []Item
	Level   Level `json:",string"`
	Corner  Point `json:",omitzero"`
	Note    *string
	Skipped any `json:"-"`
}

type Item struct {
	Value Value
	Parts []Item
	Any   []any
}

type Point struct{ X, Y int }

// Value has a method of its pointer.
type Value struct{ N int }

func (*Value) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

// Level has text methods.
type Level int

func (Level) MarshalText() ([]byte, error)  { return []byte("x"), nil }
func (*Level) UnmarshalText(b []byte) error { return nil }
