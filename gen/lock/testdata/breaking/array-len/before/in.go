package in

type T struct {
	ID [8]byte `zmy:"0"`
}
