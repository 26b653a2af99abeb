package in

type T struct {
	A  int32  `zmy:"0"`
	S  string `zmy:"1"`
	Ps []P    `zmy:"2"`
}

type P struct {
	X int32  `zmy:"0"`
	Y int32  `zmy:"1"`
	Z string `zmy:"2"`
}
