package in

type T struct {
	A uint32 `zmy:"0"`
	S string `zmy:"1"`
}
