package bad

// Order has its own generated file already.
type Order struct {
	ID string `zmy:"0"`
}

// Basket holds orders, and would bring their view once more.
type Basket struct {
	Orders []Order `zmy:"0"`
}
