package fidelity

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// SameJSON reports whether two documents mean the same (RFC 8259). White space, escapes in strings
// and the order of keys do not count. Numbers are compared exactly, as decimals of any size: 1.0, 1
// and 10e-1 are equal, 0 and -0 are not. If an object repeats a key, all its values count, in
// order.
//
// If the documents differ, path is the place of the first difference: `items[3].price`, or "." for
// the whole document. If one is not JSON, path is a sentence that says which.
func SameJSON(a, b []byte) (same bool, path string) {
	if bytes.Equal(a, b) && json.Valid(a) {
		return true, ""
	}
	if !json.Valid(a) {
		return false, "the first document is not valid JSON"
	}
	if !json.Valid(b) {
		return false, "the second document is not valid JSON"
	}
	c := jsonCompare{}
	if c.same(bytes.TrimSpace(a), bytes.TrimSpace(b)) {
		return true, ""
	}
	return false, c.at.String()
}

// jsonCompare compares two valid documents as spans of text. Spans with equal bytes are equal; it
// descends only into spans that differ, so two nearly equal documents cost one scan.
type jsonCompare struct{ at path }

// same compares two values of the same kind, and calls values of different kinds different. It goes
// by the first byte. The literals true, false and null differ if their bytes do.
func (c *jsonCompare) same(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	switch {
	case a[0] == '{' && b[0] == '{':
		return c.sameObject(a, b)
	case a[0] == '[' && b[0] == '[':
		return c.sameArray(a, b)
	case a[0] == '"' && b[0] == '"':
		return unquoteJSON(a) == unquoteJSON(b)
	case isNumberStart(a[0]) && isNumberStart(b[0]):
		return sameDecimal(string(a), string(b))
	}
	return false
}

func isNumberStart(c byte) bool { return c == '-' || '0' <= c && c <= '9' }

func (c *jsonCompare) sameArray(a, b []byte) bool {
	x, y := items(a), items(b)
	for i := range max(len(x), len(y)) {
		c.at = append(c.at, step{kind: stepIndex, index: i})
		if i == len(x) || i == len(y) || !c.same(x[i], y[i]) {
			return false
		}
		c.at = c.at[:len(c.at)-1]
	}
	return true
}

// sameObject compares the n-th value of a key with the n-th value of that key in the other object.
func (c *jsonCompare) sameObject(a, b []byte) bool {
	x, y := items(a), items(b)
	rest := make(map[string][][]byte, len(y)/2)
	for m := range slices.Chunk(y, 2) {
		key := unquoteJSON(m[0])
		rest[key] = append(rest[key], m[1])
	}
	for m := range slices.Chunk(x, 2) {
		key := unquoteJSON(m[0])
		c.at = append(c.at, keyStep(key))
		values := rest[key]
		if len(values) == 0 || !c.same(m[1], values[0]) {
			return false
		}
		rest[key] = values[1:]
		c.at = c.at[:len(c.at)-1]
	}
	for m := range slices.Chunk(y, 2) {
		if key := unquoteJSON(m[0]); len(rest[key]) > 0 {
			c.at = append(c.at, keyStep(key))
			return false
		}
	}
	return true
}

// keyStep returns the step for a key: plain keys are spelled as fields, others quoted in brackets.
func keyStep(key string) step {
	plain := key != ""
	for i := range len(key) {
		b := key[i] | 0x20
		plain = plain && ('a' <= b && b <= 'z' || key[i] == '_' || i > 0 && '0' <= key[i] && key[i] <= '9')
	}
	if plain {
		return step{kind: stepField, name: key}
	}
	return step{kind: stepKey, name: strconv.Quote(key)}
}

// items splits a valid array into its elements, or a valid object into its keys and values in turn.
func items(b []byte) [][]byte {
	var out [][]byte
	for b = trimJSON(b[1:]); b[0] != ']' && b[0] != '}'; {
		n := spanJSON(b)
		out = append(out, b[:n])
		if b = trimJSON(b[n:]); b[0] == ',' || b[0] == ':' {
			b = trimJSON(b[1:])
		}
	}
	return out
}

// trimJSON cuts leading white space off.
func trimJSON(b []byte) []byte {
	return bytes.TrimLeft(b, " \t\r\n")
}

// spanJSON returns the length of the valid JSON value at the start of b.
func spanJSON(b []byte) int {
	switch b[0] {
	case '"':
		return spanString(b)
	case '{', '[':
		return spanNested(b)
	}
	if n := bytes.IndexAny(b, ",]} \t\r\n"); n >= 0 {
		return n
	}
	return len(b)
}

func spanString(b []byte) int {
	for i := 1; ; i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

func spanNested(b []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch b[i] {
		case '"':
			i += spanString(b[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}

// unquoteJSON returns the text of a valid JSON string.
func unquoteJSON(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return strings.ToValidUTF8(string(b[1:len(b)-1]), "\uFFFD")
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return string(b) // cannot happen in a valid document
	}
	return s
}

// sameDecimal compares two JSON numbers exactly. It works on their digits, since a number with a
// large exponent would take too much memory.
func sameDecimal(a, b string) bool {
	x, y := parseDecimal(a), parseDecimal(b)
	if x.neg != y.neg || x.digits != y.digits {
		return false
	}
	return x.digits == "" || x.exp.Cmp(y.exp) == 0
}

// decimal is ±0.digits × 10^exp, where digits has no leading or trailing zeros. Zero has no digits.
type decimal struct {
	neg    bool
	digits string
	exp    *big.Int
}

// parseDecimal moves the point in front of the first digit that is not zero, so that equal numbers
// have equal digits and exponents.
func parseDecimal(s string) decimal {
	d := decimal{exp: new(big.Int)}
	s, d.neg = strings.CutPrefix(s, "-")
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		d.exp.SetString(strings.TrimPrefix(s[i+1:], "+"), 10)
		s = s[:i]
	}
	whole, frac, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole+frac, "0")
	point := len(whole) - (len(whole) + len(frac) - len(digits))
	d.exp.Add(d.exp, big.NewInt(int64(point)))
	d.digits = strings.TrimRight(digits, "0")
	return d
}
