package bad

// Order has a gap, a number used twice, and one that is no number.
type Order struct {
	ID    string  `zmy:"0"`
	Total float64 `zmy:"2"`
	Tax   float64 `zmy:"2"`
	Note  string  `zmy:"x"`
}
