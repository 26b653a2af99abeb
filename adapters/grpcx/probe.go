package grpcx

import (
	"context"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoiface"

	"github.com/zmylab/zmy/codec"
)

// NOTE: how a server's codec learns which call it works for. gRPC passes its codecs a message but no
// context, so the call must travel with the message:
//
//   - A codec of this package is given a probe in place of a request and of each message of a
//     stream. A probe holds the message and the call.
//   - The reply of a unary call is marshalled in the call's context, as soon as the handler has
//     returned, by the wrapper that [Telemetry.Registrar] puts around the handler. gRPC is given the
//     bytes as an encodedReply, and its codec passes them on.
//   - gRPC's own protobuf codec is given a protoProbe. That is a message whose marshalling and
//     unmarshalling are measured when package proto asks it for its methods.

// Payload returns the message that v stands for, or v if it is a message. A measured server gives
// gRPC values in place of messages, and gRPC shows these values to stats handlers and binary logs.
// Call Payload for a request at once, because the value that stands for the request is reused.
func Payload(v any) any {
	switch p := v.(type) {
	case *probe:
		return p.v
	case *encodedReply:
		return p.v
	case *protoProbe:
		return p.Interface()
	}
	return v
}

// probe is a message together with the cell that counts it and the codec bound to the call.
type probe struct {
	v    any
	cell *cell
	ctx  context.Context
	wire *wireCodec
}

func (p *probe) marshal(v any) (mem.BufferSlice, error) {
	k := p.cell.begin(p.ctx, codec.OpMarshal, v)
	out, err := p.wire.encode(v)
	k.end(out.Len(), err)
	return out, err
}

func (p *probe) unmarshal(data mem.BufferSlice, v any) error {
	k := p.cell.begin(p.ctx, codec.OpUnmarshal, v)
	err := p.wire.decode(data, v)
	k.end(data.Len(), err)
	return err
}

// encodedReply is a reply with its bytes, or with the error of its codec. gRPC frees the bytes.
type encodedReply struct {
	piece
	v   any
	err error
}

// reply marshals the reply v. It allocates as little as if gRPC called the codec, since the
// encodedReply contains the list of buffers that gRPC wants.
func (p *probe) reply(v any) *encodedReply {
	m := &encodedReply{v: v}
	k := p.cell.begin(p.ctx, codec.OpMarshal, v)
	m.err = p.wire.encodeTo(&m.piece, v)
	k.end(m.slice().Len(), m.err)
	return m
}

// protoProbe is a protobuf message that measures its own marshalling and unmarshalling. It is a
// protoreflect.Message that behaves like the wrapped message, except for ProtoMethods.
type protoProbe struct {
	protoreflect.Message
	inner   *protoiface.Methods
	methods protoiface.Methods
	cell    *cell
	ctx     context.Context
	marshal work // begun by probeSize, ended by probeMarshal
}

// arm makes p stand for v. It returns false if v is not a message that can be measured.
func (p *protoProbe) arm(v any, c *cell, ctx context.Context) bool {
	m, ok := v.(proto.Message)
	if !ok {
		return false
	}
	r := m.ProtoReflect()
	inner := r.ProtoMethods()
	if inner == nil || inner.Marshal == nil || inner.Unmarshal == nil || inner.Size == nil {
		return false // a dynamic message
	}
	p.Message, p.inner, p.cell, p.ctx = r, inner, c, ctx
	p.methods = protoiface.Methods{Flags: inner.Flags, Size: probeSize, Marshal: probeMarshal,
		Unmarshal: probeUnmarshal, CheckInitialized: probeInitialized}
	return true
}

// ProtoReflect makes p a proto.Message.
func (p *protoProbe) ProtoReflect() protoreflect.Message { return p }

// Reset resets the wrapped message. proto.Unmarshal calls it first.
func (p *protoProbe) Reset() { proto.Reset(p.Message.Interface()) }

// ProtoMethods returns methods that measure.
func (p *protoProbe) ProtoMethods() *protoiface.Methods { return &p.methods }

// probeSize begins to measure a marshalling: gRPC asks for the size first. Package proto asks for
// it a second time.
func probeSize(in protoiface.SizeInput) protoiface.SizeOutput {
	p := in.Message.(*protoProbe)
	if p.marshal.cell == nil {
		p.marshal = p.cell.begin(p.ctx, codec.OpMarshal, p.Interface())
	}
	in.Message = p.Message
	return p.inner.Size(in)
}

func probeMarshal(in protoiface.MarshalInput) (protoiface.MarshalOutput, error) {
	p := in.Message.(*protoProbe)
	if p.marshal.cell == nil { // marshalled without asking for the size before
		p.marshal = p.cell.begin(p.ctx, codec.OpMarshal, p.Interface())
	}
	in.Message = p.Message
	out, err := p.inner.Marshal(in)
	p.marshal.end(len(out.Buf)-len(in.Buf), err)
	p.marshal = work{}
	return out, err
}

func probeUnmarshal(in protoiface.UnmarshalInput) (protoiface.UnmarshalOutput, error) {
	p := in.Message.(*protoProbe)
	in.Message = p.Message
	k := p.cell.begin(p.ctx, codec.OpUnmarshal, p.Interface())
	out, err := p.inner.Unmarshal(in)
	k.end(len(in.Buf), err)
	return out, err
}

func probeInitialized(in protoiface.CheckInitializedInput) (protoiface.CheckInitializedOutput, error) {
	p := in.Message.(*protoProbe)
	return protoiface.CheckInitializedOutput{}, proto.CheckInitialized(p.Message.Interface())
}
