package lock

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/schema"
)

// words returns a recorded type as a directive //zmy:reserved spells it. The contents of a reserved
// field do not matter, only whether it is a tail, or else its size.
func (f *File) words(field *Field) string {
	if field.Words {
		return field.Type
	}
	if field.Inline {
		return fmt.Sprintf("[%d]byte", f.size(field))
	}
	return f.goWords(field.Type)
}

// goWords maps canonical names to the spelling of Go, where the two differ.
var goWords = map[string]string{
	"time": "time.Time", "time:zone": "time.Time,zone", "time:unixnano": "time.Time,unixnano", "duration": "time.Duration",
	"bytes": "[]byte", "bytes:json": "json.RawMessage", "bigint": "*big.Int", "bigfloat": "*big.Float",
	"zmy": "[]byte", "binary": "[]byte", "text": "string", none: "struct",
}

func (f *File) goWords(text string) string {
	return strings.ReplaceAll(leaves(text, f.goWord), "?", "*") // words have no question mark
}

func (f *File) goWord(text string) string {
	if word := goWords[text]; word != "" {
		return word
	}
	if kindOf(text) != 0 {
		return text
	}
	t := f.Type(strings.TrimPrefix(text, "."))
	switch {
	case t == nil || t.Kind == schema.Struct:
		return "struct"
	case t.Kind == schema.Union:
		return "any"
	}
	return t.Kind.String()
}
