package codec

import (
	"encoding/json"
	"io"
)

// StdJSON is encoding/json as it is. Its name is "json", its media types are application/json and
// text/json. Its streams are values separated by line feeds.
type StdJSON struct{}

var (
	_ Appender   = StdJSON{}
	_ Stable     = StdJSON{}
	_ Streamer   = StdJSON{}
	_ MediaTyped = StdJSON{}
)

// Name returns "json".
func (StdJSON) Name() string { return "json" }

// MediaTypes returns application/json (RFC 8259) and text/json, an older name that is not
// registered.
func (StdJSON) MediaTypes() []string { return jsonTypes }

var jsonTypes = []string{"application/json", "text/json"}

// Marshal is json.Marshal.
func (c StdJSON) Marshal(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	return b, NewError(c, OpMarshal, v, err)
}

// MarshalStable is Marshal, since encoding/json writes maps in the order of their keys.
func (c StdJSON) MarshalStable(v any) ([]byte, error) { return c.Marshal(v) }

// AppendMarshal writes into the spare capacity of dst. encoding/json still copies the message once,
// from a buffer of its own.
func (c StdJSON) AppendMarshal(dst []byte, v any) ([]byte, error) {
	w := appendWriter{dst}
	if err := json.NewEncoder(&w).Encode(v); err != nil {
		return dst, NewError(c, OpMarshal, v, err)
	}
	return w.b[:len(w.b)-1], nil // the encoder ends its value with a line feed
}

// Unmarshal is json.Unmarshal.
func (c StdJSON) Unmarshal(b []byte, v any) error {
	return NewError(c, OpUnmarshal, v, json.Unmarshal(b, v))
}

// NewEncoder returns a json.Encoder.
func (c StdJSON) NewEncoder(w io.Writer) Encoder { return encoder(c, json.NewEncoder(w)) }

// NewDecoder returns a json.Decoder.
func (c StdJSON) NewDecoder(r io.Reader) Decoder { return decoder(c, json.NewDecoder(r)) }

// appendWriter is an io.Writer that appends to a slice.
type appendWriter struct{ b []byte }

func (w *appendWriter) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

// stream is an Encoder or a Decoder, as a function of the value.
type stream func(v any) error

// Encode writes v.
func (f stream) Encode(v any) error { return f(v) }

// Decode reads into v.
func (f stream) Decode(v any) error { return f(v) }

// encoder and decoder wrap the errors of a stream of the standard library in this package's
// [Error].
func encoder(c Codec, e Encoder) Encoder {
	return stream(func(v any) error { return NewError(c, OpEncode, v, e.Encode(v)) })
}

func decoder(c Codec, d Decoder) Decoder {
	return stream(func(v any) error {
		err := d.Decode(v)
		if err == io.EOF {
			return io.EOF
		}
		return NewError(c, OpDecode, v, err)
	})
}
