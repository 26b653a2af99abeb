package in

type T struct {
	At P `zmy:"0,inline"`
}

type P struct {
	X int32 `zmy:"0"`
	Y int32 `zmy:"1"`
}
