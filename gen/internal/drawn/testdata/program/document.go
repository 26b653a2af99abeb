package main

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// node is a JSON value: a scalar's text, or the parts of an array or object.
type node struct {
	open  byte // '[', '{' or 0
	text  string
	keys  []string // of an object, as literals
	parts []*node
}

// parse reads a valid document.
func parse(doc []byte) *node {
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	tok, _ := dec.Token()
	return parseFrom(dec, tok)
}

func parseFrom(dec *json.Decoder, tok json.Token) *node {
	delim, ok := tok.(json.Delim)
	if !ok {
		b, _ := json.Marshal(tok)
		return &node{text: string(b)}
	}
	n := &node{open: byte(delim)}
	for dec.More() {
		if n.open == '{' {
			key, _ := dec.Token()
			b, _ := json.Marshal(key)
			n.keys = append(n.keys, string(b))
		}
		tok, _ := dec.Token()
		n.parts = append(n.parts, parseFrom(dec, tok))
	}
	dec.Token()
	return n
}

// vary writes the document with random changes: members in another order, given twice, left out,
// unknown or with keys spelled otherwise, and values of another type. The larger odds is, the fewer
// changes there are.
func (n *node) vary(odds int) []byte {
	var b bytes.Buffer
	n.write(&b, odds)
	return b.Bytes()
}

func (n *node) write(b *bytes.Buffer, odds int) {
	space(b)
	if r.IntN(4*odds) == 0 {
		b.WriteString(values[r.IntN(len(values))])
		return
	}
	if n.open == 0 {
		b.WriteString(n.text)
		space(b)
		return
	}
	order := r.Perm(len(n.parts))
	if n.open == '[' || r.IntN(odds) > 0 {
		for i := range order {
			order[i] = i
		}
	}
	b.WriteByte(n.open)
	comma := false
	next := func() {
		if comma {
			b.WriteByte(',')
		}
		comma = true
	}
	for _, i := range order {
		if r.IntN(3*odds) == 0 {
			continue // left out
		}
		if n.open == '{' && r.IntN(2*odds) == 0 {
			next()
			b.WriteString(`"unknown` + strconv.Itoa(r.IntN(3)) + `":` + values[r.IntN(len(values))])
		}
		for again := true; again; again = n.open == '{' && r.IntN(2*odds) == 0 || r.IntN(8*odds) == 0 {
			next()
			if n.open == '{' {
				space(b)
				b.WriteString(respell(n.keys[i], odds))
				space(b)
				b.WriteByte(':')
			}
			n.parts[i].write(b, odds)
		}
	}
	b.WriteByte(n.open + 2)
	space(b)
}

// respell returns the literal of a key, sometimes in upper case, with an escape, or with letters
// that encoding/json treats as equal.
func respell(key string, odds int) string {
	switch r.IntN(4 * odds) {
	case 0:
		return `"` + strings.ToUpper(strings.Trim(key, `"`)) + `"`
	case 1:
		if c := key[1]; len(key) > 2 && c != '\\' && c < 0x80 {
			return `"\u00` + strconv.FormatInt(int64(c), 16) + key[2:]
		}
	case 2:
		return strings.NewReplacer("k", "\u212a", "s", "\u017f").Replace(key)
	}
	return key
}

func space(b *bytes.Buffer) {
	if r.IntN(30) == 0 {
		b.WriteString([]string{" ", "\n\t", "\r\n  "}[r.IntN(3)])
	}
}

// values are the values that vary and damage put in place of others.
var values = []string{"null", "true", "false", `""`, `"x"`, `"null"`, `"true"`, `"1"`, `"1.5e3"`, `"\"q\""`, `"-0"`, `" 1"`, `"t<1"`, `"AAEC"`, `"!"`,
	`"2024-01-02T03:04:05Z"`, `"\u00e9\ud83d\ude00\ud800"`, "\"\xff\"", "0", "-1", "1.5", "1e2", "255", "256", "-129", "1e400", "123456789012345678901234567890",
	"[]", "{}", "[null]", "[1,2,3,4,5]", `[[],{}]`, `{"A":1,"A":null}`, `{"X":7,"k":8}`, `{"":{}}`, `["a",null,"b"]`}

// damage replaces, drops or inserts something somewhere.
func damage(doc []byte) []byte {
	b := string(doc)
	at := func() int { return r.IntN(len(b) + 1) }
	switch r.IntN(5) {
	case 0: // cut the end
		b = b[:at()]
	case 1: // insert a piece
		i := at()
		b = b[:i] + pieces[r.IntN(len(pieces))] + b[i:]
	case 2: // drop a byte
		if i := at(); i < len(b) {
			b = b[:i] + b[i+1:]
		}
	case 3: // another value after a colon
		if i := strings.IndexByte(b[at():], ':') + 1; i > 0 {
			if k := strings.IndexAny(b[i:], ",}"); k > 0 {
				b = b[:i] + values[r.IntN(len(values))] + b[i+k:]
			}
		}
	default: // upper case from some byte on
		i := at()
		b = b[:i] + strings.ToUpper(b[i:])
	}
	return []byte(b)
}

var pieces = append([]string{" ", ",", "\"", "\\ud800", "\x80", "00", ":", "}", "]", "\\u", "\x00"}, values...)
