package zmytype

import (
	"fmt"
	"strings"
)

// The canonical text of a type has only what decides whether a reader understands a message. So it
// has no names, and types with the same encoding have the same text. A struct that occurs again is
// written as a number, so the text of a recursive type is finite.

// Text returns the canonical text of a type; a fingerprint is its hash. It has the shapes of all
// types depth first, without names. A struct or union that occurs again is written as its number,
// which counts first occurrences.
func (t *Type[T, F]) Text() string {
	var s strings.Builder
	t.text(&s, map[*Type[T, F]]int{})
	return s.String()
}

func (t *Type[T, F]) text(s *strings.Builder, seen map[*Type[T, F]]int) {
	if t.Words != "" {
		s.WriteString(t.Words)
		return
	}
	switch t.Shape {
	case ShapeFixed, ShapeFixedTail, ShapeArray:
		switch {
		case t.Kind == Array:
			fmt.Fprintf(s, "[%d]", t.Len)
			t.Elem.text(s, seen)
		case t.Kind == Struct:
			s.WriteString("inline")
			t.fieldsText(s, seen)
		case t.Time == Zone:
			s.WriteString("time:zone")
		case t.Time == UnixNano:
			s.WriteString("time:unixnano")
		default:
			s.WriteString(t.Kind.scalarName())
		}
	case ShapePacked, ShapeList, ShapeDense:
		s.WriteString("[]")
		t.Elem.text(s, seen)
	case ShapeMap:
		s.WriteString("map[")
		t.Key.text(s, seen)
		s.WriteString("]")
		t.Elem.text(s, seen)
	case ShapePtrStruct, ShapePtrFixed, ShapeOpt:
		s.WriteString("?")
		t.Elem.text(s, seen)
	case ShapeStruct, ShapeSparse, ShapeUnion:
		t.numberedText(s, seen)
	case ShapeMethods:
		s.WriteString([...]string{ViaZMY: "zmy", ViaBinary: "binary", ViaText: "text", ViaJSON: "bytes:json"}[t.Via])
	default:
		s.WriteString(shapeWords[t.Shape])
		if t.Kind == RawJSON {
			s.WriteString(":json")
		}
	}
}

// numberedText writes a struct or union, or only its number if it occurred before.
func (t *Type[T, F]) numberedText(s *strings.Builder, seen map[*Type[T, F]]int) {
	if n, ok := seen[t]; ok {
		fmt.Fprintf(s, "#%d", n)
		return
	}
	seen[t] = len(seen)
	switch t.Shape {
	case ShapeUnion:
		s.WriteString("union{")
		for i, a := range t.Arms {
			if i > 0 {
				s.WriteString(",")
			}
			fmt.Fprintf(s, "%d:", a.Disc)
			a.Type.text(s, seen)
		}
		s.WriteString("}")
		return
	case ShapeSparse:
		s.WriteString("sparse")
	}
	t.fieldsText(s, seen)
}

func (t *Type[T, F]) fieldsText(s *strings.Builder, seen map[*Type[T, F]]int) {
	s.WriteString("{")
	for i, f := range t.Fields {
		if i > 0 {
			s.WriteString(",")
		}
		f.Type.text(s, seen)
	}
	s.WriteString("}")
}

var shapeWords = [...]string{
	ShapeString: "string", ShapeBytes: "bytes", ShapeAny: "any",
	ShapeBigInt: "bigint", ShapeBigFloat: "bigfloat", ShapePtrBigInt: "?bigint", ShapePtrBigFloat: "?bigfloat",
}
