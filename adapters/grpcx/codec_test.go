package grpcx

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

func TestRegister(t *testing.T) {
	other := func(name string) encoding.CodecV2 { return Codec(codec.Gob{}, WithName(name)) }
	for _, c := range []struct {
		name   string
		codecs []encoding.CodecV2
		want   error
	}{
		{"again", []encoding.CodecV2{zmyCodec}, nil},
		{"proto", []encoding.CodecV2{other("proto")}, ErrName},
		{"Proto", []encoding.CodecV2{other("Proto")}, ErrName},
		{"taken", []encoding.CodecV2{other("zmy")}, ErrName},
		{"twice", []encoding.CodecV2{other("one"), other("one")}, ErrName},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := Register(c.codecs...); !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
		})
	}
	if err := Register(other("")); err == nil {
		t.Error("a codec without a name is registered")
	}
	if encoding.GetCodecV2("one") != nil {
		t.Error("a codec is registered though the call has failed")
	}
	if got := encoding.GetCodecV2(proto.Name); got != ownProto {
		t.Errorf("proto is %v", got)
	}
}

// TestRoundTrip marshals, cuts what came out into pieces as transports do, and unmarshals.
func TestRoundTrip(t *testing.T) {
	message, err := structpb.NewStruct(map[string]any{"text": strings.Repeat("x", 3000)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		codec encoding.CodecV2
		v     any
	}{
		{"zmy, small", zmyCodec, order(1)},
		{"zmy, large", zmyCodec, order(60)},
		{"json, small", jsonCodec, order(1)},
		{"json, large", jsonCodec, order(60)},
		{"a codec that only marshals", vtCodec, message},
		{"gob", Codec(codec.Gob{}, WithPool(pool)), order(60)},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 3 { // the first teaches how much room is needed
				out, err := c.codec.Marshal(c.v)
				if err != nil {
					t.Fatal(err)
				}
				for _, pieces := range []int{1, 2, 5} {
					data := cut(out.Materialize(), pieces)
					got := reflect.New(reflect.TypeOf(c.v).Elem()).Interface()
					if err := c.codec.Unmarshal(data, got); err != nil {
						t.Fatal(err)
					}
					again, err := c.codec.Marshal(got)
					if err != nil {
						t.Fatal(err)
					}
					if c.name != "gob" && string(again.Materialize()) != string(out.Materialize()) {
						t.Errorf("in %d pieces: another message", pieces)
					}
					again.Free()
					data.Free()
				}
				out.Free()
			}
			pool.balanced(t)
		})
	}
}

func cut(b []byte, pieces int) (out mem.BufferSlice) {
	for i := range pieces {
		out = append(out, mem.SliceBuffer(b[i*len(b)/pieces:(i+1)*len(b)/pieces]))
	}
	return out
}

func TestMarshalFails(t *testing.T) {
	for _, c := range []encoding.CodecV2{zmyCodec, jsonCodec, vtCodec, Codec(codec.Gob{}, WithPool(pool))} {
		if out, err := c.Marshal(make(chan int)); err == nil || out != nil {
			t.Errorf("%s: %v, %v", c.Name(), out, err)
		}
		if err := c.Unmarshal(cut([]byte("\xff\xff\xff"), 2), new(orderlite.Order)); err == nil {
			t.Errorf("%s: nonsense is read", c.Name())
		}
	}
	pool.balanced(t)
}

// TestCopies is the promise that messages do not share the buffers that they came in.
func TestCopies(t *testing.T) {
	want := order(60)
	for _, c := range []encoding.CodecV2{zmyCodec, jsonCodec} {
		out, err := c.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		b := out.Materialize()
		out.Free()
		var got orderlite.Order
		if err := c.Unmarshal(mem.BufferSlice{mem.SliceBuffer(b)}, &got); err != nil {
			t.Fatal(err)
		}
		for i := range b {
			b[i] = 0xAA
		}
		if got.ID != want.ID || !reflect.DeepEqual(got.Items, want.Items) {
			t.Errorf("%s: the message has changed with its buffer", c.Name())
		}
	}
}

