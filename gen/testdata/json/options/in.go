package options

import (
	"encoding/json"
	"time"
)

// Options has a field for each option of a struct tag.
type Options struct {
	Empty    string         `json:"empty,omitempty"`
	EmptyMap map[string]int `json:",omitempty"`
	EmptyArr [0]int         `json:",omitempty"`
	Zero     Point          `json:"zero,omitzero"`
	Time     time.Time      `json:"time,omitzero"`
	PTime    *time.Time     `json:"ptime,omitzero"`
	Addr     ByAddr         `json:"addr,omitzero"`
	Both     []int          `json:"both,omitempty,omitzero"`
	BothInt  int            `json:"bothint,omitempty,omitzero"`
	BothPtr  *time.Time     `json:"bothptr,omitempty,omitzero"`
	Str      string         `json:"str,string"`
	Int      int64          `json:"int,string"`
	PInt     *int           `json:"pint,string"`
	Bool     bool           `json:"bool,string"`
	Float    float64        `json:"float,string"`
	Num      json.Number    `json:"num,string"`
	NoQuote  []int          `json:"noquote,string"`
	Dash     int            `json:"-,"`
	Odd      int            `json:"a b/<c>&é"`
	Bad      int            `json:"q\"uote"`
}

// Point is a struct that can be compared by ==.
type Point struct{ X, Y float64 }

// ByAddr has a method that says whether it is zero.
type ByAddr struct{ N int }

// IsZero has a pointer receiver.
func (b *ByAddr) IsZero() bool { return b.N == 42 }

var (
	one = 1
	now = time.Unix(1e9, 0).UTC()
)

var samples = []any{
	&Options{Num: "1"},
	&Options{Addr: ByAddr{42}, Both: []int{}, Num: "1"},
	&Options{
		"e", map[string]int{"a": 1}, [0]int{}, Point{1, 0}, now, &now, ByAddr{1}, []int{1}, 7, &now, "s\"", -1, &one, true, 0.5, "12", []int{1}, 1, 2, 3,
	},
}
