// Package tinytypes holds types of every kind that fxjson -tiny generates code for, and that code.
// The generated methods are unknown to encoding/json, so that tests can compare with it on the same
// types. The generated file is refreshed by
//
//	go test ./emit/gojson -update
//
// in the module gen.
package tinytypes

import (
	"errors"
	"time"
)

// Order has a field of most kinds.
type Order struct {
	ID      string            `json:"id"`
	Number  int64             `json:"number,string"`
	Paid    bool              `json:"paid"`
	Total   float64           `json:"total"`
	Ratio   float32           `json:"ratio,omitempty"`
	Count   uint16            `json:"count"`
	Created time.Time         `json:"created,omitzero"`
	Items   []Item            `json:"items"`
	First   *Item             `json:"first"`
	Note    *string           `json:"note,omitempty"`
	Tags    []string          `json:"tags"`
	Sizes   []int             `json:"sizes"`
	Codes   []uint32          `json:"codes"`
	Prices  []float64         `json:"prices"`
	Data    []byte            `json:"data"`
	Hash    [4]byte           `json:"hash"`
	Points  [2]Point          `json:"points"`
	Attrs   map[string]string `json:"attrs"`
	ByName  map[string]Item   `json:"by_name"`
	ByInt   map[int8]bool     `json:"by_int"`
	ByUint  map[uint16][]int  `json:"by_uint"`
	ByLevel map[Level]int     `json:"by_level"`
	Level   Level             `json:"level"`
	Levels  []Level           `json:"levels"`
	Rows    [][]int           `json:"rows"`
	HTML    string            `json:"<html>"`
	Größe   int
	Skipped chan int `json:"-"`
	Base
	*Other
	next *Order
}

// Small is the type for whose code TestTinySize sets a limit.
type Small struct {
	ID   string `json:"id"`
	X, Y float64
	Tags []string `json:"tags"`
}

// Strict has required members.
type Strict struct {
	A int `json:"a" fxjson:"required"`
	B string
	C *Strict `json:"c" fxjson:"required"`
}

// Item is recursive.
type Item struct {
	SKU   string           `json:"sku"`
	Qty   int32            `json:"qty"`
	Price float64          `json:"price" fxjson:"decimals=2"`
	Parts []Item           `json:"parts,omitempty"`
	Named map[string]*Item `json:"named,omitempty"`
}

// Point, Base and Other are parts; the latter two are embedded.
type (
	Point struct{ X, Y float64 }
	Base  struct {
		Kind    Kind `json:"kind"`
		Version int8
	}
	Other struct {
		Remark string  `json:"remark"`
		Zero   float64 `json:"zero,omitzero"`
	}
)

// Kind is a named scalar.
type Kind string

// Level has text methods.
type Level int

// MarshalText fails for levels that are negative.
func (l Level) MarshalText() ([]byte, error) {
	if l < 0 {
		return nil, errors.New("negative level")
	}
	return []byte{'L', byte('a' + l%26)}, nil
}

// UnmarshalText reads what MarshalText writes.
func (l *Level) UnmarshalText(b []byte) error {
	if len(b) != 2 || b[0] != 'L' || b[1] < 'a' || b[1] > 'z' {
		return errors.New("no level")
	}
	*l = Level(b[1] - 'a')
	return nil
}

// Quoted has option string wherever it means something.
type Quoted struct {
	Bool    bool     `json:",string"`
	Int     int      `json:",string"`
	Int8    int8     `json:",string"`
	Uint8   uint8    `json:",string"`
	Float32 float32  `json:",string"`
	Float64 float64  `json:",string"`
	String  string   `json:",string"`
	Kind    Kind     `json:",string"`
	BoolP   *bool    `json:",string"`
	IntP    *int     `json:",string"`
	FloatP  *float64 `json:",string"`
	StringP *string  `json:",string"`
}

// Optional may have no members at all, and Empty never has any.
type (
	Optional struct {
		A string         `json:"a,omitempty"`
		B []int          `json:"b,omitempty"`
		C map[string]int `json:"c,omitempty"`
		D *Point         `json:"d,omitempty"`
		E bool           `json:"e,omitempty"`
	}
	Empty struct{}
)

// Tree and List are composites with a name.
type (
	Tree map[string]Tree
	List []Point
)
