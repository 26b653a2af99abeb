package in

//zmy:limits MaxWire=1048576 MaxDepth=80
type T struct {
	A int32 `zmy:"0"`
}
