package in

type T struct {
	S []byte `zmy:"0"`
}
