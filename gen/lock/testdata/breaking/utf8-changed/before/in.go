package in

type T struct {
	S string `zmy:"0"`
}
