package notyet

// Order has its methods called before they are there.
type Order struct {
	ID string `json:"id"`
}

var samples = []any{&Order{"x"}}

// Body calls what this very output brings.
func Body(o *Order) ([]byte, error) { return o.AppendJSON(nil) }

var _ interface {
	AppendJSON([]byte) ([]byte, error)
} = (*Order)(nil)
