package fxjson

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// ErrNotFound is wrapped by the error of [Get] if the document has no value at the path.
var ErrNotFound = errors.New("no such value")

// Get returns the value at a path of a document, such as
//
//	user.orders[3].total
//	headers["content.type"]
//
// A name selects the first member with that key. A number in brackets selects an element, counted
// from 0. A key with special characters is written in brackets and quotes. The empty path selects
// the whole document.
//
// Get validates the value and everything before it, and does not look at what follows. The value
// shares the memory of data. Get allocates nothing if the value ends within about the first
// mebibyte.
func Get(data []byte, path string) (Value, error) { return getWithin(data, path, firstWindow) }

// firstWindow is how many bytes of a document [Get] copies and searches first. The kernels need
// zero bytes after the document, so Get has to copy it. Most values that are asked for lie near the
// beginning, so Get copies only that part. If the value is not in the copy, Get tries again with
// widerWindow times as much.
const (
	firstWindow = 4<<10 - jsonwire.Pad
	widerWindow = 16
)

// getWithin is [Get] with a first window of the given number of bytes.
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
		window *= widerWindow // the result may be wrong because doc was cut off
	}
	*buf = doc
	putBuffer(buf)
	switch {
	case err != nil:
		return Value{}, fmt.Errorf("fxjson: get %s: %w", path, err)
	case e < 0:
		return Value{}, &MalformedError{Offset: int64(jsonscan.Malformed(data))}
	}
	return Value{data[i:e]}, nil
}

// walk returns the begin and end of the value at path in the padded document doc. A negative end
// means that doc is malformed. With an error, e is the index up to which doc was read, or 0 if the
// error does not depend on what follows in doc.
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
		case absent: // true whatever follows in doc
			return 0, 0, ErrNotFound
		case broken:
			return 0, -1, nil
		}
		path = rest
	}
	i = jsonwire.SkipSpace(doc, i)
	return i, jsonwire.Skip(doc, i, depth), nil
}

// absent and broken are returned in place of an index: there is no such value, or the document is
// malformed.
const (
	absent = -1
	broken = -2
)

// member returns the index of the value that an object has under key, or absent or broken. i is the
// index after the opening brace.
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

// element returns the index of element n of an array, counted from 0, or absent or broken. i is the
// index after the opening bracket.
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

// pass skips the value at i and the comma after it, and returns the index after the comma. It
// returns absent if end follows the value instead.
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

// splitPath splits the first step off a path. The step is an element if index is not negative, else
// the member called name.
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

// afterStep removes the dot between a step and a name that follows it.
func afterStep(rest string) (string, error) {
	switch {
	case rest == "" || rest[0] == '[':
		return rest, nil
	case rest[0] == '.' && len(rest) > 1 && rest[1] != '[' && rest[1] != '.':
		return rest[1:], nil
	}
	return "", errors.New("a name is missing in the path, or a dot before it")
}
