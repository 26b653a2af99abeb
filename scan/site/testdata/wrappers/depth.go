// Package shop has sites behind wrappers of several depths.
package shop

import (
	"bytes"
	"encoding/json"
	"io"
)

type Order struct{ ID string }

type Item struct{ SKU string }

func direct(o *Order) ([]byte, error) {
	return json.Marshal(o) // want marshal std-json *Order
}

func one(v any) ([]byte, error) {
	return json.Marshal(v) // want marshal std-json *Order via callers; []Item via callers three two; Item via callers two; map[string]any via callers four three two
}

func two(v any) ([]byte, error)   { return one(v) }
func three(v any) ([]byte, error) { return two(v) }
func four(v any) ([]byte, error)  { return three(v) }

func callers() {
	one(&Order{})
	two(Item{})
	three([]Item{{}})
	four(map[string]any{"a": 1})
}

// read fills what is passed to it.
func read(r io.Reader, into interface{}) error {
	dec := json.NewDecoder(r)
	dec.UseNumber()
	return dec.Decode(into) // want unmarshal std-json *Item via variable; *Order via variable
}

func variable(r io.Reader, which bool) any {
	var into any
	if which {
		into = &Order{}
	} else {
		into = new(Item)
	}
	read(r, into)
	return into
}

func nobody(v any) {
	json.Marshal(v) // want marshal std-json ? no call of example.org/shop.nobody is known, whose parameter v it is
}

func raw(m json.RawMessage, any any) {
	json.Marshal(m)         // want marshal std-json encoding/json.RawMessage
	json.Unmarshal(m, &any) // want unmarshal std-json *any
	json.Unmarshal(m, &m)   // want unmarshal std-json *encoding/json.RawMessage
	json.Marshal(nil)       // want marshal std-json ? nil is passed
	json.Valid(m)
}

func variadic(w io.Writer, all ...any) {
	enc := json.NewEncoder(w)
	for _, v := range all {
		enc.Encode(v) // want marshal std-json Item via callVariadic; Order via callVariadic
	}
}

func callVariadic() { variadic(new(bytes.Buffer), Order{}, Item{}) }

type key struct{ n int }

func recursion(v any, n int) {
	if n > 0 {
		recursion(v, n-1)
		recursion(key{n}, n-1)
		return
	}
	json.Marshal(v) // want marshal std-json Order via callRecursion; key via recursion
}

func callRecursion() { recursion(Order{}, 3) }

// pick returns its argument: only the argument of this call reaches the site.
func pick(v any) any { return v }

func identity() {
	pick(Item{})
	json.Marshal(pick(Order{})) // want marshal std-json Order
}
