package carriers

import "github.com/zmylab/zmy"

// Full has all its fields.
type Full struct {
	A int16    `zmy:"0"`
	B string   `zmy:"1"`
	C [3]int32 `zmy:"2"`
	D []string `zmy:"3"`
	E int8     `zmy:"4"`
	F string   `zmy:"5"`
}

// Kept no longer has four of them and carries what they hold.
//
//zmy:reserved 0 int16
//zmy:reserved 2 [3]int32
//zmy:reserved 3 []string
//zmy:reserved 5 string
type Kept struct {
	B       string `zmy:"1"`
	E       int8   `zmy:"4"`
	unknown zmy.Unknown
}

// Dropped does not carry it.
//
//zmy:reserved 0 int16
//zmy:reserved 2 [3]int32
//zmy:reserved 3 []string
//zmy:reserved 5 string
type Dropped struct {
	B string `zmy:"1"`
	E int8   `zmy:"4"`
}
