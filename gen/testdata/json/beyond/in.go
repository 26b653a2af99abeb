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

// Hidden embeds what Go does not promote, and JSON does.
type Hidden struct {
	other.Two
	N int
}

// Labelled embeds a struct that has them too.
type Labelled struct {
	other.Named
	N int
}

// Stamp has a method, which the unnamed struct around it takes over.
type Stamp struct{ At int }

// MarshalJSON is called where it has an address.
func (s *Stamp) MarshalJSON() ([]byte, error) { return []byte(`{"at":[]}`), nil }

var samples = []any{
	&Basket{Stamp: struct{ *Stamp }{&Stamp{1}}},
	&Basket{Kinds: other.New(), Stamp: struct{ *Stamp }{&Stamp{1}}, Unnamed: []interface{ Name() string }{nil}},
	&Hidden{}, &Hidden{N: 1}, &Labelled{N: 2},
}
