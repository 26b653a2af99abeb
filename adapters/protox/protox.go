// Package protox is a codec of Protocol Buffers by google.golang.org/protobuf, for
// messages that protoc-gen-go has generated.
//
//	codecs := codec.NewRegistry(codec.FXJSON{}, protox.Codec{}, protox.JSON{})
//
// Where a message has the methods of vtprotobuf (features marshal, unmarshal, size)
// those are called: the same bytes without reflection. Types of other kinds are
// refused, so that a registry gives them another codec:
//
//	codec.SetTypeFor[pb.Order](codecs, "protobuf", "protojson")
//
// Messages are handed over by pointer, as their methods and go vet ask for.
package protox

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is the wire format. Name "protobuf", media type application/protobuf. The
// format has no end and no frame: the first bytes of a message may be a message, and
// two messages in a row are one, merged. Streams are therefore those of
// [codec.Framed], whose frames are those of protobuf's package protodelim.
//
// Unmarshal empties the message first. Required fields of proto2 are asked for.
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

// Name is "protobuf".
func (Codec) Name() string { return "protobuf" }

// MediaTypes are that of draft-ietf-dispatch-mime-protobuf, and two in use before.
func (Codec) MediaTypes() []string { return mediaTypes }

var mediaTypes = []string{"application/protobuf", "application/x-protobuf", "application/vnd.google.protobuf"}

// Marshal returns the bytes of a message.
func (c Codec) Marshal(v any) ([]byte, error) {
	b, err := c.AppendMarshal(nil, v)
	if err != nil {
		return nil, err
	}
	if b == nil {
		b = []byte{} // an empty message is a message
	}
	return b, nil
}

// AppendMarshal appends the bytes of a message. Where dst has no room it grows once, to
// the size of the message.
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
		return dst, codec.NewError(c, codec.OpMarshal, v, classed(err))
	}
	return b, nil
}

// appendVT writes the message into its place behind dst: vtprotobuf writes from the
// end to the beginning, into as many bytes as it needs.
func appendVT(dst []byte, m vtMarshaler) ([]byte, error) {
	size := m.SizeVT()
	b := slices.Grow(dst, size)
	n, err := m.MarshalToSizedBufferVT(b[len(dst) : len(dst)+size])
	if err == nil && n != size {
		err = fmt.Errorf("SizeVT says %d bytes, MarshalToSizedBufferVT writes %d: was the message changed meanwhile?", size, n)
	}
	return b[:len(dst)+size], err
}

// MarshalPooled takes a buffer of the size of the message.
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

// MarshalStable writes the entries of maps in the order of their keys. Equal
// messages have equal bytes within one version of a program: the format promises no more.
func (c Codec) MarshalStable(v any) ([]byte, error) {
	if adapt.IsNil(v) {
		return nil, codec.NewError(c, codec.OpMarshal, v, codec.ErrNilValue)
	}
	m, ok := adapt.Pointer(v).(proto.Message)
	if !ok {
		return nil, codec.NewError(c, codec.OpMarshal, v, noMessage)
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	return b, codec.NewError(c, codec.OpMarshal, v, classed(err))
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
		err = proto.Unmarshal(b, m) // which empties it
	default:
		err = noMessage
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classed(err))
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

// classed gives errors of the library a class.
func classed(err error) error {
	switch {
	case err == nil || codec.ClassOf(err) != codec.ClassOther:
		return err
	case errors.Is(err, proto.Error):
		return codec.WithClass(codec.ClassSyntax, err)
	}
	return err
}
