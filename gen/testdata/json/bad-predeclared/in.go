package bad

// Order is a type like others, but the package takes a word of the language.
type Order struct{ Name string }

type nil struct{}

type any struct{}

func min(a, b int) int { return a + b }
