package grpcx

import (
	"slices"

	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/fxproto"
)

// Proto makes a codec with the name of gRPC's own, "proto", which calls have by default: content type
// application/grpc. Messages of protobuf-go are marshalled by protobuf-go, all other values by package
// fxproto. So a service of plain structs, whose fields have struct tags proto, answers clients in every
// language, and other services of the program stay as they are. [Register] puts it in the place of
// gRPC's own codec; grpc.ForceServerCodecV2 uses it for one server only.
func Proto(opts ...CodecOption) encoding.CodecV2 {
	w := Codec(protoCodec{}, opts...).(*wireCodec)
	w.name = grpcproto.Name
	return w
}

// isProto reports whether Proto made c.
func isProto(c encoding.CodecV2) bool {
	w, ok := c.(*wireCodec)
	if !ok {
		return false
	}
	_, ok = w.c.(protoCodec)
	return ok
}

// protoCodec is protobuf for messages of protobuf-go and for plain structs.
type protoCodec struct{}

var _ codec.Appender = protoCodec{}

func (protoCodec) Name() string { return grpcproto.Name }

// message returns v as a message of protobuf-go, nil if it is none.
func message(v any) proto.Message {
	switch m := v.(type) {
	case proto.Message:
		return m
	case protoadapt.MessageV1:
		return protoadapt.MessageV2Of(m)
	}
	return nil
}

func (c protoCodec) Marshal(v any) ([]byte, error) { return c.AppendMarshal([]byte{}, v) }

// AppendMarshal appends a message. If dst has no room for a message of protobuf-go, it grows once.
func (c protoCodec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	var out []byte
	var err error
	if m := message(v); m != nil {
		dst = slices.Grow(dst, proto.Size(m))
		out, err = proto.MarshalOptions{UseCachedSize: true}.MarshalAppend(dst, m)
	} else {
		out, err = fxproto.Append(dst, v)
	}
	if err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, err)
	}
	return out, nil
}

func (c protoCodec) Unmarshal(b []byte, v any) error {
	var err error
	if m := message(v); m != nil {
		err = proto.Unmarshal(b, m)
	} else {
		err = fxproto.Unmarshal(b, v)
	}
	return codec.NewError(c, codec.OpUnmarshal, v, err)
}
