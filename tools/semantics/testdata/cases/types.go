package cases

import (
	"encoding/json"
	"time"
)

// Types of the cases. They are compiled three times: as they are, with easyjson's
// generated code, and with fxjson's.

type Text struct{ S string }

type Order struct {
	M map[string]int
	T map[Color]int
}

type Floats struct {
	A, B, C float64
	D       float32
}

type Nils struct {
	A, B []int
	C, D map[string]int
}

type Raw struct{ R json.RawMessage }

type Optional struct {
	A int       `json:"a,omitempty"`
	T time.Time `json:"t,omitzero"`
}

type Values struct{ M map[string]ByPointer }

type Own struct{ V Broken }

type Node struct {
	Next *Node `json:"next,omitempty"`
	Any  any   `json:"any,omitempty"`
}

type Quoted struct {
	S string `json:"s,string"`
	N int    `json:"n,string"`
}

type Pair struct {
	A int `json:"a"`
	B int `json:"b"`
}

type Names struct {
	Kelvin int `json:"kelvin"`
	Name   int `json:"name"`
}

type Small struct {
	I int8    `json:"i"`
	F float64 `json:"f"`
}

type Lists struct {
	Array [3]int `json:"array"`
	Pairs []Pair `json:"pairs"`
}

type Dynamic struct {
	Any any            `json:"any"`
	M   map[string]any `json:"m"`
}

type Number struct{ N json.Number }

type IntKeys struct{ M map[int8]int }
