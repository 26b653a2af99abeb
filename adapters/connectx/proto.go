package connectx

import (
	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/codec"
	fxjson "github.com/zmylab/zmy/fxjson/protojson"
)

// Proto makes a codec with the name of connect-go's own, "proto". Messages of protobuf-go are
// marshalled by protobuf-go, all other values by package fxproto. So a service of plain structs, whose
// fields have struct tags proto, answers application/proto, application/grpc and application/grpc-web
// of clients in every language.
func Proto(c codec.FXProto) connect.Codec { return protoCodec{c} }

type protoCodec struct{ c codec.FXProto }

func (protoCodec) Name() string { return "proto" }

func (p protoCodec) Marshal(v any) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		return proto.Marshal(m)
	}
	return p.c.Marshal(v)
}

func (p protoCodec) MarshalAppend(dst []byte, v any) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		return proto.MarshalOptions{}.MarshalAppend(dst, m)
	}
	return p.c.AppendMarshal(dst, v)
}

func (p protoCodec) MarshalStable(v any) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		return proto.MarshalOptions{Deterministic: true}.Marshal(m)
	}
	return p.c.MarshalStable(v)
}

// IsBinary reports that connect-go must put messages into the URL as base64.
func (protoCodec) IsBinary() bool { return true }

func (p protoCodec) Unmarshal(b []byte, v any) error {
	if m, ok := v.(proto.Message); ok {
		return proto.Unmarshal(b, m)
	}
	return p.c.Unmarshal(b, v)
}

// ProtoJSON is [Proto] for connect-go's own codec "json": ProtoJSON by protobuf-go for its messages, and
// by package fxjson/protojson for all other values. As connect-go does, it passes over unknown members.
func ProtoJSON() connect.Codec { return protoJSON{} }

type protoJSON struct{}

func (protoJSON) Name() string { return "json" }

func (protoJSON) Marshal(v any) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		return protojson.Marshal(m)
	}
	return fxjson.Marshal(v)
}

func (protoJSON) MarshalAppend(dst []byte, v any) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		return protojson.MarshalOptions{}.MarshalAppend(dst, m)
	}
	return fxjson.Append(dst, v)
}

func (protoJSON) Unmarshal(b []byte, v any) error {
	if m, ok := v.(proto.Message); ok {
		return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(b, m)
	}
	return fxjson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(b, v)
}
