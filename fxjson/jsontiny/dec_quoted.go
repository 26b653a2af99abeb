package jsontiny

import (
	"strconv"
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: These functions decode option "string" of a struct tag by the rules of version 1 of
// encoding/json (its function literalStore): strconv decides what is a number, and some errors end
// the decoding.

const wantQuoted = "a value within quotes, for option string"

// quoted skips white space and reads the string that follows. It returns the string's text, the
// index where the string begins, and the index after it. ok is false if there is no string, or if
// it holds null.
func (d *Dec) quoted(i int) (text []byte, at, next int, ok bool) {
	i = jsonwire.SkipSpace(d.doc, i)
	if d.doc[i] != '"' {
		return nil, i, d.null(i, wantQuoted), false
	}
	text, e := d.text(i)
	return text, i, e, string(text) != "null"
}

// badQuoted handles the string doc[i:e] with the given text, which the target cannot hold. number
// says that the target is a number.
func (d *Dec) badQuoted(i, e int, text []byte, number bool) int {
	ends := true // whether the error ends the decoding
	switch {
	case len(text) == 0, text[0] == 'n', text[0] == 't', text[0] == 'f':
		ends = false
	case text[0] == '"':
		_, ok := unquote(text)
		ends = !ok
	case isNumber(text):
		ends = !number
	}
	d.wrong(i, wantQuoted)
	if ends {
		d.failed = true
		return d.n
	}
	return e
}

// unquote returns the text of the string literal lit. ok is false if lit is not a string literal.
func unquote(lit []byte) ([]byte, bool) {
	doc := jsonwire.Padded(nil, lit)
	if len(lit) == 0 || lit[0] != '"' {
		return nil, false
	}
	text, e := jsonwire.AppendUnescaped(nil, doc, 0)
	return text, e == len(lit)
}

// isNumber reports whether text begins like a number.
func isNumber(text []byte) bool {
	return len(text) > 0 && (text[0] == '-' || text[0]-'0' <= 9)
}

// DecodeQuotedBool reads a bool within quotes.
func DecodeQuotedBool[T ~bool](d *Dec, i int, v *T) int {
	text, i, e, ok := d.quoted(i)
	switch {
	case !ok:
	case string(text) == "true":
		*v = true
	case string(text) == "false":
		*v = false
	default:
		return d.badQuoted(i, e, text, false)
	}
	return e
}

// DecodeQuotedInt reads an integer within quotes.
func DecodeQuotedInt[T Signed](d *Dec, i int, v *T) int {
	return quotedNumber(d, i, v, func(s string, bits int) (T, error) {
		x, err := strconv.ParseInt(s, 10, bits)
		return T(x), err
	})
}

// DecodeQuotedUint reads an integer within quotes.
func DecodeQuotedUint[T Unsigned](d *Dec, i int, v *T) int {
	return quotedNumber(d, i, v, func(s string, bits int) (T, error) {
		x, err := strconv.ParseUint(s, 10, bits)
		return T(x), err
	})
}

// DecodeQuotedFloat reads a number within quotes.
func DecodeQuotedFloat[T Float](d *Dec, i int, v *T) int {
	return quotedNumber(d, i, v, func(s string, bits int) (T, error) {
		x, err := strconv.ParseFloat(s, bits)
		return T(x), err
	})
}

// quotedNumber reads a number within quotes; parse converts its text.
func quotedNumber[T any](d *Dec, i int, v *T, parse func(s string, bits int) (T, error)) int {
	text, i, e, ok := d.quoted(i)
	if !ok {
		return e
	}
	x, err := parse(string(text), int(unsafe.Sizeof(*v))*8)
	if err != nil || !isNumber(text) { // strconv also accepts a plus sign, Inf and the like
		return d.badQuoted(i, e, text, true)
	}
	*v = x
	return e
}

// DecodeQuotedString reads a string literal within quotes.
func DecodeQuotedString[T ~string](d *Dec, i int, v *T) int {
	text, i, e, ok := d.quoted(i)
	if !ok {
		return e
	}
	s, ok := unquote(text)
	if !ok {
		return d.badQuoted(i, e, text, false)
	}
	*v = T(s)
	return e
}

// DecodeQuotedPtr reads null, within quotes or not, as nil. For another value within quotes it
// calls f, which decodes into what *v points to.
func DecodeQuotedPtr[T any](d *Dec, i int, v **T, f func(*Dec, int, *T) int) int {
	text, i, e, ok := d.quoted(i)
	switch {
	case !ok:
		if string(text) == "null" || jsonwire.IsNull(d.doc, i) || isNumber(d.doc[i:i+1]) && !isFloat64(d, i) {
			*v = nil // a number that no float64 can hold is nil too
		}
		return e
	case len(text) == 0 || text[0] == 'n':
		return d.badQuoted(i, e, text, false)
	case *v == nil:
		*v = new(T)
	}
	return f(d, i, *v)
}
