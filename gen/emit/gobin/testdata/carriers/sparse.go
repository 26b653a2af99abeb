package carriers

import "github.com/zmylab/zmy"

// S1 is the first version of a sparse type.
type S1 struct {
	_       struct{} `zmy:"sparse"`
	ID      int32    `zmy:"0"`
	Name    string   `zmy:"1"`
	Kids    []S1     `zmy:"2"`
	unknown zmy.Unknown
}

// S2 has nine fields more, so that its bitmap is longer.
type S2 struct {
	_    struct{} `zmy:"sparse"`
	ID   int32    `zmy:"0"`
	Name string   `zmy:"1"`
	Kids []S2     `zmy:"2"`
	A    int8     `zmy:"3"`
	B    []string `zmy:"4"`
	C    float64  `zmy:"5"`
	D    bool     `zmy:"6"`
	E    string   `zmy:"7"`
	F    int16    `zmy:"8"`
	G    *S2      `zmy:"9"`
	H    []byte   `zmy:"10"`
	I    uint64   `zmy:"11"`
}

// SDrop is S1 without what carries the rest.
type SDrop struct {
	_    struct{} `zmy:"sparse"`
	_    struct{} `zmy:"reserved 2 []SDrop"`
	ID   int32    `zmy:"0"`
	Name string   `zmy:"1"`
}
