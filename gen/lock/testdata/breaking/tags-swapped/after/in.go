package in

type T struct {
	B int32 `zmy:"0"`
	A int32 `zmy:"1"`
}
