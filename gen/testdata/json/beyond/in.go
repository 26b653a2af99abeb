package beyond

import "example.org/golden/json/beyond/other"

// Basket holds what code of this package cannot name: the generated code leaves it to
// reflection.
type Basket struct {
	Kinds   other.Kinds
	Two     other.Two
	Far     other.Far
	Named   other.Named
	Unnamed []interface{ Name() string }
	ByName  map[string]interface{ Name() string }
	Inner   struct{ other.Alias }
	Stamp   struct{ *Stamp }
}

// Hidden embeds a struct with fields that JSON promotes, but Go does not.
type Hidden struct {
	other.Two
	N int
}

// Labelled embeds a struct whose embedded structs have names in JSON.
type Labelled struct {
	other.Named
	N int
}

// Stamp has a method, which is promoted to the unnamed struct in Basket.
type Stamp struct{ At int }

// MarshalJSON is called for addressable values only.
func (s *Stamp) MarshalJSON() ([]byte, error) { return []byte(`{"at":[]}`), nil }

var samples = []any{
	&Basket{Stamp: struct{ *Stamp }{&Stamp{1}}},
	&Basket{Kinds: other.New(), Stamp: struct{ *Stamp }{&Stamp{1}}, Unnamed: []interface{ Name() string }{nil}},
	&Hidden{}, &Hidden{N: 1}, &Labelled{N: 2},
}
