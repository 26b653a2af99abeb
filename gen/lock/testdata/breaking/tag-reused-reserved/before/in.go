package in

//zmy:reserved 1 int64
type T struct {
	A int32 `zmy:"0"`
}
