// Package protox is a codec of Protocol Buffers, by google.golang.org/protobuf, for messages that
// protoc-gen-go has generated.
//
//	codecs := codec.NewRegistry(codec.FXJSON{}, protox.Codec{}, protox.JSON{})
//
// If a message has the methods of vtprotobuf (features marshal, unmarshal, size), the codec calls
// them: they write the same bytes without reflection. Other types are refused. In a registry with
// other codecs, name the codecs for messages:
//
//	codec.SetTypeFor[pb.Order](codecs, "protobuf", "protojson")
//
// Pass messages by pointer, as their methods and go vet require.
package protox

import (
	"fmt"
	"reflect"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is the wire format of protobuf. Its name is "protobuf", its media type
// application/protobuf. A message of that format has neither an end nor a length: the first part of
// its bytes may be a message too, and two messages in a row read as one merged message. So streams
// use [codec.Framed], whose frames are those of protobuf's package protodelim.
//
// Unmarshal empties the message first. It returns an error if a required field of proto2 is
// missing.
type Codec struct{}

var (
	_ codec.Appender   = Codec{}
	_ codec.Pooled     = Codec{}
	_ codec.Stable     = Codec{}
	_ codec.MediaTyped = Codec{}
)

// The methods of vtprotobuf, features marshal and unmarshal.
type (
	vtMarshaler interface {
		SizeVT() int
		MarshalToSizedBufferVT(b []byte) (int, error)
	}
	vtUnmarshaler interface {
		UnmarshalVT(b []byte) error
	}
)

// Name returns "protobuf".
func (Codec) Name() string { return "protobuf" }

// MediaTypes returns the media type of draft-ietf-dispatch-mime-protobuf, and two that were used
// before.
func (Codec) MediaTypes() []string { return mediaTypes }

var mediaTypes = []string{"application/protobuf", "application/x-protobuf", "application/vnd.google.protobuf"}

// Marshal returns the bytes of a message.
func (c Codec) Marshal(v any) ([]byte, error) {
	b, err := c.AppendMarshal(nil, v)
	if err != nil {
		return nil, err
	}
	if b == nil {
		b = []byte{} // Marshal must not return nil for an empty message
	}
	return b, nil
}

// AppendMarshal appends the bytes of a message. If dst has no room, it grows once, by the size of
// the message.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if adapt.IsNil(v) {
		return dst, codec.NewError(c, codec.OpMarshal, v, codec.ErrNilValue)
	}
	var b []byte
	var err error
	v = adapt.Pointer(v)
	switch m := v.(type) {
	case vtMarshaler:
		b, err = appendVT(dst, m)
	case proto.Message:
		b, err = proto.MarshalOptions{}.MarshalAppend(dst, m)
	default:
		err = noMessage
	}
	if err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, classes.Of(err))
	}
	return b, nil
}

// appendVT appends the message. vtprotobuf writes from the end to the beginning of a slice that has
// exactly the message's size.
func appendVT(dst []byte, m vtMarshaler) ([]byte, error) {
	size := m.SizeVT()
	b := slices.Grow(dst, size)
	n, err := m.MarshalToSizedBufferVT(b[len(dst) : len(dst)+size])
	if err == nil && n != size {
		err = fmt.Errorf("SizeVT says %d bytes, MarshalToSizedBufferVT writes %d: was the message changed meanwhile?", size, n)
	}
	return b[:len(dst)+size], err
}

// MarshalPooled takes a buffer of the message's size from the pool.
func (c Codec) MarshalPooled(p *codec.Pool, v any) (*codec.Buffer, error) {
	if adapt.IsNil(v) {
		return nil, codec.NewError(c, codec.OpMarshal, v, codec.ErrNilValue)
	}
	size := 0
	v = adapt.Pointer(v)
	switch m := v.(type) {
	case vtMarshaler:
		size = m.SizeVT()
	case proto.Message:
		size = proto.Size(m)
	}
	buf := p.Get(size)
	b, err := c.AppendMarshal(buf.B, v)
	if err != nil {
		buf.Release()
		return nil, err
	}
	buf.B = b
	return buf, nil
}

// MarshalStable writes the entries of maps in the order of their keys. Equal messages have equal
// bytes within one version of a program; protobuf promises no more.
func (c Codec) MarshalStable(v any) ([]byte, error) {
	if adapt.IsNil(v) {
		return nil, codec.NewError(c, codec.OpMarshal, v, codec.ErrNilValue)
	}
	m, ok := adapt.Pointer(v).(proto.Message)
	if !ok {
		return nil, codec.NewError(c, codec.OpMarshal, v, noMessage)
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	return b, codec.NewError(c, codec.OpMarshal, v, classes.Of(err))
}

// Unmarshal reads the bytes of a message.
func (c Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	var err error
	switch m := v.(type) {
	case vtUnmarshaler:
		reset(m)
		err = m.UnmarshalVT(b)
	case proto.Message:
		err = proto.Unmarshal(b, m) // empties m first
	default:
		err = noMessage
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classes.Of(err))
}

// reset empties a message, since UnmarshalVT merges.
func reset(v any) {
	switch m := v.(type) {
	case interface{ Reset() }:
		m.Reset()
	default:
		reflect.ValueOf(v).Elem().SetZero()
	}
}

var noMessage = fmt.Errorf("%w: not a protobuf message; pass a pointer to a type that protoc-gen-go has generated", codec.ErrUnsupported)

var classes = adapt.Classes{{codec.ClassSyntax, adapt.Is(proto.Error)}}
