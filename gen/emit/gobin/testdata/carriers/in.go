// Package carriers has the types of package versions, each of which carries what
// newer versions of it have.
package carriers

import "github.com/zmylab/zmy"

// V1 is the first version.
type V1 struct {
	ID      uint64            `zmy:"0"`
	Name    string            `zmy:"1"`
	Parts   []Part1           `zmy:"2"`
	Spots   []Spot1           `zmy:"3"`
	Index   map[string]Part1  `zmy:"4"`
	Notes   map[string]string `zmy:"5"`
	unknown zmy.Unknown
}

// Part1 has both sections.
type Part1 struct {
	Sku     string `zmy:"0"`
	Qty     int32  `zmy:"1"`
	unknown zmy.Unknown
}

// Spot1 has scalars only.
type Spot1 struct {
	X       int32 `zmy:"0"`
	Y       int32 `zmy:"1"`
	unknown zmy.Unknown
}

// V2 adds fields to all of them.
type V2 struct {
	ID      uint64            `zmy:"0"`
	Name    string            `zmy:"1"`
	Parts   []Part2           `zmy:"2"`
	Spots   []Spot2           `zmy:"3"`
	Index   map[string]Part2  `zmy:"4"`
	Notes   map[string]string `zmy:"5"`
	Done    bool              `zmy:"6"`
	Extra   []string          `zmy:"7"`
	unknown zmy.Unknown
}

// Part2 adds a scalar and a tail.
type Part2 struct {
	Sku     string   `zmy:"0"`
	Qty     int32    `zmy:"1"`
	Due     int64    `zmy:"2"`
	Tags    []string `zmy:"3"`
	unknown zmy.Unknown
}

// Spot2 adds a scalar.
type Spot2 struct {
	X       int32 `zmy:"0"`
	Y       int32 `zmy:"1"`
	Z       int32 `zmy:"2"`
	unknown zmy.Unknown
}

// V3 adds once more; its spots have a tail now.
type V3 struct {
	ID      uint64            `zmy:"0"`
	Name    string            `zmy:"1"`
	Parts   []Part3           `zmy:"2"`
	Spots   []Spot3           `zmy:"3"`
	Index   map[string]Part3  `zmy:"4"`
	Notes   map[string]string `zmy:"5"`
	Done    bool              `zmy:"6"`
	Extra   []string          `zmy:"7"`
	Main    *Part3            `zmy:"8"`
	Rate    float64           `zmy:"9"`
	unknown zmy.Unknown
}

// Part3 adds a scalar.
type Part3 struct {
	Sku     string   `zmy:"0"`
	Qty     int32    `zmy:"1"`
	Due     int64    `zmy:"2"`
	Tags    []string `zmy:"3"`
	Unit    uint8    `zmy:"4"`
	unknown zmy.Unknown
}

// Spot3 adds a tail.
type Spot3 struct {
	X       int32  `zmy:"0"`
	Y       int32  `zmy:"1"`
	Z       int32  `zmy:"2"`
	Name    string `zmy:"3"`
	unknown zmy.Unknown
}
