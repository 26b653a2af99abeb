package inline

import "encoding/json"

// Order has inlined fields that encoding/json skips; the samples leave them empty.
type Order struct {
	ID    string                     `json:"id"`
	Extra map[string]json.RawMessage `json:"-" fxjson:"unknown"`
	Lines []Line                     `json:"lines"`
}

// Line keeps raw JSON behind a pointer.
type Line struct {
	SKU  string           `json:"sku,omitempty"`
	Rest *json.RawMessage `json:"-" fxjson:"inline"`
}

var samples = []any{
	&Order{},
	&Order{ID: "a", Lines: []Line{{}, {SKU: "b"}}},
}
