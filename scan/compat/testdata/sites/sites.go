// Package sites marshals and unmarshals in several ways.
package sites

import "encoding/json"

// Order is marshalled by a wrapper.
type Order struct{ ID string }

// Page is generic.
type Page[T any] struct{ Items []T }

func encode(v any) []byte {
	b, _ := json.Marshal(v)
	return b
}

// All has one site of each kind.
func All(b []byte) [][]byte {
	var list []Order
	_ = json.Unmarshal(b, &list)
	var free map[string]any
	_ = json.Unmarshal(b, &free)
	local := struct{ N int }{1}
	one, _ := json.Marshal(local)
	two, _ := json.Marshal(Page[Order]{})
	three, _ := json.Marshal(free)
	return [][]byte{one, two, three, encode(&Order{})}
}
