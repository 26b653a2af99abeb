package jsontypes

import "encoding/json"

type (
	// Interned has strings of all kinds that share memory with others like them.
	Interned struct {
		Status  Country            `json:"status" fxjson:"intern"`
		Name    string             `json:"name"`
		Tags    []string           `json:"tags" fxjson:"intern"`
		Labels  map[Country]string `json:"labels" fxjson:"intern"`
		Opt     *string            `json:"opt,omitempty" fxjson:"intern"`
		Pair    [2]string          `json:"pair" fxjson:"intern"`
		Quoted  string             `json:"quoted,string" fxjson:"intern"`
		Any     any                `json:"any" fxjson:"intern"`
		Counts  map[string]int     `json:"counts" fxjson:"intern"`
		Inner   InternedEvent      `json:"inner" fxjson:"intern"`
		Raw     json.RawMessage    `json:"raw"`
		Numbers []float64          `json:"numbers"`
	}

	// Country is a string with a name.
	Country string

	// InternedEvent has interned strings only.
	InternedEvent struct {
		Kind   string            `json:"kind" fxjson:"intern"`
		Region Country           `json:"region" fxjson:"intern"`
		Attrs  map[string]string `json:"attrs" fxjson:"intern"`
		N      int               `json:"n"`
	}

	// PlainEvent is InternedEvent without interning.
	PlainEvent struct {
		Kind   string            `json:"kind"`
		Region Country           `json:"region"`
		Attrs  map[string]string `json:"attrs"`
		N      int               `json:"n"`
	}
)