func TestHeld(t *testing.T) {
	want := order(60)
	cc := serve(t, func(s *grpc.Server) { s.RegisterService(&shopDesc, new(shop)) }, nil)
	for _, c := range []encoding.CodecV2{zmyCodec, jsonCodec} {
		var got Held[orderlite.Order]
		for range 2 { // a target that is used again lets go of what it holds
			if err := cc.Invoke(t.Context(), echoMethod, &Held[orderlite.Order]{V: *want}, &got, subtype(c)); err != nil {
				t.Fatal(err)
			}
			if got.V.ID != want.ID || !reflect.DeepEqual(got.V.Items, want.Items) {
				t.Errorf("%s: another message", c.Name())
			}
		}
		got.Release()
		if got.V.ID != "" {
			t.Error("a message is left after Release")
		}
		got.Release()
	}
	if err := zmyCodec.Unmarshal(cut([]byte("\xff\xff\xff"), 2), new(Held[orderlite.Order])); err == nil {
		t.Error("nonsense is held")
	}
}

// blank marshals to as many zeros.
type blank int

type blanks struct{}

func (blanks) Name() string                  { return "blank" }
func (blanks) Marshal(v any) ([]byte, error) { return make([]byte, v.(blank)), nil }
func (blanks) Unmarshal([]byte, any) error   { return nil }

// TestRoom: messages that wait to be sent hold memory of their own size, whatever the size of those
// before.
func TestRoom(t *testing.T) {
	for _, c := range []struct{ before, size, most int }{
		{8 << 20, 2 << 10, 4 << 10},
		{8 << 20, 16<<10 - 1, 16 << 10},
		{64 << 10, 2 << 10, 4 << 10},
		{64 << 10, 1 << 10, 0}, // gRPC would not pool it
		{2 << 10, 64 << 10, 1 << 20},
	} {
		p := newCountingPool()
		p.inner = mem.NewTieredBufferPool(256, 4<<10, 16<<10, 32<<10, 1<<20) // gRPC's own may have larger ones at hand
		w := Codec(blanks{}, WithPool(p))
		marshal := func(n int) mem.BufferSlice {
			out, err := w.Marshal(blank(n))
			if err != nil || out.Len() != n {
				t.Fatalf("%d bytes: %d, %v", n, out.Len(), err)
			}
			return out
		}
		first := marshal(c.before)
		first.Free()
		const waiting = 64
		var all []mem.BufferSlice
		for range waiting {
			all = append(all, marshal(c.size))
		}
		if got := p.room(); got > waiting*c.most {
			t.Errorf("after %d bytes %d messages of %d hold %d bytes, want at most %d", c.before, waiting, c.size, got, waiting*c.most)
		}
		for _, out := range all {
			out.Free()
		}
		p.balanced(t)
	}
}

// largestPool notes the largest buffer that is asked of a pool.
type largestPool struct {
	mem.BufferPool
	most int
}

func (p *largestPool) Get(n int) *[]byte {
	p.most = max(p.most, n)
	return p.BufferPool.Get(n)
}

