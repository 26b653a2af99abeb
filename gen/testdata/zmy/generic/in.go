package generic

// Page is one page of a list.
type Page[T any] struct {
	Items []T `zmy:"0"`
	Total int `zmy:"1"`
}

// Order is a type argument.
type Order struct {
	ID string `zmy:"0"`
}

var samples = []any{&Page[Order]{}, &Page[Order]{Items: []Order{{"a"}, {"b"}}, Total: 2}}
