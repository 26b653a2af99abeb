// Package tinylibx is a codec of MessagePack for types with code that github.com/tinylib/msgp has
// generated.
//
//	//go:generate go run github.com/tinylib/msgp@v1.6.5 -tests=false
//
//	codecs := codec.NewRegistry(codec.FXJSON{}, tinylibx.Codec{})
//
// Types without that code are refused; package msgpackx carries any type. Each package reads the
// other's bytes if the names of the fields are the same.
package tinylibx

import (
	"errors"
	"fmt"
	"io"

	"github.com/tinylib/msgp/msgp"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is MessagePack by generated code. Its name is "msgp", its media type application/msgpack. A
// stream is messages without anything between them.
type Codec struct{}

var (
	_ codec.Appender   = Codec{}
	_ codec.Pooled     = Codec{}
	_ codec.Streamer   = Codec{}
	_ codec.MediaTyped = Codec{}
)

// Name returns "msgp".
func (Codec) Name() string { return "msgp" }

// MediaTypes returns application/msgpack, registered with IANA, and two that were used before.
func (Codec) MediaTypes() []string { return mediaTypes }

var mediaTypes = []string{"application/msgpack", "application/x-msgpack", "application/vnd.msgpack"}

// marshaler returns v as a value with the generated method, which T or *T may have.
func marshaler(v any) (msgp.Marshaler, error) {
	if adapt.IsNil(v) {
		return nil, codec.ErrNilValue
	}
	if m, ok := v.(msgp.Marshaler); ok {
		return m, nil
	}
	if m, ok := adapt.Pointer(v).(msgp.Marshaler); ok {
		return m, nil
	}
	return nil, noCode("MarshalMsg")
}

func noCode(method string) error {
	return fmt.Errorf("%w: the type has no method %s; generate it with github.com/tinylib/msgp", codec.ErrUnsupported, method)
}

// Marshal returns one message.
func (c Codec) Marshal(v any) ([]byte, error) {
	m, err := marshaler(v)
	if err != nil {
		return nil, codec.NewError(c, codec.OpMarshal, v, err)
	}
	b, err := m.MarshalMsg(make([]byte, 0, room(m)))
	if err != nil {
		return nil, codec.NewError(c, codec.OpMarshal, v, classed(err))
	}
	return b, nil
}

// room returns the maximum size of the message in bytes, or 0 if the type does not tell.
func room(m msgp.Marshaler) int {
	if s, ok := m.(msgp.Sizer); ok {
		return s.Msgsize()
	}
	return 0
}

// AppendMarshal appends one message.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	m, err := marshaler(v)
	if err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, err)
	}
	b, err := m.MarshalMsg(dst)
	if err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, classed(err))
	}
	return b, nil
}

// MarshalPooled takes a buffer of the message's maximum size from the pool.
func (c Codec) MarshalPooled(p *codec.Pool, v any) (*codec.Buffer, error) {
	m, err := marshaler(v)
	if err != nil {
		return nil, codec.NewError(c, codec.OpMarshal, v, err)
	}
	buf := p.Get(room(m))
	b, err := m.MarshalMsg(buf.B)
	if err != nil {
		buf.Release()
		return nil, codec.NewError(c, codec.OpMarshal, v, classed(err))
	}
	buf.B = b
	return buf, nil
}

// Unmarshal reads one message.
func (c Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	u, ok := v.(msgp.Unmarshaler)
	if !ok {
		return codec.NewError(c, codec.OpUnmarshal, v, noCode("UnmarshalMsg"))
	}
	if err := adapt.MessagePackLengths(b); err != nil {
		return codec.NewError(c, codec.OpUnmarshal, v, err)
	}
	rest, err := u.UnmarshalMsg(b)
	if err == nil && len(rest) > 0 {
		err = codec.ErrTrailingData
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classed(err))
}

// NewEncoder returns an encoder that writes messages without anything between them.
func (c Codec) NewEncoder(w io.Writer) codec.Encoder { return adapt.AppendEncoder(c, w, "") }

// NewDecoder returns a decoder of messages without anything between them.
func (c Codec) NewDecoder(r io.Reader) codec.Decoder {
	s := adapt.NewSource(r)
	return adapt.Decoder{Codec: c, From: decoder{msgp.NewReader(s)}, Source: s, Class: classed}
}

type decoder struct{ r *msgp.Reader }

func (d decoder) Decode(v any) error {
	t, ok := v.(msgp.Decodable)
	if !ok {
		return noCode("DecodeMsg")
	}
	if _, err := d.r.NextType(); err == io.EOF && d.r.Buffered() == 0 {
		return io.EOF
	}
	return unwrapEOF(t.DecodeMsg(d.r))
}

// unwrapEOF returns io.ErrUnexpectedEOF if the stream has ended within a message.
func unwrapEOF(err error) error {
	if err != nil && errors.Is(msgp.Cause(err), io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// classed gives errors of the library a class of package codec.
func classed(err error) error {
	if err == nil || codec.ClassOf(err) != codec.ClassOther {
		return err
	}
	switch cause := msgp.Cause(err).(type) {
	case msgp.TypeError:
		if cause.Encoded == msgp.InvalidType {
			return codec.WithClass(codec.ClassSyntax, err)
		}
		return codec.WithClass(codec.ClassType, err)
	case msgp.IntOverflow, msgp.UintOverflow, msgp.UintBelowZero:
		return codec.WithClass(codec.ClassType, err)
	case msgp.ArrayError, msgp.ExtensionTypeError:
		return codec.WithClass(codec.ClassSchema, err)
	case *msgp.ErrUnsupportedType:
		return codec.WithClass(codec.ClassUnsupported, err)
	case msgp.InvalidPrefixError:
		return codec.WithClass(codec.ClassSyntax, err)
	default:
		switch {
		case errors.Is(cause, msgp.ErrShortBytes), errors.Is(cause, io.ErrUnexpectedEOF):
			return codec.WithClass(codec.ClassSyntax, err)
		case errors.Is(cause, msgp.ErrRecursion), errors.Is(cause, msgp.ErrLimitExceeded):
			return codec.WithClass(codec.ClassLimit, err)
		}
	}
	return err
}
