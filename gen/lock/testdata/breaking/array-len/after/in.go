package in

type T struct {
	ID [16]byte `zmy:"0"`
}
