// Package msgpackx is a codec of MessagePack, by github.com/vmihailenco/msgpack/v5.
//
//	codecs := codec.NewRegistry(codec.FXJSON{}, msgpackx.Codec{})
//
// It carries any Go type by reflection, or by that library's methods if the type has them. Integers
// take as few bytes as possible. Times come back in the local zone. A number in an interface comes
// back with the size that it has in the message, not with its Go type. For types with code that
// tinylib's msgp has generated, use package tinylibx, which is faster and reads the same bytes.
package msgpackx

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is MessagePack. Its name is "msgpack", its media type application/msgpack. A stream is
// messages without anything between them. The zero value is ready to use. Both sides need the same
// options.
type Codec struct {
	// Tag is another struct tag, such as "json". It names the fields that have no struct tag
	// msgpack.
	Tag string
	// Arrays writes structs as arrays instead of maps. Arrays contain no names, so they are shorter
	// and faster, but a field must never change its position.
	Arrays bool
}

var (
	_ codec.Appender   = Codec{}
	_ codec.Streamer   = Codec{}
	_ codec.MediaTyped = Codec{}
)

// Name returns "msgpack".
func (Codec) Name() string { return "msgpack" }

// MediaTypes returns application/msgpack, registered with IANA, and two that were used before.
func (Codec) MediaTypes() []string { return mediaTypes }

var mediaTypes = []string{"application/msgpack", "application/x-msgpack", "application/vnd.msgpack"}

// encoder and decoder are the library's, reused with their buffers, together with what they write
// to and read from.
type encoder struct {
	*msgpack.Encoder
	w adapt.Writer
}

type decoder struct {
	*msgpack.Decoder
	r bytes.Reader
}

var (
	encoders = sync.Pool{New: func() any { return &encoder{Encoder: msgpack.NewEncoder(nil)} }}
	decoders = sync.Pool{New: func() any { return &decoder{Decoder: msgpack.NewDecoder(nil)} }}
)

// Marshal returns one message.
func (c Codec) Marshal(v any) ([]byte, error) { return c.AppendMarshal(nil, v) }

// AppendMarshal appends one message.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	e := encoders.Get().(*encoder)
	e.w.B = dst
	e.Reset(&e.w)
	c.direct(e.Encoder)
	err := e.Encode(v)
	b := e.w.B
	e.w.B = nil
	encoders.Put(e)
	if err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, classed(err))
	}
	return b, nil
}

// direct sets the codec's options. It must follow Reset, which clears them.
func (c Codec) direct(e *msgpack.Encoder) {
	e.UseCompactInts(true)
	e.UseArrayEncodedStructs(c.Arrays)
	e.SetCustomStructTag(c.Tag)
}

// Unmarshal reads one message.
func (c Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	if err := adapt.MessagePackLengths(b); err != nil {
		return codec.NewError(c, codec.OpUnmarshal, v, err)
	}
	d := decoders.Get().(*decoder)
	d.r.Reset(b)
	d.Reset(&d.r)
	d.SetCustomStructTag(c.Tag)
	err := d.Decode(v)
	left := d.r.Len()
	d.r.Reset(nil)
	decoders.Put(d)
	switch {
	case err == io.EOF:
		err = io.ErrUnexpectedEOF // io.EOF is for streams
	case err == nil && left > 0:
		err = codec.ErrTrailingData
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classed(err))
}

// NewEncoder returns an encoder of messages.
func (c Codec) NewEncoder(w io.Writer) codec.Encoder {
	e := msgpack.NewEncoder(w)
	c.direct(e)
	return adapt.Encoder{Codec: c, To: e, Class: classed}
}

// NewDecoder returns a decoder of messages.
func (c Codec) NewDecoder(r io.Reader) codec.Decoder {
	s := adapt.NewSource(r)
	d := msgpack.NewDecoder(s)
	d.SetCustomStructTag(c.Tag)
	return adapt.Decoder{Codec: c, From: d, Source: s, Class: classed}
}

// classed gives errors of the library a class of package codec. They have no types of their own, so
// classed looks at their texts.
func classed(err error) error {
	if err == nil || codec.ClassOf(err) != codec.ClassOther {
		return err
	}
	text := err.Error()
	for _, k := range texts {
		if strings.Contains(text, k.part) {
			return codec.WithClass(k.class, errors.New(strings.TrimPrefix(text, "msgpack: ")))
		}
	}
	return err
}

var texts = []struct {
	part  string
	class codec.Class
}{
	{"Encode(unsupported", codec.ClassUnsupported},
	{"Decode(unsupported", codec.ClassUnsupported},
	{"Decode(nonaddressable", codec.ClassType},
	{"Decode(non-pointer", codec.ClassType},
	{"Decode(nil", codec.ClassType},
	{"invalid code=", codec.ClassType}, // a value of another kind than the target
	{"number of fields", codec.ClassSchema},
	{"unknown ext id", codec.ClassSchema},
	{"unknown code", codec.ClassSyntax},
	{"unexpected", codec.ClassSyntax},
	{"invalid", codec.ClassSyntax},
}
