package in

type T struct {
	Ps []Point `zmy:"0"`
}

type Point struct {
	X int32 `zmy:"0"`
	Y int32 `zmy:"1"`
	Z int8  `zmy:"2"`
}
