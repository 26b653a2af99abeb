package zmytype

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/wire"
)

// reserved parses a directive //zmy:reserved N type of a struct. It adds a field that the Go struct
// no longer has and whose place in messages stays.
func (c *compiler[T, F]) reserved(z *Type[T, F], args string, at place[T, F]) {
	number, text, _ := strings.Cut(strings.TrimSpace(args), " ")
	n, ok := fieldNumber(number)
	if !ok {
		c.problem(at, "write it as in //zmy:reserved 4 string", "bad directive //zmy:reserved %s", args)
		return
	}
	words, size, ok := reservedWords(strings.TrimSpace(text))
	if !ok {
		c.problem(at, "write string, int64, time.Time, time.Duration, [16]byte … or []T, map[K]V, *T, struct, any",
			"directive //zmy:reserved has no type %q", text)
		return
	}
	z.Fields = append(z.Fields, gone[T, F](n, words, size))
}

// gone returns a field that the Go struct no longer has. size is its size in bytes among the
// scalars, 0 for a tail.
func gone[T, F comparable](number int, words string, size int) *Place[T, F] {
	t := &Type[T, F]{Kind: Bytes, Shape: ShapeBytes, Words: words}
	if size > 0 {
		t.Shape, t.Size = ShapeFixed, size
	}
	return &Place[T, F]{Number: number, Type: t}
}

// reservedWords parses the type in a reservation. It returns the type's canonical text and its size
// in bytes among the scalars, 0 for a tail. It does not parse what is in a list, map or pointer.
func reservedWords(text string) (words string, size int, ok bool) {
	if k := scalarOf(text); k != Invalid {
		return k.scalarName(), k.fixedSize(), true
	}
	switch text {
	case "time.Time,zone":
		return "time", wire.ZoneTimeLen, true
	case "time.Time,unixnano":
		return "time", 8, true
	case "json.Number":
		return "string", 0, true
	case "[]byte":
		return "bytes", 0, true
	case "json.RawMessage":
		return "bytes:json", 0, true
	case "string", "any", "struct":
		return text, 0, true
	}
	for _, prefix := range []string{"[]", "map[", "*"} {
		if len(text) > len(prefix) && strings.HasPrefix(text, prefix) {
			return text, 0, true
		}
	}
	length, elem, ok := strings.Cut(text, "]")
	if !ok || !strings.HasPrefix(length, "[") {
		return "", 0, false
	}
	n, err := strconv.Atoi(length[1:])
	words, size, ok = reservedWords(elem)
	switch {
	case err != nil || n < 1 || n > 1<<20 || !ok:
		return "", 0, false
	case size == 0 || n*size > wire.MaxFixed:
		return text, 0, true
	}
	return fmt.Sprintf("[%d]%s", n, words), n * size, true
}

// scalarOf returns the kind of the scalar type with this Go name, Invalid for other texts.
func scalarOf(text string) Kind {
	switch text {
	case "byte":
		return Uint8
	case "rune":
		return Int32
	}
	for k := Bool; k <= Duration; k++ {
		if k.fixedSize() > 0 && k.String() == text {
			return k
		}
	}
	return Invalid
}
