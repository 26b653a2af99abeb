package bad

// Order has its own generated file already.
type Order struct {
	ID string `zmy:"0"`
}
