package contract

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// Forms are spelled like Go types: []Item, [3]float64, map[string]?Item. A ? in front is a pointer.
// The words are bool, string, int8 to int64, uint8 to uint64, float32, float64, bytes (base64), time
// (RFC 3339), number (json.Number), bigint, bigfloat, bigrat, any, raw and text. Other words are
// names of types.

// form is a parsed form.
type form struct {
	op        string // "?", "[]", "[n]", "map", or "" for a word
	word      string
	length    int64
	key, elem *form
}

var words = map[string]bool{
	"bool": true, "string": true, "int8": true, "int16": true, "int32": true, "int64": true, "uint8": true, "uint16": true,
	"uint32": true, "uint64": true, "float32": true, "float64": true, "bytes": true, "time": true, "number": true, "bigint": true,
	"bigfloat": true, "bigrat": true, "any": true, "raw": true, "text": true,
}

func parseForm(s string) (*form, error) {
	switch {
	case s == "":
		return nil, fmt.Errorf("a form is missing")
	case s[0] == '?':
		elem, err := parseForm(s[1:])
		return &form{op: "?", elem: elem}, err
	case strings.HasPrefix(s, "[]"):
		elem, err := parseForm(s[2:])
		return &form{op: "[]", elem: elem}, err
	case s[0] == '[':
		n, rest, _ := strings.Cut(s[1:], "]")
		length, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("bad length in %q", s)
		}
		elem, err := parseForm(rest)
		return &form{op: "[n]", length: length, elem: elem}, err
	case strings.HasPrefix(s, "map["):
		end := closing(s[4:])
		if end < 0 {
			return nil, fmt.Errorf("a bracket is missing in %q", s)
		}
		key, err := parseForm(s[4 : 4+end])
		if err != nil {
			return nil, err
		}
		elem, err := parseForm(s[4+end+1:])
		return &form{op: "map", key: key, elem: elem}, err
	}
	return &form{word: s}, nil
}

// closing returns the index of the bracket that closes one before s, or -1.
func closing(s string) int {
	depth := 0
	for i, c := range s {
		switch {
		case c == '[':
			depth++
		case c == ']' && depth == 0:
			return i
		case c == ']':
			depth--
		}
	}
	return -1
}

// holdsNull reports whether nil of this form is written as null.
func (f *form) holdsNull() bool {
	return f.op == "?" || f.op == "[]" || f.op == "map" || f.word == "bytes"
}

// spelling spells forms of a plan.
type spelling struct{ name func(*ir.JSONType) string }

var formWords = map[ir.JSONFormKind]string{
	ir.FormAny: "any", ir.FormRaw: "raw", ir.FormBool: "bool", ir.FormString: "string", ir.FormNumber: "number",
	ir.FormBigInt: "bigint", ir.FormBigFloat: "bigfloat", ir.FormBigRat: "bigrat", ir.FormBytes: "bytes", ir.FormTime: "time",
	ir.FormText: "text",
}

// of returns the form of values of type t, which the contract describes as f. It looks at t for
// pointers only, since f says no more of them than that null is possible.
func (s spelling) of(t *ir.Type, f *ir.JSONForm) string {
	if t.Kind == ir.Pointer && t.Name == nil {
		return "?" + s.of(t.Elem, f)
	}
	switch f.Kind {
	case ir.FormInt:
		return "int" + strconv.Itoa(f.Bits)
	case ir.FormUint:
		return "uint" + strconv.Itoa(f.Bits)
	case ir.FormFloat:
		return "float" + strconv.Itoa(f.Bits)
	case ir.FormList:
		return "[]" + s.of(t.Elem, f.Elem)
	case ir.FormArray:
		return "[" + strconv.FormatInt(f.Len, 10) + "]" + s.of(t.Elem, f.Elem)
	case ir.FormMap:
		return "map[" + s.of(t.Key, f.Key) + "]" + s.of(t.Elem, f.Elem)
	case ir.FormRef:
		return s.name(f.Type)
	}
	return formWords[f.Kind]
}
