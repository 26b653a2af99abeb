package in

type T struct {
	M map[string]string `zmy:"0"`
}
