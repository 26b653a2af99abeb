package jsonschema

import (
	"encoding/json"
	"math/big"
	"strconv"

	"github.com/zmylab/zmy/gen/ir"
)

// Patterns of numbers in strings. Schemas have no other way to say what is in a string.
const (
	integerPattern  = `^(0|-?[1-9][0-9]*)$`
	unsignedPattern = `^(0|[1-9][0-9]*)$`
	numberPattern   = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`
	stringPattern   = `^".*"$`
)

// form returns the schema of a form. The schema is empty if anything is allowed.
func form(f *ir.JSONForm) node {
	if f.Maybe {
		return node{}
	}
	n := plain(f)
	if f.Quoted {
		n = quoted(f)
	}
	if len(n) == 0 {
		return n
	}
	if f.Zero != "" {
		zero := any(json.RawMessage(f.Zero))
		if f.Quoted {
			zero = f.Zero
		}
		n = either(n, node{{"const", zero}})
	}
	if f.Null {
		n = n.orNull()
	}
	return n
}

// plain returns the schema of a form that is neither null nor in a string.
func plain(f *ir.JSONForm) node {
	switch f.Kind {
	case ir.FormBool:
		return node{{"type", "boolean"}}
	case ir.FormString:
		return node{{"type", "string"}}
	case ir.FormInt, ir.FormUint:
		low, high := limits(f)
		return node{{"type", "integer"}, {"minimum", low}, {"maximum", high}}
	case ir.FormFloat, ir.FormNumber:
		return node{{"type", "number"}}
	case ir.FormBigInt:
		return node{{"type", "integer"}}
	case ir.FormBigFloat, ir.FormBigRat, ir.FormText:
		return node{{"type", "string"}}
	case ir.FormBytes:
		return node{{"type", "string"}, {"contentEncoding", "base64"}}
	case ir.FormTime:
		return node{{"type", "string"}, {"format", "date-time"}}
	case ir.FormList:
		return array(f)
	case ir.FormArray:
		return append(array(f), node{{"minItems", f.Len}, {"maxItems", f.Len}}...)
	case ir.FormMap:
		return mapping(f)
	case ir.FormRef:
		return node{{"$ref", "#/$defs/" + pointer(f.Type.Name)}}
	}
	return node{} // FormAny, FormRaw, FormCode
}

func array(f *ir.JSONForm) node {
	n := node{{"type", "array"}}
	if items := form(f.Elem); len(items) > 0 {
		n.add("items", items)
	}
	return n
}

// mapping returns the schema of a map. Keys that are not integers are any strings.
func mapping(f *ir.JSONForm) node {
	n := node{{"type", "object"}}
	key := f.Key.Underlying()
	pattern := ""
	switch key.Kind {
	case ir.FormInt, ir.FormBigInt:
		pattern = integerPattern
	case ir.FormUint:
		pattern = unsignedPattern
	case ir.FormTime:
		n.add("propertyNames", node{{"format", "date-time"}})
	}
	elem := form(f.Elem)
	switch {
	case pattern != "":
		n.add("patternProperties", node{{pattern, elem}})
		n.add("additionalProperties", false)
	case len(elem) > 0:
		n.add("additionalProperties", elem)
	}
	return n
}

// limits returns the range of an integer as JSON numbers.
func limits(f *ir.JSONForm) (low, high json.Number) {
	bits := f.Bits
	if f.Kind == ir.FormInt {
		bits--
	}
	top := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	high = json.Number(new(big.Int).Sub(top, big.NewInt(1)).String())
	if f.Kind == ir.FormUint {
		return "0", high
	}
	return json.Number(new(big.Int).Neg(top).String()), high
}

// quoted returns the schema of a scalar that is written inside a string.
func quoted(f *ir.JSONForm) node {
	if f.Kind == ir.FormRef && len(f.Type.Values) > 0 {
		return enum(f.Type, true)
	}
	text := node{{"type", "string"}}
	switch f.Underlying().Kind {
	case ir.FormBool:
		return node{{"enum", []string{"true", "false"}}}
	case ir.FormInt:
		text.add("pattern", integerPattern)
	case ir.FormUint:
		text.add("pattern", unsignedPattern)
	case ir.FormFloat, ir.FormNumber:
		text.add("pattern", numberPattern)
	case ir.FormString:
		text.add("pattern", stringPattern)
		text.add("contentMediaType", "application/json")
	}
	return text
}

// enum returns the schema of an enumeration, with the values inside strings if asked for.
func enum(t *ir.JSONType, quoted bool) node {
	values := make([]any, len(t.Values))
	for i, v := range t.Values {
		values[i] = json.RawMessage(v.Text)
		if quoted {
			values[i] = v.Text
		}
	}
	kind := "string"
	if t.Form.Kind != ir.FormString && !quoted {
		kind = "integer"
	}
	return node{{"type", kind}, {"enum", values}}
}

// orNull allows null too.
func (n node) orNull() node {
	if kind, ok := n.get("type").(string); ok && n.get("enum") == nil {
		out := append(node{}, n...)
		out.set("type", []string{kind, "null"})
		return out
	}
	return either(n, node{{"type", "null"}})
}

// either allows what n or other allows.
func either(n, other node) node {
	if list, ok := n.get("anyOf").([]node); ok && len(n) == 1 {
		return node{{"anyOf", append(list, other)}}
	}
	return node{{"anyOf", []node{n, other}}}
}

// pointer escapes a name for the fragment of a URI.
func pointer(name string) string {
	out := ""
	for _, b := range []byte(name) {
		if b >= 0x80 {
			out += "%" + strconv.FormatUint(uint64(b), 16)
			continue
		}
		out += string(rune(b))
	}
	return out
}
