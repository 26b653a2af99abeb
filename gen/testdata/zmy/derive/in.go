package derive

// Order has no struct tags: its fields are numbered in order.
type Order struct {
	ID    string
	Items []Item
	Total float64
}

// Item is reached from Order.
type Item struct {
	Sku string
	Qty int32
}

var samples = []any{&Order{}, &Order{"a", []Item{{"x", 1}, {"y", 2}}, 3.5}}
