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
type Kept struct {
	_       struct{} `zmy:"reserved 0 int16"`
	_       struct{} `zmy:"reserved 2 [3]int32"`
	_       struct{} `zmy:"reserved 3 []string"`
	_       struct{} `zmy:"reserved 5 string"`
	B       string   `zmy:"1"`
	E       int8     `zmy:"4"`
	unknown zmy.Unknown
}

// Dropped does not carry it.
type Dropped struct {
	_ struct{} `zmy:"reserved 0 int16"`
	_ struct{} `zmy:"reserved 2 [3]int32"`
	_ struct{} `zmy:"reserved 3 []string"`
	_ struct{} `zmy:"reserved 5 string"`
	B string   `zmy:"1"`
	E int8     `zmy:"4"`
}
