package in

type T struct {
	P P `zmy:"0"`
}

type P struct {
	X int32 `zmy:"0"`
	Y int32 `zmy:"1"`
}
