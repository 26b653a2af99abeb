package zmyreflect

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/wire"
)

// directive takes the struct tag of a blank field: what would else be a comment
// //zmy:sparse or //zmy:reserved 4 string.
func (c *compiler) directive(z *typ, text string) *TypeError {
	name, args, _ := strings.Cut(text, " ")
	switch {
	case text == "sparse":
		z.shape = shapeSparse
		return nil
	case name == "reserved":
		return c.reserved(z, args)
	case name == "limits", name == "lint-ignore": // of zmy lock and zmy lint
		return nil
	}
	return fail("_", `write it as in zmy:"sparse" or zmy:"reserved 4 string"`, "unknown directive %s", text)
}

// reserved takes a number that Go no longer has, whose place stays.
func (c *compiler) reserved(z *typ, args string) *TypeError {
	number, text, _ := strings.Cut(strings.TrimSpace(args), " ")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return fail("_", "write it as in reserved 4 string", "bad directive reserved %s", args)
	}
	size, ok := reservedSize(strings.TrimSpace(text))
	if !ok {
		return fail("_", "write string, int64, time.Time, time.Duration, [16]byte … or []T, map[K]V, *T, struct, any", "directive reserved has no type %q", text)
	}
	t := &typ{shape: shapeBytes, cost: 0}
	if size > 0 {
		t = &typ{shape: shapeFixed, size: size}
	}
	z.fields = append(z.fields, field{number: n, typ: t, reserved: true})
	return nil
}

// reservedSize is how many bytes a type given in words takes among the scalars,
// 0 for a tail. What is in it is not looked at.
func reservedSize(text string) (size int, ok bool) {
	if n := scalarWord(text); n > 0 {
		return n, true
	}
	switch text {
	case "string", "json.Number", "[]byte", "json.RawMessage", "any", "struct":
		return 0, true
	}
	for _, prefix := range []string{"[]", "map[", "*"} {
		if len(text) > len(prefix) && strings.HasPrefix(text, prefix) {
			return 0, true
		}
	}
	length, elem, ok := strings.Cut(text, "]")
	if !ok || !strings.HasPrefix(length, "[") {
		return 0, false
	}
	n, err := strconv.Atoi(length[1:])
	e, ok := reservedSize(elem)
	if err != nil || n < 1 || n > 1<<20 || !ok {
		return 0, false
	}
	if n*e <= wire.MaxFixed {
		return n * e, true
	}
	return 0, true
}

// scalarWord is the size of a scalar type as Go spells it, 0 for other words.
func scalarWord(text string) int {
	switch text {
	case "byte":
		return 1
	case "rune":
		return 4
	case "time.Duration", "time.Time,unixnano":
		return 8
	case "time.Time":
		return wire.TimeLen
	case "time.Time,zone":
		return wire.ZoneTimeLen
	}
	for k := reflect.Bool; k <= reflect.Complex128; k++ {
		if text == k.String() {
			return scalarSize(k)
		}
	}
	return 0
}

// scalarSize is what a kind takes on the wire, 0 for those that are no scalars.
func scalarSize(k reflect.Kind) int {
	switch k {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return 1
	case reflect.Int16, reflect.Uint16:
		return 2
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return 4
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr, reflect.Float64, reflect.Complex64:
		return 8
	case reflect.Complex128:
		return 16
	}
	return 0
}
