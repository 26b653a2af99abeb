package twice

// Order has a generated file of its own.
type Order struct {
	ID    string `zmy:"0"`
	Lines []Line `zmy:"1"`
}

// Line is part of Order and of Basket.
type Line struct {
	Sku string `zmy:"0"`
}

// Basket is generated second.
type Basket struct {
	Orders []Order `zmy:"0"`
	Line   Line    `zmy:"1"`
}

var samples = []any{
	&Order{ID: "a", Lines: []Line{{Sku: "x"}}},
	&Basket{Orders: []Order{{ID: "b"}}, Line: Line{Sku: "y"}},
}
