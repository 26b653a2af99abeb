package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Library is a JSON library, in the configuration that comes closest to encoding/json.
type Library struct {
	Marshal   func(any) ([]byte, error)
	Unmarshal func([]byte, any) error
}

// Case is one row of the table. A deadly case may end the program.
type Case struct {
	Name   string
	Deadly bool
	Do     func(Library) string
}

// encode is the case of marshaling v.
func encode(name string, v any) Case {
	return Case{Name: name, Do: func(l Library) string {
		b, err := l.Marshal(v)
		if err != nil {
			return "error"
		}
		return string(b)
	}}
}

// order is like encode, for values whose keys a library may write in another order at each call.
func order(name string, v any) Case {
	c := encode(name, v)
	return Case{Name: name, Do: func(l Library) string {
		first := c.Do(l)
		for range 50 {
			if c.Do(l) != first {
				return "any order"
			}
		}
		return first
	}}
}

// decode is the case of unmarshaling doc into a copy of v. The result is the copy as package fmt
// formats it, followed by ", error" if there was an error.
func decode[T any](name, doc string, v T) Case {
	return Case{Name: name, Do: func(l Library) string {
		to := v
		err := l.Unmarshal([]byte(doc), &to)
		shown := fmt.Sprintf("%+v", to)
		if err != nil {
			return shown + ", error"
		}
		return shown
	}}
}

// accept is like decode, but the result only says whether the library accepts doc.
func accept[T any](name, doc string, v T) Case {
	return Case{Name: name, Do: func(l Library) string {
		to := v
		if l.Unmarshal([]byte(doc), &to) != nil {
			return "error"
		}
		return "accepted"
	}}
}

func deadly(c Case) Case {
	c.Deadly = true
	return c
}

// All returns the rows of the table.
func All() []Case {
	cycle := &Node{}
	cycle.Next = cycle
	return []Case{
		encode("`<`, `>`, `&` in strings", &Text{"<&>"}),
		encode("U+2028 in strings", &Text{"\u2028"}),
		encode("control characters", &Text{"\x00\b\f\x7f"}),
		encode("invalid UTF-8", &Text{"a\xffb"}),
		order("order of the keys of maps", &Order{M: map[string]int{"b": 1, "a": 2, "c": 3, "aa": 4, "\x7f": 5}}),
		order("order of keys with MarshalText", &Order{T: map[Color]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5}}),
		encode("floats: 1e21, 1e-7, -0, float32", &Floats{1e21, 1e-7, math.Copysign(0, -1), 0.1}),
		encode("NaN", &Floats{A: math.NaN()}),
		encode("nil and empty slices and maps", &Nils{B: []int{}, D: map[string]int{}}),
		encode("RawMessage with spaces and HTML", &Raw{json.RawMessage(` { "a" : "<" } `)}),
		encode("malformed RawMessage", &Raw{json.RawMessage(`{"a":`)}),
		encode("omitzero", &Optional{}),
		encode("MarshalJSON of the pointer, value in a map", &Values{map[string]ByPointer{"a": {1}}}),
		encode("MarshalJSON that returns no JSON", &Own{}),
		encode("MarshalJSON that fails", &Own{Broken{-1}}),
		deadly(encode("a cycle of pointers", cycle)),
		encode("option string", &Quoted{"a\"b", 5}),
		encode("embedded structs in conflict, one nil", &Embedded{Right: Right{1, 2}}),
		encode("embedded structs in conflict", &Embedded{&Left{1, 2}, Right{3, 4}}),

		decode("syntax error: target as it was", `{"a":1,"b":}`, Pair{A: 5}),
		decode("wrong type: the rest is decoded", `{"a":"x","b":2}`, Pair{}),
		decode("names but for case", `{"NAME":1,"KELVIN":2}`, Names{}),
		decode("names but for case, Kelvin sign", "{\"\u212aelvin\":1}", Names{}),
		decode("exact name before others", `{"name":1,"NAME":2}`, Names{}),
		decode("a name twice", `{"a":1,"a":null,"a":3}`, Pair{}),
		accept("text behind the value", `{"a":1} x`, Pair{}),
		accept("`01`", `{"a":01}`, Pair{}),
		accept("`1.0` for an int", `{"a":1.0}`, Pair{}),
		accept("`-` in a field that is unknown", `{"x":-}`, Pair{}),
		accept("`\"\\x\"` in a field that is unknown", `{"x":"\x"}`, Pair{}),
		accept("`[1,]` in a field that is unknown", `{"x":[1,]}`, Pair{}),
		accept("a line feed in a string", "{\"S\":\"a\nb\"}", Text{}),
		decode("invalid UTF-8, decoded", "{\"S\":\"a\xffb\"}", Text{}),
		decode("half of a surrogate pair", `{"S":"\ud800x"}`, Text{}),
		decode("null leaves scalars", `{"a":null}`, Pair{A: 5}),
		decode("a number out of range", `{"i":300,"f":1}`, Small{}),
		decode("a float out of range", `{"f":1e999,"i":1}`, Small{}),
		decode("short array", `{"array":[9]}`, Lists{Array: [3]int{1, 2, 3}}),
		decode("long array", `{"array":[9,8,7,6]}`, Lists{}),
		{Name: "elements that are there are merged", Do: func(l Library) string {
			to := Lists{Pairs: []Pair{{1, 2}, {3, 4}}}
			err := l.Unmarshal([]byte(`{"pairs":[{"a":9}]}`), &to)
			return fmt.Sprint(to.Pairs, to.Pairs[:cap(to.Pairs)][:2], err)
		}},
		{Name: "maps are merged", Do: func(l Library) string {
			to := Dynamic{M: map[string]any{"a": 1.0}}
			err := l.Unmarshal([]byte(`{"m":{"b":2}}`), &to)
			return fmt.Sprint(to.M, err)
		}},
		{Name: "interface that holds a pointer", Do: func(l Library) string {
			p := &Pair{A: 1, B: 2}
			to := Dynamic{Any: p}
			err := l.Unmarshal([]byte(`{"any":{"a":9}}`), &to)
			return fmt.Sprint(*p, err)
		}},
		decode("keys that are integers, out of range", `{"M":{"1":1,"300":2,"3":3}}`, IntKeys{}),
		accept("json.Number from a string that is none", `{"N":"x"}`, Number{}),
		accept("option string without quotes", `{"n":5}`, Quoted{}),
		deadly(accept("10,001 levels", strings.Repeat(`{"any":[`, 5001)+strings.Repeat("]}", 5001), Node{})),
		deadly(accept("a million levels, unknown field", `{"x":`+strings.Repeat("[", 1e6)+strings.Repeat("]", 1e6)+`}`, Pair{})),
		{Name: "input and output are independent", Do: func(l Library) string {
			doc := []byte(`{"S":"abc"}`)
			var to Text
			err := l.Unmarshal(doc, &to)
			copy(doc, bytes.Repeat([]byte("#"), len(doc)))
			return fmt.Sprint(to, err)
		}},
	}
}
