package in

type T struct {
	A string `zmy:"0"`
}
