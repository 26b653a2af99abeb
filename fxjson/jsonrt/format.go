package jsonrt

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// docPool pools padded copies of documents that are only read.
var docPool = sync.Pool{New: func() any { return new([]byte) }}

// withPadded calls f with a padded copy of src.
func withPadded[R any](src []byte, f func(doc []byte, n int) R) R {
	p := docPool.Get().(*[]byte)
	*p = jsonwire.Padded((*p)[:0], src)
	r := f(*p, len(src))
	if cap(*p) <= maxBuffer {
		docPool.Put(p)
	}
	return r
}

// Valid reports whether src is one JSON value, with white space allowed around it.
func Valid(src []byte) bool { return withPadded(src, jsonwire.Valid) }

// Indent appends src with each element on a line of its own, as the function Indent of
// encoding/json does. White space at the end of src is kept. If src is no JSON value, Indent
// returns dst and false.
func Indent(dst, src []byte, prefix, indent string) ([]byte, bool) {
	if jsonwire.StdV2 && strings.Trim(prefix+indent, " \t") != "" { // version 2 treats such prefixes in a way of its own
		var b bytes.Buffer
		err := json.Indent(&b, src, prefix, indent)
		return append(dst, b.Bytes()...), err == nil
	}
	ok := withPadded(src, func(doc []byte, n int) bool {
		if !jsonwire.Valid(doc, n) {
			return false
		}
		dst = appendIndent(slices.Grow(dst, 2*n), doc, n, prefix, indent)
		return true
	})
	return dst, ok
}

// appendIndent appends the valid document doc[:n], indented.
func appendIndent(dst, doc []byte, n int, prefix, indent string) []byte {
	depth := 0
	line := func() {
		dst = append(append(dst, '\n'), prefix...)
		for range depth {
			dst = append(dst, indent...)
		}
	}
	i := jsonwire.SkipSpace(doc, 0)
	for i < n {
		c := doc[i]
		switch c {
		case '{', '[':
			dst = append(dst, c)
			i = jsonwire.SkipSpace(doc, i+1)
			if doc[i] == c+2 { // the closing bracket
				dst = append(dst, c+2)
				i++
				break
			}
			depth++
			line()
			continue
		case '}', ']':
			depth--
			line()
			dst = append(dst, c)
			i++
		case ',':
			dst = append(dst, c)
			line()
			i++
		case ':':
			dst = append(dst, ": "...)
			i++
		case '"':
			e := jsonwire.SkipString(doc, i)
			dst = append(dst, doc[i:e]...)
			i = e
		default: // a byte of a number or literal
			dst = append(dst, c)
			i++
		}
		if e := jsonwire.SkipSpace(doc, i); e < n {
			i = e
		} else {
			return append(dst, doc[i:n]...)
		}
	}
	return dst
}