// TestRoomIsBounded: after a large message the small ones do not take buffers of its size, which no
// pool keeps.
func TestRoomIsBounded(t *testing.T) {
	const large, small = 16 << 20, 2 << 10
	p := &largestPool{BufferPool: new(bufferPool)}
	w := Codec(blanks{}, WithPool(p))
	marshal := func(n int) {
		out, err := w.Marshal(blank(n))
		if err != nil || out.Len() != n {
			t.Fatalf("%d bytes: %d, %v", n, out.Len(), err)
		}
		out.Free()
	}
	marshal(large)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 111 {
		marshal(small)
	}
	runtime.ReadMemStats(&after)
	if p.most > 1<<20 {
		t.Errorf("a buffer of %d bytes is asked for", p.most)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 2*large {
		t.Errorf("111 messages of %d bytes allocate %d bytes after one of %d", small, n, large)
	}
}

// TestRoomIsEnough: messages of about one size are made in the buffers that they are sent from.
func TestRoomIsEnough(t *testing.T) {
	p := newCountingPool()
	w := Codec(blanks{}, WithPool(p))
	const messages = 300
	for i := range messages {
		out, err := w.Marshal(blank(1100 + i%30*100))
		if err != nil {
			t.Fatal(err)
		}
		out.Free()
	}
	if n := p.taken.Load(); n != messages {
		t.Errorf("%d messages have taken %d buffers", messages, n)
	}
	p.balanced(t)
}

// TestHeldBuffer asserts that a held message keeps its buffer from the pool, and that
// nothing else does.
func TestHeldBuffer(t *testing.T) {
	p := newCountingPool()
	c := Codec(codec.ZMY{}, WithPool(p))
	out, err := c.Marshal(order(60))
	if err != nil {
		t.Fatal(err)
	}
	b := out.Materialize()
	out.Free()
	p.balanced(t)
	var got Held[orderlite.Order]
	data := cut(b, 3)
	if err := c.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	data.Free()
	if p.outside() != 1 {
		t.Fatalf("%d buffers are held, want 1", p.outside())
	}
	if got.V.ID != order(60).ID {
		t.Errorf("ID is %q", got.V.ID)
	}
	got.Release()
	p.balanced(t)

	var raw Raw
	if err := c.Unmarshal(cut(b, 3), &raw); err != nil {
		t.Fatal(err)
	}
	if string(raw.Bytes()) != string(b) {
		t.Error("other bytes")
	}
	sent, err := c.Marshal(&raw)
	if err != nil {
		t.Fatal(err)
	}
	raw.Release()
	if string(sent.Materialize()) != string(b) {
		t.Error("other bytes are sent")
	}
	sent.Free()
	p.balanced(t)
}

// TestKinds makes calls of all kinds in several codecs over one connection. Of those both ways gRPC
// may lose one buffer each (loss_test.go), of the others none.
func TestKinds(t *testing.T) {
	impl := new(shop)
	cc := serve(t, func(s *grpc.Server) { s.RegisterService(&shopDesc, impl) },
		[]grpc.ServerOption{grpc.InTapHandle(Gate("zmy", "json", talkCodecs[0].Name(), talkCodecs[1].Name()))})
	kinds(t, cc)
	pool.balanced(t)
	talks(t, cc)
}

// kinds makes calls of all kinds but both ways.
func kinds(t *testing.T, cc grpc.ClientConnInterface) {
	t.Helper()
	o := order(60)
	for _, c := range []encoding.CodecV2{zmyCodec, jsonCodec} {
		ctx, opts := t.Context(), []grpc.CallOption{subtype(c)}
		if got, err := stub.Call[orderlite.Order, orderlite.Order](ctx, cc, echoMethod, o, opts); err != nil || got.ID != o.ID {
			t.Fatalf("%s: unary: %v, %v", c.Name(), got, err)
		}
		if got := collect(t, stub.CallServerStream[orderlite.Order, orderlite.Order](ctx, cc, listMethod, o, opts)); len(got) != 3 ||
			got[2].ID != o.ID {
			t.Errorf("%s: server stream: %d", c.Name(), len(got))
		}
		if got, err := stub.CallClientStream[orderlite.Order, orderlite.Order](ctx, cc, sumMethod, repeat(4, o), opts); err != nil ||
			len(got.Items) != 4*len(o.Items) {
			t.Errorf("%s: client stream: %v, %v", c.Name(), got, err)
		}
	}
}

// talks makes a call both ways in each of talkCodecs, and asserts that all buffers come back, or
// all but one for each call.
func talks(t *testing.T, cc grpc.ClientConnInterface) {
	t.Helper()
	o := order(60)
	for _, c := range talkCodecs {
		got := collect(t, stub.CallBidiStream[orderlite.Order, orderlite.Order](t.Context(), cc, talkMethod,
			repeat(5, o), []grpc.CallOption{subtype(c)}))
		if len(got) != 5 || got[4].ID != o.ID {
			t.Errorf("%s: both ways: %d", c.Name(), len(got))
		}
	}
	talkPool.balancedBut(t, len(talkCodecs))
	talkPool.forget()
}

func TestSequenceErrors(t *testing.T) {
	impl := new(shop)
	cc := serve(t, func(s *grpc.Server) { s.RegisterService(&shopDesc, impl) }, nil)
	own, opts := errors.New("own"), []grpc.CallOption{subtype(givenUpCodec)}
	bad := func(yield func(*orderlite.Order, error) bool) {
		_ = yield(order(1), nil) && yield(nil, own)
	}
	if _, err := stub.CallClientStream[orderlite.Order, orderlite.Order](t.Context(), cc, sumMethod, bad, opts); err != own {
		t.Errorf("client stream: %v", err)
	}
	var last error
	for _, err := range stub.CallBidiStream[orderlite.Order, orderlite.Order](t.Context(), cc, talkMethod, bad, opts) {
		last = err
	}
	if last != own {
		t.Errorf("both ways: %v", last)
	}
	for range stub.CallServerStream[orderlite.Order, orderlite.Order](t.Context(), cc, listMethod, order(1), opts) {
		break // cancels the call
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range stub.CallServerStream[orderlite.Order, orderlite.Order](ctx, cc, listMethod, order(1), opts) {
		if err == nil {
			t.Error("a cancelled call yields")
		}
	}
}
