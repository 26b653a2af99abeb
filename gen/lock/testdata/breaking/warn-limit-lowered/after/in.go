package in

//zmy:limits MaxWire=65536
type T struct {
	A int32 `zmy:"0"`
}
