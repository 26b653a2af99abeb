package in

type Order struct {
	A int32  `zmy:"0"`
	S string `zmy:"1"`
}
