package fxjson

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// ErrNotFound is what errors of [Get] wrap when the document has no such value.
var ErrNotFound = errors.New("no such value")

// Get returns the value at a path of a document, such as
//
//	user.orders[3].total
//	headers["content.type"]
//
// in which a name selects the first member of that key and a number in brackets
// an element, from 0 on; a key with special characters stands in brackets and
// quotes. The empty path is the whole document.
//
// What is passed on the way is validated, and so is the value; what follows is
// not looked at. The value shares the memory of data. Nothing is allocated unless
// the answer lies behind the first mebibyte.
func Get(data []byte, path string) (Value, error) { return getWithin(data, path, firstWindow) }

// firstWindow is how much of a document [Get] looks at first. What reads words needs
// zeros behind the document, and so a copy; the copy is of the beginning only, where
// most answers lie, and grows by widerWindow when the answer is not in there.
const (
	firstWindow = 4<<10 - jsonwire.Pad
	widerWindow = 16
)

// getWithin is [Get] with a first window of so many bytes.
func getWithin(data []byte, path string, window int) (Value, error) {
	buf := buffers.Get().(*[]byte)
	doc, part := *buf, data
	var i, e int
	var err error
	for {
		part = data[:min(window, len(data))]
		doc = jsonwire.Padded(doc, part)
		i, e, err = walk(doc, path)
		if len(part) == len(data) || 0 <= e && e < len(part) {
			break
		}
		window *= widerWindow // what was found may be the cut's doing
	}
	if cap(doc) <= maxBuffer {
		*buf = doc
		buffers.Put(buf)
	}
	switch {
	case err != nil:
		return Value{}, fmt.Errorf("fxjson: get %s: %w", path, err)
	case e < 0:
		return Value{}, &MalformedError{Offset: int64(jsonscan.Malformed(data))}
	}
	return Value{data[i:e]}, nil
}

// walk returns begin and end of the value at path in the padded document; a
// negative end says that it is malformed. With an error, the end is what was read.
func walk(doc []byte, path string) (i, e int, err error) {
	depth := 0
	for path != "" {
		name, index, rest, err := splitPath(path)
		if err != nil {
			return 0, 0, err
		}
		if i = jsonwire.SkipSpace(doc, i); doc[i] != '{' && doc[i] != '[' {
			if e = jsonwire.Skip(doc, i, depth); e < 0 {
				return 0, -1, nil
			}
			return 0, e, ErrNotFound
		}
		depth++
		switch {
		case index < 0 && doc[i] == '{':
			i = member(doc, i+1, depth, name)
		case index >= 0 && doc[i] == '[':
			i = element(doc, i+1, depth, index)
		default:
			i = absent
		}
		switch i {
		case absent: // which a bracket has told
			return 0, 0, ErrNotFound
		case broken:
			return 0, -1, nil
		}
		path = rest
	}
	i = jsonwire.SkipSpace(doc, i)
	return i, jsonwire.Skip(doc, i, depth), nil
}

// In place of an index.
const (
	absent = -1
	broken = -2
)

// member returns the index of the value that the object has under a key; i
// stands behind its brace.
func member(doc []byte, i, depth int, key string) int {
	if i = jsonwire.SkipSpace(doc, i); doc[i] == '}' {
		return absent
	}
	for {
		if i = jsonwire.SkipSpace(doc, i); doc[i] != '"' {
			return broken
		}
		e, nonASCII := jsonwire.ScanString(doc, i+1)
		hit := false
		if doc[e] == '"' && !nonASCII {
			hit = string(doc[i+1:e]) == key
			e++
		} else {
			var room [128]byte
			var text []byte
			text, e = jsonwire.AppendUnescaped(room[:0], doc, i)
			hit = string(text) == key
		}
		if e < 0 {
			return broken
		}
		if i = jsonwire.SkipSpace(doc, e); doc[i] != ':' {
			return broken
		}
		if hit {
			return i + 1
		}
		if i = pass(doc, i+1, depth, '}'); i < 0 {
			return i
		}
	}
}

// element returns the index of the element with number n; i stands behind the
// bracket.
func element(doc []byte, i, depth, n int) int {
	if i = jsonwire.SkipSpace(doc, i); doc[i] == ']' {
		return absent
	}
	for ; n > 0; n-- {
		if i = pass(doc, i, depth, ']'); i < 0 {
			return i
		}
	}
	return i
}

// pass goes over a value and the comma behind it; at the end it is absent.
func pass(doc []byte, i, depth int, end byte) int {
	if i = jsonwire.Skip(doc, i, depth); i < 0 || depth > jsonwire.MaxDepth {
		return broken
	}
	switch i = jsonwire.SkipSpace(doc, i); doc[i] {
	case ',':
		return i + 1
	case end:
		return absent
	}
	return broken
}

// splitPath takes the first step off a path: a name, or an index that is not
// negative.
func splitPath(path string) (name string, index int, rest string, err error) {
	if path[0] != '[' {
		n := strings.IndexAny(path, ".[")
		if n < 0 {
			return path, -1, "", nil
		}
		name, rest = path[:n], path[n:]
		if name == "" {
			return "", 0, "", errors.New("a name is missing in the path")
		}
	} else if quoted, ok := strings.CutPrefix(path, `["`); ok {
		if name, rest, ok = strings.Cut(quoted, `"]`); !ok {
			return "", 0, "", errors.New(`"] is missing in the path`)
		}
	} else {
		number, after, ok := strings.Cut(path[1:], "]")
		index, err := strconv.ParseUint(number, 10, strconv.IntSize-1) // no sign
		if !ok || err != nil {
			return "", 0, "", errors.New("the path has no number and ] behind [")
		}
		rest, err = afterStep(after)
		return "", int(index), rest, err
	}
	rest, err = afterStep(rest)
	return name, -1, rest, err
}

// afterStep drops the dot before a name.
func afterStep(rest string) (string, error) {
	switch {
	case rest == "" || rest[0] == '[':
		return rest, nil
	case rest[0] == '.' && len(rest) > 1 && rest[1] != '[' && rest[1] != '.':
		return rest[1:], nil
	}
	return "", errors.New("a name is missing in the path, or a dot before it")
}
