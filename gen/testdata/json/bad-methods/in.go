package bad

// Order has methods that would be generated.
type Order struct{ ID int }

// AppendJSON is in the way.
func (o Order) AppendJSON(b []byte) ([]byte, error) { return b, nil }

// DecodeJSON is too.
func (o *Order) DecodeJSON([]byte) error { return nil }

// Other is not asked for.
type Other struct{ ID int }

// AppendJSON may stay.
func (Other) AppendJSON(b []byte) ([]byte, error) { return b, nil }
