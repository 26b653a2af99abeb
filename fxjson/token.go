//go:build !goexperiment.jsonv2

package fxjson

import (
	"encoding/json"
	"errors"
	"strings"
)

// place is the state of a stream of tokens: what may come next.
type place uint8

const (
	topValue place = iota
	arrayStart
	arrayValue
	arrayComma
	objectStart
	objectKey
	objectColon
	objectValue
	objectComma
)

// value reports whether a value may come next.
func (p place) value() bool {
	return p == topValue || p == arrayStart || p == arrayValue || p == objectValue
}

// after returns the place after a value that was read at place p.
func (p place) after() place {
	switch p {
	case arrayStart, arrayValue:
		return arrayComma
	case objectValue:
		return objectComma
	}
	return p
}

// behind[p] is the place after the comma or colon that is expected at place p.
var behind = [...]place{objectColon: objectValue, arrayComma: arrayValue, objectComma: objectKey}

// prefixes[p] is a text after which a decoder is at place p, and the text's number of tokens. No
// text ends with a number, since the byte that follows might continue the number.
var prefixes = [...]struct {
	text   string
	tokens int
}{
	topValue: {"", 0}, arrayStart: {"[", 1}, arrayValue: {"[[],", 3}, arrayComma: {"[[]", 3}, objectStart: {"{", 1}, objectKey: {`{"":[],`, 4},
	objectColon: {`{""`, 2}, objectValue: {`{"":`, 2}, objectComma: {`{"":[]`, 4},
}

// misplaced returns the error of encoding/json for the byte c at dec.place. decode says that Decode
// found the byte; otherwise Token did.
func (dec *Decoder) misplaced(c byte, decode bool) error {
	p := prefixes[dec.place]
	std := json.NewDecoder(strings.NewReader(p.text + string([]byte{c})))
	for range p.tokens {
		if _, err := std.Token(); err != nil {
			return err
		}
	}
	var err error
	if decode {
		var v any
		err = std.Decode(&v)
	} else {
		_, err = std.Token()
	}
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		syntax.Offset = dec.InputOffset()
	}
	return err
}

// separator consumes the comma or colon before a value.
func (dec *Decoder) separator() error {
	want, next := byte(','), arrayValue
	switch dec.place {
	case arrayComma:
	case objectColon:
		want, next = ':', objectValue
	default:
		return nil
	}
	c, err := dec.peek()
	if err != nil {
		return err
	}
	if c != want {
		return dec.misplaced(c, true)
	}
	dec.at++
	dec.place = next
	return nil
}

// More reports whether there is another element in the current array or object.
func (dec *Decoder) More() bool {
	c, err := dec.peek()
	return err == nil && c != ']' && c != '}'
}

// Token returns the next token: a [Delim] for a bracket, and for a string, number, boolean or null
// what Decode stores in an interface. It checks commas and colons, but does not return them. At the
// end of the stream the error is io.EOF.
func (dec *Decoder) Token() (Token, error) {
	for {
		c, err := dec.peek()
		if err != nil {
			return nil, err
		}
		switch p := dec.place; {
		case (c == '[' || c == '{') && p.value():
			dec.at++
			dec.stack = append(dec.stack, p)
			dec.place = arrayStart
			if c == '{' {
				dec.place = objectStart
			}
			return Delim(c), nil
		case c == ']' && (p == arrayStart || p == arrayComma), c == '}' && (p == objectStart || p == objectComma):
			dec.at++
			last := len(dec.stack) - 1
			dec.place = dec.stack[last].after()
			dec.stack = dec.stack[:last]
			return Delim(c), nil
		case c == ':' && p == objectColon, c == ',' && (p == arrayComma || p == objectComma):
			dec.at++
			dec.place = behind[p]
		case c == '"' && (p == objectStart || p == objectKey):
			return dec.tokenKey()
		case strings.IndexByte("[]{}:,", c) >= 0 || !p.value():
			return nil, dec.misplaced(c, false)
		default:
			var v any
			if err := dec.Decode(&v); err != nil {
				return nil, err
			}
			return v, nil
		}
	}
}

// tokenKey reads the key of an object.
func (dec *Decoder) tokenKey() (Token, error) {
	p := dec.place
	dec.place = topValue
	var key string
	err := dec.Decode(&key)
	dec.place = p
	if err != nil {
		return nil, err
	}
	dec.place = objectColon
	return key, nil
}
