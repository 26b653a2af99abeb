package bad

// Order has methods that would be generated.
type Order struct{ ID int }

// AppendJSON has the name of a generated method.
func (o Order) AppendJSON(b []byte) ([]byte, error) { return b, nil }

// DecodeJSON has the name of a generated method.
func (o *Order) DecodeJSON([]byte) error { return nil }

// Other is not asked for.
type Other struct{ ID int }

// AppendJSON may stay.
func (Other) AppendJSON(b []byte) ([]byte, error) { return b, nil }

// Round has methods that the generated methods would call, and that call those.
type Round struct{ ID int }

// MarshalJSON calls a method that would be generated.
func (r Round) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON calls a method that would be generated.
func (r *Round) UnmarshalJSON(b []byte) error { return r.DecodeJSON(b) }
