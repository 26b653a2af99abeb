package unknown

import "github.com/zmylab/zmy"

// Order passes on what newer programs add to it.
type Order struct {
	ID      string  `zmy:"0"`
	Lines   []Line  `zmy:"1"`
	Spots   []*Spot `zmy:"2"`
	Total   Money   `zmy:"3"`
	unknown zmy.Unknown
}

// Line passes on additional fields too.
type Line struct {
	Sku  string      `zmy:"0"`
	Rest zmy.Unknown `json:"-"`
}

// Spot has scalars only.
type Spot struct {
	X int32 `zmy:"0"`
	zmy.Unknown
}

// Money does not pass on additional fields, since its Unknown is left out.
type Money struct {
	Cents int64       `zmy:"0"`
	Lost  zmy.Unknown `zmy:"-"`
}

var samples = []any{
	new(Order),
	&Order{ID: "a", Lines: []Line{{Sku: "x"}, {}}, Spots: []*Spot{{X: 1}}, Total: Money{Cents: 5}},
}
