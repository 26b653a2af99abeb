package bad

// Order has no struct tags.
type Order struct {
	ID    string
	Total float64
}
