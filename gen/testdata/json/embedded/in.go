package embedded

// Outer promotes fields through values and pointers.
type Outer struct {
	Base
	*Ptr
	lower
	Named `json:"named"`
	Own   int
	Kind
}

// Base is embedded as a value.
type Base struct {
	ID   int `json:"id"`
	Both int
}

// Ptr is embedded as a pointer. Its field Both conflicts with that of Base.
type Ptr struct {
	Far  string `json:"far,omitempty"`
	Both int
	Deep
}

// Deep is two levels down.
type Deep struct{ Own, Depth int }

type lower struct{ Low bool }

// Named is embedded, but its fields are not promoted, because a tag gives it a name.
type Named struct{ N int }

// Kind is an embedded scalar.
type Kind uint8

var samples = []any{
	&Outer{},
	&Outer{Base: Base{1, 2}, Ptr: &Ptr{"far", 3, Deep{4, 5}}, lower: lower{true}, Named: Named{6}, Own: 7, Kind: 8},
	&Base{1, 2}, &Ptr{}, &Deep{1, 2}, &Named{1},
}
