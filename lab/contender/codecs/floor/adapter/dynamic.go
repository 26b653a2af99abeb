//go:build ignore

package adapter

import "time"

// Dynamic has what values of type any hold, in the order in which Text met it.
type Dynamic struct {
	maps           [][]pair
	texts, numbers int

	// One piece of memory for all strings and one for all numbers that interfaces refer to, made by
	// the first that needs it.
	strings []string
	words   []uint64
}

type pair struct {
	k string
	v any
}

// Text appends the text of v, records its maps and counts what it holds.
func (d *Dynamic) Text(b []byte, v any) []byte {
	switch x := v.(type) {
	case string:
		d.texts++
		return append(b, x...)
	case []byte:
		return append(b, x...)
	case int, int64, uint64, float64:
		d.numbers++
	case []any:
		for _, e := range x {
			b = d.Text(b, e)
		}
	case map[string]any:
		list := make([]pair, 0, len(x))
		for k, e := range x {
			list = append(list, pair{k, e})
		}
		d.maps = append(d.maps, list)
		for _, p := range list {
			b = d.Text(append(b, p.k...), p.v)
		}
	}
	return b
}

// Own returns a copy of v that shares nothing with it, and the rest of b. It takes text and maps in
// the order in which Text met them. Values of types that encoding/json does not know as dynamic
// ones, such as structs, are copied as they are.
func (d *Dynamic) Own(b []byte, v any) (any, []byte) {
	switch x := v.(type) {
	case string:
		return d.box(Text(b[:len(x)])), b[len(x):]
	case []byte:
		return b[:len(x):len(x)], b[len(x):]
	case int:
		return number(d, x), b
	case int64:
		return number(d, x), b
	case uint64:
		return number(d, x), b
	case float64:
		return number(d, x), b
	case time.Time:
		y := x
		return y, b
	case []any:
		y := make([]any, len(x))
		for i, e := range x {
			y[i], b = d.Own(b, e)
		}
		return y, b
	case map[string]any:
		list := d.maps[0]
		d.maps = d.maps[1:]
		y := make(map[string]any, len(list))
		for _, p := range list {
			k := Text(b[:len(p.k)])
			y[k], b = d.Own(b[len(p.k):], p.v)
		}
		return y, b
	}
	return v, b
}

// box returns an interface that refers to s in the memory of all strings.
func (d *Dynamic) box(s string) any {
	if d.strings == nil {
		d.strings = make([]string, d.texts)
	}
	p := &d.strings[0]
	d.strings = d.strings[1:]
	*p = s
	return refer(p)
}

// number is box for a number.
func number[T int | int64 | uint64 | float64](d *Dynamic, x T) any {
	if d.words == nil {
		d.words = make([]uint64, d.numbers)
	}
	p := word[T](&d.words[0])
	d.words = d.words[1:]
	*p = x
	return refer(p)
}
