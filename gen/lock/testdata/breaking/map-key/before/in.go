package in

type T struct {
	M map[int32]string `zmy:"0"`
}
