package in

type T struct {
	Ps []P `zmy:"0"`
}

type P struct {
	X int32 `zmy:"0"`
	Y int32 `zmy:"1"`
}
