package notyet

// Order has methods and a view that this package uses before they are generated.
type Order struct {
	ID string `zmy:"0"`
}

var samples = []any{&Order{"x"}}

// Body calls a method that is yet to be generated.
func Body(o *Order) ([]byte, error) { return o.AppendZMY(nil) }

// Seen keeps a view.
type Seen struct{ Last OrderView }
