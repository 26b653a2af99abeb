package check

import (
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// reserved takes the directives //zmy:reserved N type of a struct: fields that
// Go no longer has, whose places stay.
func (c *zmyCheck) reserved(z *ir.ZMYType, args, path string) {
	number, text, _ := strings.Cut(strings.TrimSpace(args), " ")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		c.problem(z.Type.Pos, path, "write it as in //zmy:reserved 4 string", "bad directive //zmy:reserved %s", args)
		return
	}
	t := reservedType(strings.TrimSpace(text))
	if t == nil {
		c.problem(z.Type.Pos, path, "write string, int64, time.Time, time.Duration, [16]byte … or []T, map[K]V, *T, struct, any", "directive //zmy:reserved has no type %q", text)
		return
	}
	z.Fields = append(z.Fields, &ir.ZMYField{Number: n, Type: t})
}

// reservedType is the form of a type given in words: how many bytes it takes
// among the scalars, or that it is a tail. What is in it is not looked at.
func reservedType(text string) *ir.ZMYType {
	scalar := func(k ir.Kind, size int) *ir.ZMYType {
		return &ir.ZMYType{Type: &ir.Type{Kind: k}, Shape: ir.ZMYFixed, Size: size}
	}
	if k, ok := scalarWords[text]; ok {
		return scalar(k, fixedSize(k))
	}
	switch text {
	case "time.Time,zone":
		return scalar(ir.Time, 16)
	case "time.Time,unixnano":
		return scalar(ir.Time, 8)
	case "string", "json.Number":
		return reservedTail("string")
	case "[]byte":
		return reservedTail("bytes")
	case "json.RawMessage":
		return reservedTail("bytes:json")
	case "any", "struct":
		return reservedTail(text)
	}
	for _, prefix := range []string{"[]", "map[", "*"} {
		if len(text) > len(prefix) && strings.HasPrefix(text, prefix) {
			return reservedTail(text)
		}
	}
	if length, elem, ok := strings.Cut(text, "]"); ok && strings.HasPrefix(length, "[") {
		n, err := strconv.Atoi(length[1:])
		e := reservedType(elem)
		if err != nil || n < 1 || n > 1<<20 || e == nil {
			return nil
		}
		if e.Shape == ir.ZMYFixed && n*e.Size <= maxFixed {
			return &ir.ZMYType{Type: &ir.Type{Kind: ir.Array, Len: int64(n), Elem: e.Type}, Shape: ir.ZMYFixed, Size: n * e.Size, Elem: e}
		}
		return reservedTail(text)
	}
	return nil
}

func reservedTail(words string) *ir.ZMYType {
	return &ir.ZMYType{Type: &ir.Type{Kind: ir.Bytes}, Shape: ir.ZMYBytes, Words: words}
}

// scalarWords are the scalar types as Go spells them.
var scalarWords = func() map[string]ir.Kind {
	words := map[string]ir.Kind{"byte": ir.Uint8, "rune": ir.Int32}
	for k := ir.Bool; k <= ir.Duration; k++ {
		if fixedSize(k) > 0 {
			words[k.String()] = k
		}
	}
	return words
}()
