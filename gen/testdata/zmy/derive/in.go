package derive

import "encoding/json"

// Order has no struct tags zmy, so its fields are numbered in order.
type Order struct {
	ID    string
	Items []Item
	Total float64
	Pages *[]string
	Price Money
	By    map[Place]int32
	Token string `json:"-"`
	Cause error
	Lines []*Item
	Index map[string][]*Item
}

// Money has no exported field, so only its methods can carry it.
type Money struct{ cents int64 }

func (m Money) MarshalJSON() ([]byte, error)     { return json.Marshal(m.cents) }
func (m *Money) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &m.cents) }

// Place is a text.
type Place struct{ name string }

func (p Place) MarshalText() ([]byte, error)     { return []byte(p.name), nil }
func (p *Place) UnmarshalText(text []byte) error { p.name = string(text); return nil }

// Item is reached from Order.
type Item struct {
	Sku string
	Qty int32
}

var samples = []any{&Order{}, &Order{
	ID: "a", Items: []Item{{"x", 1}, {"y", 2}}, Total: 3.5, Pages: &[]string{"p"}, Price: Money{5}, By: map[Place]int32{{"here"}: 1},
}}
