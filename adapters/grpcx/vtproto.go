package grpcx

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/codec"
)

// VTProto marshals protobuf messages by the methods that vtprotobuf generates for
// them, and by package proto those that have none: the bytes are protobuf's. Name
// "vtproto".
//
// It stands beside gRPC's own codec and does not take its place, so a client asks for
// it by name, and clients that do not are served as before.
type VTProto struct{}

// vtMessage is what vtprotobuf generates by its features marshal, size and unmarshal.
type vtMessage interface {
	SizeVT() int
	MarshalToSizedBufferVT(b []byte) (int, error)
	UnmarshalVT(b []byte) error
}

var (
	_ codec.Appender   = VTProto{}
	_ codec.MediaTyped = VTProto{}
	_ codec.Viewer     = VTProto{}
	_ codec.Appender   = ProtoJSON{}
	_ codec.MediaTyped = ProtoJSON{}
)

// Name is "vtproto".
func (VTProto) Name() string { return "vtproto" }

// MediaTypes is that of protobuf.
func (VTProto) MediaTypes() []string { return protoTypes }

var protoTypes = []string{"application/protobuf", "application/x-protobuf"}

// Marshal returns the message in memory of its own.
func (c VTProto) Marshal(v any) ([]byte, error) { return c.AppendMarshal(nil, v) }

// AppendMarshal appends the message to dst.
func (c VTProto) AppendMarshal(dst []byte, v any) ([]byte, error) {
	switch m := v.(type) {
	case vtMessage:
		n := m.SizeVT()
		out := append(dst, make([]byte, n)...) // no allocation where dst has room
		// It writes from the end towards the front and returns how much.
		k, err := m.MarshalToSizedBufferVT(out[len(dst):])
		if err == nil && k != n {
			err = fmt.Errorf("message of %d bytes took %d: was it changed meanwhile?", n, k)
		}
		if err != nil {
			return dst, codec.NewError(c, codec.OpMarshal, v, err)
		}
		return out, nil
	case proto.Message:
		out, err := proto.MarshalOptions{}.MarshalAppend(dst, m)
		if err != nil {
			return dst, codec.NewError(c, codec.OpMarshal, v, err)
		}
		return out, nil
	}
	return dst, codec.NewError(c, codec.OpMarshal, v, errNotProto)
}

// Unmarshal stores the message into v, a pointer to a message.
func (c VTProto) Unmarshal(b []byte, v any) error {
	if m, ok := v.(vtMessage); ok {
		reset(v)
		return codec.NewError(c, codec.OpUnmarshal, v, m.UnmarshalVT(b))
	}
	if m, ok := v.(proto.Message); ok {
		return codec.NewError(c, codec.OpUnmarshal, v, proto.Unmarshal(b, m))
	}
	return codec.NewError(c, codec.OpUnmarshal, v, errNotProto)
}

// UnmarshalView leaves strings and bytes in b, for messages with vtprotobuf's
// feature unmarshal_unsafe; others are copied.
func (c VTProto) UnmarshalView(b []byte, v any) error {
	m, ok := v.(interface{ UnmarshalVTUnsafe(b []byte) error })
	if !ok {
		return c.Unmarshal(b, v)
	}
	reset(v)
	return codec.NewError(c, codec.OpUnmarshal, v, m.UnmarshalVTUnsafe(b))
}

// reset empties a message: UnmarshalVT merges, Codec replaces.
func reset(v any) {
	if m, ok := v.(interface{ Reset() }); ok {
		m.Reset()
	}
}

// ProtoJSON marshals protobuf messages as protobuf's own mapping to JSON has it. Name
// "protojson".
type ProtoJSON struct{}

// Name is "protojson".
func (ProtoJSON) Name() string { return "protojson" }

// MediaTypes is that of JSON.
func (ProtoJSON) MediaTypes() []string { return []string{"application/json"} }

// Marshal returns the JSON text of a message.
func (c ProtoJSON) Marshal(v any) ([]byte, error) { return c.AppendMarshal(nil, v) }

// AppendMarshal appends the JSON text of a message to dst.
func (c ProtoJSON) AppendMarshal(dst []byte, v any) ([]byte, error) {
	m, ok := v.(proto.Message)
	if !ok {
		return dst, codec.NewError(c, codec.OpMarshal, v, errNotProto)
	}
	out, err := protojson.MarshalOptions{}.MarshalAppend(dst, m)
	if err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, err)
	}
	return out, nil
}

// Unmarshal stores JSON text into v, a pointer to a message. Members that the message
// does not know are left out, as protobuf leaves out numbers.
func (c ProtoJSON) Unmarshal(b []byte, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return codec.NewError(c, codec.OpUnmarshal, v, errNotProto)
	}
	return codec.NewError(c, codec.OpUnmarshal, v, protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(b, m))
}

var errNotProto = fmt.Errorf("not a protobuf message: %w", codec.ErrUnsupported)
