package in

type T struct {
	A int32  `zmy:"0"`
	S string `zmy:"1"`
}
