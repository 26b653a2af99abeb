package carriers

import "github.com/zmylab/zmy"

// S1 is the first version of a sparse type.
//
//zmy:sparse
type S1 struct {
	ID      int32  `zmy:"0"`
	Name    string `zmy:"1"`
	Kids    []S1   `zmy:"2"`
	unknown zmy.Unknown
}

// S2 has nine fields more, so that its bitmap is longer.
//
//zmy:sparse
type S2 struct {
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
//
//zmy:sparse
//zmy:reserved 2 []SDrop
type SDrop struct {
	ID   int32  `zmy:"0"`
	Name string `zmy:"1"`
}
