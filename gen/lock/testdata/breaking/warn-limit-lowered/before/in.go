package in

//zmy:limits MaxWire=1048576
type T struct {
	A int32 `zmy:"0"`
}
