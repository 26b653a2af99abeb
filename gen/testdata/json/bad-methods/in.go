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

// Round would have AppendJSON call MarshalJSON and the other way about.
type Round struct{ ID int }

// MarshalJSON calls what is generated.
func (r Round) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON does too.
func (r *Round) UnmarshalJSON(b []byte) error { return r.DecodeJSON(b) }
