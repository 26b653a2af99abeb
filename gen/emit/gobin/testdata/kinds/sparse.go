package kinds

import "time"

// Thin is sparse, and stands wherever a struct can.
type Thin struct {
	_     struct{}        `zmy:"sparse"`
	A     int16           `zmy:"0"`
	Name  string          `zmy:"1"`
	At    time.Time       `zmy:"2"`
	On    bool            `zmy:"3"`
	Next  *Thin           `zmy:"4"`
	Kids  []Thin          `zmy:"5"`
	Ptrs  []*Thin         `zmy:"6"`
	ByKey map[string]Thin `zmy:"7"`
	Two   [2]ThinScalars  `zmy:"8"`
	Any   any             `zmy:"9"`
	Spot  Spot            `zmy:"10,inline"`
	Dense Point           `zmy:"11"`
	PtrBy map[int]*Thin   `zmy:"12"`
}

// ThinScalars has no tails.
type ThinScalars struct {
	_ struct{} `zmy:"sparse"`
	X int64    `zmy:"0"`
	Y bool     `zmy:"1"`
}
