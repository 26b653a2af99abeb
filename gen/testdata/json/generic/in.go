package generic

// Page is one page of a list.
type Page[T any] struct {
	Items []T      `json:"items"`
	Next  *Page[T] `json:"next,omitempty"`
	Total int      `json:"total"`
}

// Pair holds two.
type Pair[K comparable, V any] struct {
	Key K
	Val V
}

// Tree embeds its parameter's list.
type Tree[T ~int | ~string] struct {
	List[T]
	Kids []Tree[T]
}

// List is embedded.
type List[T any] struct{ Vals []T }

// Order is a type argument.
type Order struct{ ID string }

var samples = []any{
	&Page[Order]{Items: []Order{{"a"}, {"b"}}, Next: &Page[Order]{Total: 3}, Total: 2},
	&Pair[string, map[string]Order]{"k", map[string]Order{"x": {"y"}}},
	&Tree[int]{List[int]{[]int{1, 2}}, []Tree[int]{{}}},
}
