// Package cborx is a codec of CBOR (RFC 8949), by github.com/fxamacker/cbor/v2.
//
//	codecs := codec.NewRegistry(codec.FXJSON{}, cborx.Codec{})
//
// The options of the zero Codec preserve Go's types as far as possible. Times are tagged text with
// nanoseconds, so that decoding into an interface gives a time.Time. Types with text methods, such
// as big.Float, are text. Decoding into an interface gives a map[string]any for a map and an int64
// for an integer. [New] takes other options.
package cborx

import (
	"bytes"
	"errors"
	"io"
	"reflect"

	"github.com/fxamacker/cbor/v2"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is CBOR. Its name is "cbor", its media type application/cbor. A stream is a CBOR sequence
// (RFC 8742). The zero value is ready to use.
type Codec struct{ m *modes }

type modes struct {
	enc, stable cbor.UserBufferEncMode
	dec         cbor.DecMode
}

var (
	_ codec.Appender   = Codec{}
	_ codec.Stable     = Codec{}
	_ codec.Streamer   = Codec{}
	_ codec.MediaTyped = Codec{}
)

// EncOptions returns the encoding options of the zero Codec.
func EncOptions() cbor.EncOptions {
	return cbor.EncOptions{
		Time:          cbor.TimeRFC3339Nano,
		TimeTag:       cbor.EncTagRequired,
		TextMarshaler: cbor.TextMarshalerTextString,
	}
}

// DecOptions returns the decoding options of the zero Codec. The library's default limits bound
// what a message of a few bytes may announce: at most 131,072 elements in an array or map, and 32
// levels of nesting.
func DecOptions() cbor.DecOptions {
	return cbor.DecOptions{
		DefaultMapType:  reflect.TypeFor[map[string]any](),
		IntDec:          cbor.IntDecConvertSignedOrBigInt,
		TextUnmarshaler: cbor.TextUnmarshalerTextString,
	}
}

// New returns a codec with other options; begin with [EncOptions] and [DecOptions]. MarshalStable
// sorts keys as in RFC 8949, section 4.2.1, unless enc sorts them in another way.
func New(enc cbor.EncOptions, dec cbor.DecOptions) (Codec, error) {
	var m modes
	var errs [3]error
	m.enc, errs[0] = enc.UserBufferEncMode()
	if enc.Sort == cbor.SortNone {
		enc.Sort = cbor.SortCoreDeterministic
	}
	m.stable, errs[1] = enc.UserBufferEncMode()
	m.dec, errs[2] = dec.DecMode()
	return Codec{&m}, errors.Join(errs[:]...)
}

var zero = func() *modes {
	c, err := New(EncOptions(), DecOptions())
	if err != nil {
		panic(err) // the options are constants
	}
	return c.m
}()

func (c Codec) modes() *modes {
	if c.m == nil {
		return zero
	}
	return c.m
}

// Name returns "cbor".
func (Codec) Name() string { return "cbor" }

// MediaTypes returns application/cbor (RFC 8949, section 9.5).
func (Codec) MediaTypes() []string { return mediaTypes }

var mediaTypes = []string{"application/cbor"}

// Marshal returns one data item.
func (c Codec) Marshal(v any) ([]byte, error) {
	b, err := c.modes().enc.Marshal(v)
	return b, codec.NewError(c, codec.OpMarshal, v, classes.Of(err))
}

// MarshalStable returns one data item with the keys of maps and structs in order.
func (c Codec) MarshalStable(v any) ([]byte, error) {
	b, err := c.modes().stable.Marshal(v)
	return b, codec.NewError(c, codec.OpMarshal, v, classes.Of(err))
}

// AppendMarshal appends one data item.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	b, err := adapt.AppendBuffer(dst, func(buf *bytes.Buffer) error { return c.modes().enc.MarshalToBuffer(v, buf) })
	return b, codec.NewError(c, codec.OpMarshal, v, classes.Of(err))
}

// Unmarshal reads one data item.
func (c Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	err := c.modes().dec.Unmarshal(b, v)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF // io.EOF is for streams
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classes.Of(err))
}

// NewEncoder returns an encoder of a sequence.
func (c Codec) NewEncoder(w io.Writer) codec.Encoder {
	return adapt.Encoder{Codec: c, To: c.modes().enc.NewEncoder(w), Class: classes.Of}
}

// NewDecoder returns a decoder of a sequence.
func (c Codec) NewDecoder(r io.Reader) codec.Decoder {
	s := adapt.NewSource(r)
	return adapt.Decoder{Codec: c, From: stream{c.modes().dec.NewDecoder(s)}, Source: s, Class: classes.Of}
}

// stream distinguishes an incomplete item from the end of the sequence. The source alone does not
// show the difference, because the library reads ahead.
type stream struct{ d *cbor.Decoder }

func (s stream) Decode(v any) error {
	err := s.d.Decode(v)
	if err == io.EOF && hasMore(s.d.Buffered()) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func hasMore(r io.Reader) bool {
	n, _ := r.Read(make([]byte, 1))
	return n > 0
}

var classes = adapt.Classes{
	{codec.ClassUnsupported, adapt.As[*cbor.UnsupportedTypeError]},
	{codec.ClassUnsupported, adapt.As[*cbor.UnsupportedValueError]},
	{codec.ClassType, adapt.As[*cbor.UnmarshalTypeError]},
	{codec.ClassType, adapt.As[*cbor.InvalidUnmarshalError]},
	{codec.ClassType, adapt.As[*cbor.DupMapKeyError]},
	{codec.ClassLimit, adapt.As[*cbor.MaxArrayElementsError]},
	{codec.ClassLimit, adapt.As[*cbor.MaxMapPairsError]},
	{codec.ClassLimit, adapt.As[*cbor.MaxNestedLevelError]},
	{codec.ClassSchema, adapt.As[*cbor.UnknownFieldError]},
	{codec.ClassSyntax, adapt.As[*cbor.SyntaxError]},
	{codec.ClassSyntax, adapt.As[*cbor.SemanticError]},
	{codec.ClassSyntax, adapt.As[*cbor.ExtraneousDataError]},
	{codec.ClassSyntax, adapt.As[*cbor.InadmissibleTagContentTypeError]},
	{codec.ClassSyntax, adapt.Says("invalid UTF-8")}, // an error without a type
}
