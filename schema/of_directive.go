package schema

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// directives takes what blank fields say of the struct t: _ struct{} `zmy:"sparse"`
// or `zmy:"reserved 4 string"`. Comments are out of sight.
func directives(t reflect.Type) (sparse bool, reserved []numberedField, err error) {
	for i := range t.NumField() {
		text, ok := directive(t.Field(i))
		name, args, _ := strings.Cut(text, " ")
		switch {
		case !ok:
		case text == "sparse":
			sparse = true
		case name == "reserved":
			number, words, _ := strings.Cut(strings.TrimSpace(args), " ")
			n, err := strconv.ParseUint(number, 10, 16)
			r, ok := reservedWords(strings.TrimSpace(words))
			if err != nil || !ok {
				return false, nil, fmt.Errorf("%v: bad directive %q; write it as in reserved 4 string", t, text)
			}
			reserved = append(reserved, numberedField{Field: Field{Number: uint32(n), Reserved: true}, gone: r})
		default:
			return false, nil, fmt.Errorf("%v: unknown directive %q", t, text)
		}
	}
	return sparse, reserved, nil
}

// directive is the struct tag zmy of a blank field.
func directive(f reflect.StructField) (text string, ok bool) {
	text = f.Tag.Get("zmy")
	return text, f.Name == "_" && text != "" && text != "-"
}

// reservedWords is a reserved type as a directive spells it: what it is called in
// canonical texts, and how many bytes it takes among the scalars, 0 for a tail.
func reservedWords(text string) (t Type, ok bool) {
	t = Type{Kind: Reserved, Name: text}
	if k, ok := scalarWords[text]; ok {
		t.Name, t.Len = kinds[k].name, uint32(kinds[k].size)
		return t, true
	}
	switch text {
	case "time.Time,zone":
		t.Name, t.Len = "time", 16
		return t, true
	case "time.Time,unixnano":
		t.Name, t.Len = "time", 8
		return t, true
	case "json.Number":
		t.Name = "string"
		return t, true
	case "[]byte":
		t.Name = "bytes"
		return t, true
	case "json.RawMessage":
		t.Name = "bytes:json"
		return t, true
	case "string", "any", "struct":
		return t, true
	}
	for _, prefix := range []string{"[]", "map[", "*"} {
		if len(text) > len(prefix) && strings.HasPrefix(text, prefix) {
			return t, true
		}
	}
	length, elem, ok := strings.Cut(text, "]")
	if !ok || !strings.HasPrefix(length, "[") {
		return t, false
	}
	n, err := strconv.Atoi(length[1:])
	e, ok := reservedWords(elem)
	if err != nil || n < 1 || n > 1<<20 || !ok {
		return t, false
	}
	if size := uint64(n) * uint64(e.Len); size > 0 && size <= MaxFixed {
		t.Name, t.Len = length+"]"+e.Name, uint32(size)
	}
	return t, true
}

// scalarWords are the scalar types as Go spells them.
var scalarWords = map[string]Kind{
	"bool": Bool, "int8": Int8, "int16": Int16, "int32": Int32, "int64": Int64, "int": Int64, "byte": Uint8, "rune": Int32,
	"uint8": Uint8, "uint16": Uint16, "uint32": Uint32, "uint64": Uint64, "uint": Uint64, "uintptr": Uint64,
	"float32": Float32, "float64": Float64, "complex64": Complex64, "complex128": Complex128,
	"time.Time": Time, "time.Duration": Duration,
}
