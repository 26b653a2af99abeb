package only

// Order is read and never written by generated code.
type Order struct {
	ID    string    `json:"id"`
	Lines List[int] `json:"lines"`
}

// List is generic.
type List[T any] struct{ Items []T }
