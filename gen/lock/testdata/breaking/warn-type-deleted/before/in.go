package in

type T struct {
	A int32 `zmy:"0"`
}

type U struct {
	S string `zmy:"0"`
}
