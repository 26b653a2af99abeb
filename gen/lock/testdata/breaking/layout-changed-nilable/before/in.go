package in

type T struct {
	L []string `zmy:"0"`
}
