package notyet

// Order has its methods called, and its view named, before they are there.
type Order struct {
	ID string `zmy:"0"`
}

var samples = []any{&Order{"x"}}

// Body calls what this very output brings.
func Body(o *Order) ([]byte, error) { return o.AppendZMY(nil) }

// Seen keeps a view.
type Seen struct{ Last OrderView }
