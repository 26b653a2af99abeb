package notyet

// Order has methods that are called before they are generated.
type Order struct {
	ID string `json:"id"`
}

var samples = []any{&Order{"x"}}

// Body calls a method that is yet to be generated.
func Body(o *Order) ([]byte, error) { return o.AppendJSON(nil) }

var _ interface {
	AppendJSON([]byte) ([]byte, error)
} = (*Order)(nil)
