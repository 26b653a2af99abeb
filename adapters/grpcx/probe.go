package grpcx

import (
	"context"
	"reflect"
	"sync/atomic"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoiface"

	"github.com/zmylab/zmy/codec"
)

// A server's codec gets a message and no context: which call, and so which method, it
// works for must reach it with the message. There are three ways.
//
//   - A probe goes to a codec of this package in the place of the message.
//   - The reply of a unary call is marshalled after the handler has returned, and looked
//     at later still; what stood for it could not be used again. So it is handed over as it is, and the
//     codec finds what belongs to it in expected, by its address. Several calls may have one reply, so that
//     only counting goes by what is found there. A codec that is bound to its call must not be
//     mistaken for another's: there, a probe stands for the reply too.
//   - gRPC's own protobuf codec is given a protoProbe, a message that is measured
//     when package proto asks it for its methods.

// probe is a message, the cell that it is counted in, and the codec as it serves the call.
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

// expected holds the calls whose replies codecs are about to meet, for the microsecond
// between handler and codec. Where two calls meet in one slot, the earlier goes uncounted, as may both where
// they have one reply and two codecs.
var expected [256]atomic.Pointer[serverCall]

// expect announces that a codec of this package will meet v on behalf of c. It reports
// false if v is not a pointer.
func (c *serverCall) expect(v any) bool {
	addr := address(v)
	if addr == 0 {
		return false
	}
	c.addr.Store(addr)
	slot(addr).Store(c)
	return true
}

// claim returns the call on whose behalf a codec has met v; nil if there is none.
func claim(v any) *serverCall {
	addr := address(v)
	if addr == 0 {
		return nil
	}
	s := slot(addr)
	if c := s.Load(); c != nil && c.addr.Load() == addr && s.CompareAndSwap(c, nil) {
		return c
	}
	return nil
}

func address(v any) uintptr {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer {
		return r.Pointer()
	}
	return 0
}

// slot spreads addresses by Fibonacci hashing: they differ in their middle bits.
func slot(addr uintptr) *atomic.Pointer[serverCall] {
	return &expected[uint64(addr)*0x9E3779B97F4A7C15>>56]
}

// protoProbe is a protobuf message that tells how long it takes. It is a
// protoreflect.Message that says of itself what the message would, but for its methods.
type protoProbe struct {
	protoreflect.Message
	inner   *protoiface.Methods
	methods protoiface.Methods
	cell    *cell
	ctx     context.Context
	marshal work // from probeSize to probeMarshal
}

// arm makes p stand for v. It reports false if v is not a message that can be measured.
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

// Reset is what proto.Unmarshal does first.
func (p *protoProbe) Reset() { proto.Reset(p.Message.Interface()) }

// ProtoMethods are the ones that measure.
func (p *protoProbe) ProtoMethods() *protoiface.Methods { return &p.methods }

// probeSize is where marshalling begins: gRPC asks for the size first, and package proto
// asks again.
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
	if p.marshal.cell == nil { // somebody marshals without asking for the size
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
