// Package dual is for programs that move from JSON to ZMY native. It reads both formats, and writes
// ZMY.
//
// While a deployment rolls, old processes write JSON and new ones may write ZMY. So first all readers
// change to [Unmarshal] or [NewDecoder], which take both, and writers go on with JSON. Once no process
// is left that reads only JSON, writers change to [Marshal] or [NewEncoder]. Each step can be taken
// back: a reader of this package reads whatever was written meanwhile. `zmy adopt zmy` makes both
// steps as patches.
//
// A ZMY message of this package is in an envelope (spec/ENVELOPE.md), which begins with the letters
// ZMY. No JSON text does. JSON is read by package fxjson, by the rules of encoding/json.
package dual

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"reflect"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/fxjson"
)

// magic begins every envelope, of whatever version.
const magic = "ZMY"

// IsZMY reports whether b begins as an envelope does. If not, this package reads it as JSON.
func IsZMY(b []byte) bool { return bytes.HasPrefix(b, []byte(magic)) }

// Unmarshal stores a message into v, a non-nil pointer: an envelope as zmy.Unseal does, any other
// message as encoding/json does. It returns their errors unchanged. It keeps no reference to b.
//
// If v points to a pointer, both formats allocate what that points to. JSON leaves fields as they are
// if the text does not name them; ZMY sets all fields of a message.
func Unmarshal(b []byte, v any) error {
	if IsZMY(b) {
		return zmy.Unseal(b, target(v))
	}
	return fxjson.Unmarshal(b, v)
}

// target returns the pointer to a struct that v, a pointer to a pointer, leads to, and v otherwise.
func target(v any) any {
	p := reflect.ValueOf(v)
	for p.Kind() == reflect.Pointer && !p.IsNil() && p.Elem().Kind() == reflect.Pointer {
		if p = p.Elem(); p.IsNil() {
			p.Set(reflect.New(p.Type().Elem()))
		}
		v = p.Interface()
	}
	return v
}

// Marshal returns v as an envelope with a checksum. A value that ZMY does not carry is written as
// JSON, which readers of this package take: a message above the limits of zmy.MarshalOptions, a nil
// pointer, a type without field numbers. The error is that of JSON.
func Marshal(v any) ([]byte, error) {
	if b, err := zmy.Seal(v); err == nil {
		return b, nil
	}
	return fxjson.Marshal(v)
}

// Encoder writes messages one after the other, each by one call of Write. A message of JSON ends
// with a line feed.
type Encoder struct{ w io.Writer }

// NewEncoder returns an encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w} }

// Encode writes v as [Marshal] does.
func (e *Encoder) Encode(v any) error {
	b, err := Marshal(v)
	if err != nil {
		return err
	}
	if !IsZMY(b) {
		b = append(b, '\n')
	}
	_, err = e.w.Write(b)
	return err
}

// Decoder reads messages that follow one another, of both formats in any order. It may read beyond
// the message that it returns. Its methods that are those of json.Decoder concern JSON only.
type Decoder struct {
	r             *bufio.Reader   // what json has not read
	json          *fxjson.Decoder // reads from r; nil after an envelope
	number, known bool
}

// NewDecoder returns a decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: bufio.NewReader(r)} }

// UseNumber reads numbers of JSON into interfaces as json.Number.
func (d *Decoder) UseNumber() { d.number = true }

// DisallowUnknownFields refuses JSON with fields that the struct does not have.
func (d *Decoder) DisallowUnknownFields() { d.known = true }

// More reports whether another message follows.
func (d *Decoder) More() bool {
	c, err := d.peek()
	return err == nil && c != ']' && c != '}'
}

// Decode stores the next message into v as [Unmarshal] does. It returns io.EOF if there is none.
func (d *Decoder) Decode(v any) error {
	c, err := d.peek()
	if err != nil {
		return err
	}
	if c != magic[0] {
		return d.text().Decode(v)
	}
	d.leave()
	b, err := d.envelope()
	if err != nil {
		return err
	}
	return Unmarshal(b, v) // JSON does not begin with Z, so its error says what is wrong
}

// text returns the decoder of JSON.
func (d *Decoder) text() *fxjson.Decoder {
	if d.json == nil {
		d.json = fxjson.NewDecoder(d.r)
	}
	if d.number {
		d.json.UseNumber()
	}
	if d.known {
		d.json.DisallowUnknownFields()
	}
	return d.json
}

// leave takes back what the decoder of JSON has read ahead.
func (d *Decoder) leave() {
	if d.json == nil {
		return
	}
	d.r, d.json = bufio.NewReader(io.MultiReader(d.json.Buffered(), d.r)), nil
	_ = d.skip(d.r) // peek has seen what follows
}

// peek returns the first byte of the next message. White space before it is left to the decoder of
// JSON, or skipped.
func (d *Decoder) peek() (byte, error) {
	if d.json != nil {
		ahead := bufio.NewReader(d.json.Buffered())
		if d.skip(ahead) == nil {
			return ahead.ReadByte()
		}
	}
	if err := d.skip(d.r); err != nil {
		return 0, err
	}
	c, err := d.r.Peek(1)
	if err != nil {
		return 0, err
	}
	return c[0], nil
}

// skip reads the white space of JSON.
func (d *Decoder) skip(r *bufio.Reader) error {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return err
		}
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return r.UnreadByte()
		}
	}
}

// envelope reads an envelope. It allocates memory as bytes arrive, and reads no more than a header of
// an envelope that is too large. The result is checked by Unmarshal.
func (d *Decoder) envelope() ([]byte, error) {
	head, err := d.r.Peek(zmy.EnvelopeOverhead)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(head) < zmy.EnvelopeOverhead || !IsZMY(head) {
		return bytes.Clone(head), nil
	}
	size := int64(binary.LittleEndian.Uint32(head[16:])) // spec/ENVELOPE.md: the length of the body
	if size > zmy.DefaultMaxWire {
		size = zmy.DefaultMaxWire + 1 - zmy.EnvelopeOverhead // enough for Unmarshal to refuse it
	}
	return io.ReadAll(io.LimitReader(d.r, zmy.EnvelopeOverhead+size))
}
