package jsonrt

import (
	"math/bits"
	"reflect"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: These functions decode fields with option "string" of the struct tag, for generated code
// and for plans. The functions called quoted… read the usual spelling of each kind, and return a
// negative index for any other spelling. Then [DecodeQuoted], or [quotedStd] in plans, has
// encoding/json decode the value (TestQuotedSpellings).

// DecodeQuotedBool reads a bool within quotes.
func DecodeQuotedBool[T ~bool](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if e := quotedBool(d, i, v); e >= 0 {
		return e
	}
	return DecodeQuoted(d, i, v)
}

func quotedBool[T ~bool](d *Dec, i int, v *T) int {
	if jsonwire.Load8(d.doc, i) == '"' {
		x, e := jsonwire.ParseBool(d.doc, i+1)
		if e >= 0 && jsonwire.Load8(d.doc, e) == '"' {
			*v = T(x)
			return e + 1
		}
	}
	return -1
}

// DecodeQuotedInt reads an integer within quotes.
func DecodeQuotedInt[T Signed](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if e := quotedInt(d, i, v); e >= 0 {
		return e
	}
	return DecodeQuoted(d, i, v)
}

func quotedInt[T Signed](d *Dec, i int, v *T) int {
	if jsonwire.Load8(d.doc, i) == '"' {
		x, e := jsonwire.ParseInt(d.doc, i+1)
		if e > 0 && int64(T(x)) == x && jsonwire.Load8(d.doc, e) == '"' {
			*v = T(x)
			return e + 1
		}
	}
	return -1
}

// DecodeQuotedUint reads an integer within quotes.
func DecodeQuotedUint[T Unsigned](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if e := quotedUint(d, i, v); e >= 0 {
		return e
	}
	return DecodeQuoted(d, i, v)
}

func quotedUint[T Unsigned](d *Dec, i int, v *T) int {
	if jsonwire.Load8(d.doc, i) == '"' {
		x, e := jsonwire.ParseUint(d.doc, i+1)
		if e > 0 && uint64(T(x)) == x && jsonwire.Load8(d.doc, e) == '"' {
			*v = T(x)
			return e + 1
		}
	}
	return -1
}

// DecodeQuotedFloat reads a number within quotes.
func DecodeQuotedFloat[T Float](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if e := quotedFloat(d, i, v); e >= 0 {
		return e
	}
	return DecodeQuoted(d, i, v)
}

func quotedFloat[T Float](d *Dec, i int, v *T) int {
	if jsonwire.Load8(d.doc, i) != '"' {
		return -1
	}
	var x T
	var e int
	if unsafe.Sizeof(x) == 4 {
		var f float32
		f, e = jsonwire.ParseFloat32(d.doc, i+1)
		x = T(f)
	} else {
		var f float64
		f, e = jsonwire.ParseFloat64(d.doc, i+1)
		x = T(f)
	}
	if e < 0 || jsonwire.Load8(d.doc, e) != '"' {
		return -1
	}
	*v = x
	return e + 1
}

// DecodeQuotedString reads a string literal within quotes.
func DecodeQuotedString[T ~string](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if e := quotedString(d, i, v); e >= 0 {
		return e
	}
	return DecodeQuoted(d, i, v)
}

func quotedString[T ~string](d *Dec, i int, v *T) int {
	const quotes = '"' | '\\'<<8 | '"'<<16
	if jsonwire.Load32(d.doc, i)&0xffffff != quotes {
		return -1
	}
	start := i + 3
	e := start
	for {
		m := jsonwire.TextEnds(jsonwire.Load64(d.doc, e))
		if m != 0 {
			e += bits.TrailingZeros64(m) >> 3
			break
		}
		e += 8
	}
	var text string
	if jsonwire.Load32(d.doc, e)&0xffffff == '\\'|'"'<<8|'"'<<16 { // ASCII without escapes
		text = d.str(start, e)
		e += 3
	} else if text, e = d.twiceQuoted(i); e < 0 {
		return -1
	}
	if jsonwire.StdV2 && (text == "null" || strings.ContainsRune(text, utf8.RuneError)) {
		return -1 // version 2 treats "null" as null, and refuses invalid UTF-8
	}
	*v = T(text)
	return e
}

// twiceQuoted returns the text of the string literal that the string at i holds, and the index
// after that string. The index is negative if the string holds anything else.
func (d *Dec) twiceQuoted(i int) (string, int) {
	inner, e := jsonwire.AppendUnescaped(nil, d.doc, i)
	if e < 0 || len(inner) == 0 || inner[0] != '"' {
		return "", -1
	}
	n := len(inner)
	inner = jsonwire.Padded(inner[:0], inner)
	text, end := jsonwire.AppendUnescaped(nil, inner, 0)
	if end != n {
		return "", -1
	}
	return string(text), e
}

// DecodeQuotedPtr reads null as nil. For a value within quotes it calls f, one of the functions
// above, which decodes into what *v points to.
func DecodeQuotedPtr[T any](d *Dec, i int, v **T, f func(*Dec, int, *T) int) int {
	i = jsonwire.SkipSpace(d.doc, i)
	switch {
	case plainQuoted(d.doc, i):
		if *v == nil {
			*v = newOf[T](d)
		}
		return f(d, i, *v)
	case jsonwire.IsNull(d.doc, i):
		*v = nil
		return i + 4
	}
	return DecodeQuoted(d, i, v)
}

// plainQuoted reports whether there is a string at i that begins like a number, a bool or a string
// literal. null within quotes does not count.
func plainQuoted(doc []byte, i int) bool {
	if jsonwire.Load8(doc, i) != '"' {
		return false
	}
	c := jsonwire.Load8(doc, i+1)
	return c-'0' <= 9 || c == '-' || c == 't' || c == 'f' || c == '\\'
}

// quotedDecoder returns the decoder of a plan for fields of type t with option "string".
func quotedDecoder(t reflect.Type) *decoder {
	rare := quotedStd(t)
	if t.Kind() == reflect.Pointer {
		elem := quotedDecoder(t.Elem())
		return &decoder{do: func(d *Dec, i int, p place) int {
			i = jsonwire.SkipSpace(d.doc, i)
			v := value(t, p)
			switch {
			case plainQuoted(d.doc, i):
				if v.IsNil() {
					v.Set(reflect.New(t.Elem()))
				}
				to, _ := pointee(p)
				return elem.do(d, i, to)
			case jsonwire.IsNull(d.doc, i):
				v.SetZero()
				return i + 4
			}
			return rare(d, i, p)
		}}
	}
	kind, ok := scalarKind(t.Kind())
	if ptr := reflect.PointerTo(t); !ok || t == numberType || ptr.Implements(unmarshalerType) || ptr.Implements(untextType) {
		return &decoder{do: rare}
	}
	return &decoder{do: func(d *Dec, i int, p place) int {
		i = jsonwire.SkipSpace(d.doc, i)
		if e := kind.quoted(d, i, p); e >= 0 {
			return e
		}
		if jsonwire.IsNull(d.doc, i) {
			return i + 4
		}
		return rare(d, i, p)
	}}
}

// quotedStd returns a decoder that passes each value to encoding/json, as member V of an object.
// Field W is for stdError.
func quotedStd(t reflect.Type) func(*Dec, int, place) int {
	one := reflect.StructOf([]reflect.StructField{
		{Name: "V", Type: t, Tag: `json:"V,string"`},
		{Name: "W", Type: reflect.TypeFor[bool]()},
	})
	return func(d *Dec, i int, p place) int {
		i = jsonwire.SkipSpace(d.doc, i)
		e := d.Skip(i)
		if d.failed {
			return e
		}
		v, x := value(t, p), reflect.New(one)
		x.Elem().Field(0).Set(v)
		doc := append(append([]byte(`{"V":`), d.doc[i:e]...), '}')
		err := unmarshalStd(doc, x.Interface(), d.opt)
		v.Set(x.Elem().Field(0))
		if err != nil {
			probe := reflect.New(one)
			return d.stdError(i, e, err, probe.Interface(), probe.Elem().Field(1).Addr().Interface().(*bool))
		}
		return e
	}
}

// DecodeQuoted reads a value of any type with option "string", by a plan.
func DecodeQuoted[T any](d *Dec, i int, v *T) int {
	k := planKey{t: reflect.TypeFor[T](), decode: true, quoted: true}
	return plan(k, buildDecoder).do(d, i, placeOf(reflect.ValueOf(v).Elem()))
}
