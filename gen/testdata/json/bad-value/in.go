package bad

// Order is a type.
type Order struct{ ID int }

// NewOrder is not.
func NewOrder() Order { return Order{} }
