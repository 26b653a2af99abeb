package codec

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"io"
)

// StdJSON is encoding/json as it is: name "json", media type application/json.
// Its streams are values separated by line feeds.
type StdJSON struct{}

var (
	_ Appender   = StdJSON{}
	_ Stable     = StdJSON{}
	_ Streamer   = StdJSON{}
	_ MediaTyped = StdJSON{}
)

// Name is "json".
func (StdJSON) Name() string { return "json" }

// MediaTypes are those of JSON (RFC 8259).
func (StdJSON) MediaTypes() []string { return jsonTypes }

var jsonTypes = []string{"application/json", "text/json"}

// Marshal is json.Marshal.
func (c StdJSON) Marshal(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	return b, fail(c, "marshal", v, err)
}

// MarshalStable is Marshal: encoding/json writes maps in the order of their keys.
func (c StdJSON) MarshalStable(v any) ([]byte, error) { return c.Marshal(v) }

// AppendMarshal writes into dst's spare capacity; encoding/json still copies once
// from a buffer of its own.
func (c StdJSON) AppendMarshal(dst []byte, v any) ([]byte, error) {
	w := appendWriter{dst}
	if err := json.NewEncoder(&w).Encode(v); err != nil {
		return dst, fail(c, "marshal", v, err)
	}
	return w.b[:len(w.b)-1], nil // the encoder ends its value with a line feed
}

// Unmarshal is json.Unmarshal.
func (c StdJSON) Unmarshal(b []byte, v any) error {
	return fail(c, "unmarshal", v, json.Unmarshal(b, v))
}

// NewEncoder returns a json.Encoder.
func (c StdJSON) NewEncoder(w io.Writer) Encoder { return encoder{c, json.NewEncoder(w)} }

// NewDecoder returns a json.Decoder.
func (c StdJSON) NewDecoder(r io.Reader) Decoder { return decoder{c, json.NewDecoder(r)} }

// Gob is encoding/gob with self-contained messages: each one carries the
// description of its types, which is most of the bytes and of the time of a
// small message. A stream sends them once. Name "gob".
//
// Types that stand behind interfaces must be known to [gob.Register]. Gob does not
// promise to withstand hostile input; use it between programs that trust each other.
type Gob struct{}

var (
	_ Appender   = Gob{}
	_ Streamer   = Gob{}
	_ MediaTyped = Gob{}
)

// Name is "gob".
func (Gob) Name() string { return "gob" }

// MediaTypes has no registered type; application/x-gob is common usage.
func (Gob) MediaTypes() []string { return gobTypes }

var gobTypes = []string{"application/x-gob"}

// Marshal returns one self-contained message.
func (c Gob) Marshal(v any) ([]byte, error) { return c.AppendMarshal(nil, v) }

// AppendMarshal appends one self-contained message.
func (c Gob) AppendMarshal(dst []byte, v any) ([]byte, error) {
	w := appendWriter{dst}
	if err := gob.NewEncoder(&w).Encode(v); err != nil {
		return dst, fail(c, "marshal", v, err)
	}
	return w.b, nil
}

// Unmarshal reads one self-contained message. Fields that b does not have, zero
// ones among them, keep the value that v has.
func (c Gob) Unmarshal(b []byte, v any) error {
	if v == nil { // gob itself would skip the message and report success
		return fail(c, "unmarshal", v, ErrNilTarget)
	}
	r := bytes.NewReader(b) // an io.ByteReader: gob reads no further than the message
	err := gob.NewDecoder(r).Decode(v)
	switch {
	case err == io.EOF:
		err = io.ErrUnexpectedEOF // io.EOF is for streams
	case err == nil && r.Len() > 0:
		err = ErrTrailingData
	}
	return fail(c, "unmarshal", v, err)
}

// NewEncoder returns a gob.Encoder, which sends each type's description once.
func (c Gob) NewEncoder(w io.Writer) Encoder { return encoder{c, gob.NewEncoder(w)} }

// NewDecoder returns a gob.Decoder.
func (c Gob) NewDecoder(r io.Reader) Decoder { return decoder{c, gob.NewDecoder(r)} }

// appendWriter is an io.Writer onto a slice.
type appendWriter struct{ b []byte }

func (w *appendWriter) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

// encoder and decoder give the standard library's streams the errors of this package.
type encoder struct {
	c Codec
	e Encoder
}

func (e encoder) Encode(v any) error { return fail(e.c, "encode", v, e.e.Encode(v)) }

type decoder struct {
	c Codec
	d Decoder
}

func (d decoder) Decode(v any) error {
	err := d.d.Decode(v)
	if err == io.EOF {
		return io.EOF
	}
	return fail(d.c, "decode", v, err)
}
