package fxprotobench

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"buf.build/go/hyperpb"
	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/adapters/protox/fxprotobench/benchpb"
	"github.com/zmylab/zmy/adapters/protox/fxprotobench/poolpb"
	"github.com/zmylab/zmy/fxproto"
)

var when = time.Date(2026, 3, 4, 5, 6, 7, 891011, time.UTC)

// vtMessage has the methods of vtprotobuf.
type vtMessage interface {
	proto.Message
	MarshalVT() ([]byte, error)
	SizeVT() int
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
}

// generated has the methods of package fxproto that programs may call directly.
type generated interface {
	AppendProto([]byte, fxproto.MarshalOptions) ([]byte, error)
	UnmarshalProto([]byte, fxproto.UnmarshalOptions) error
}

// pooled is a vtMessage from a pool.
type pooled interface {
	UnmarshalVT([]byte) error
	ReturnToVTPool()
}

// subject is a value with the message of the same schema.
type subject struct {
	name    string
	value   any              // pointer to one of our structs
	fresh   func() any       // a new pointer
	msg     vtMessage        // the same as a message
	empty   func() vtMessage // a new message
	pool    func() pooled    // a message from vtprotobuf's pool
	message []byte           // the encoding, with maps in order
	hyper   *hyperpb.MessageType
}

// subjects returns a value of each type.
func subjects(t testing.TB) []*subject {
	r := rand.New(rand.NewPCG(1, 2))
	order := &Order{ID: "order-000123", Timestamp: when,
		Metadata: map[string]string{"channel": "web", "region": "eu-west-1", "coupon": "SPRING"}}
	for range 8 {
		order.Items = append(order.Items, Item{Sku: "SKU-" + strings.Repeat("x", 1+r.IntN(12)), Price: r.Float64() * 100,
			Qty: 1 + r.Int32N(300), Attrs: []byte("attributes")})
	}
	result := &Result{ID: 1 << 40, Timestamp: when.UnixNano()}
	for range 1000 {
		result.Data = append(result.Data, r.NormFloat64())
	}
	locale := "en-GB"
	session := &Session{ID: "3f0c9d7e-52a1-4b8c", UserID: "user-4711", Created: when, LastSeen: when.Add(time.Hour),
		Expires: when.Add(24 * time.Hour), IP: "192.0.2.17",
		UserAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101",
		Roles:     []string{"admin", "editor", "viewer"},
		Attrs:     map[string]string{"theme": "dark", "beta": "yes"}, Status: 1, Locale: &locale, TZ: -120, MFA: true, Logins: 1234,
		Token: []byte("0123456789abcdef"), Device: "desktop"}
	event := &Event{ID: "evt-12345", Event: "message", Data: strings.Repeat("some text of an event, ", 20), Replay: true,
		Meta: map[string]string{"source": "hub", "trace": "4bf92f3577b34da6"}}
	all := []*subject{
		{name: "order", value: order, fresh: func() any { return new(Order) }, empty: func() vtMessage { return new(benchpb.Order) },
			pool: func() pooled { return poolpb.OrderFromVTPool() }},
		{name: "sse", value: event, fresh: func() any { return new(Event) }, empty: func() vtMessage { return new(benchpb.Event) },
			pool: func() pooled { return poolpb.EventFromVTPool() }},
		{name: "session", value: session, fresh: func() any { return new(Session) }, empty: func() vtMessage { return new(benchpb.Session) },
			pool: func() pooled { return poolpb.SessionFromVTPool() }},
		{name: "result", value: result, fresh: func() any { return new(Result) }, empty: func() vtMessage { return new(benchpb.Result) },
			pool: func() pooled { return poolpb.ResultFromVTPool() }},
	}
	for _, s := range all {
		var err error
		if s.message, err = (fxproto.MarshalOptions{Deterministic: true}).Marshal(s.value); err != nil {
			t.Fatal(err)
		}
		s.msg = s.empty()
		if err := proto.Unmarshal(s.message, s.msg); err != nil {
			t.Fatal(err)
		}
		s.hyper = hyperpb.CompileMessageDescriptor(s.msg.ProtoReflect().Descriptor())
	}
	return all
}

// TestSame: all codecs read and write the same.
func TestSame(t *testing.T) {
	for _, s := range subjects(t) {
		if want, err := (proto.MarshalOptions{Deterministic: true}).Marshal(s.msg); err != nil || !bytes.Equal(s.message, want) {
			t.Errorf("%s: %x, protobuf-go: %x, %v", s.name, s.message, want, err)
		}
		sorted := fxproto.MarshalOptions{Deterministic: true, Reflection: true}
		if want, err := sorted.Marshal(s.value); err != nil || !bytes.Equal(s.message, want) {
			t.Errorf("%s: %x, reflection: %x, %v", s.name, s.message, want, err)
		}
		kept := s.fresh()
		for _, o := range []fxproto.UnmarshalOptions{{}, {Alias: true}, {Reuse: true}, {Reuse: true}} {
			got := s.fresh()
			if o.Reuse {
				got = kept
			}
			if err := o.Unmarshal(s.message, got); err != nil || !reflect.DeepEqual(got, s.value) {
				t.Errorf("%s: %+v, %v", s.name, got, err)
			}
		}
		vt := s.empty()
		if err := vt.UnmarshalVT(s.message); err != nil || !proto.Equal(vt, s.msg) {
			t.Errorf("%s: vtprotobuf reads %v, %v", s.name, vt, err)
		}
		if b, err := s.msg.MarshalVT(); err != nil || len(b) != len(s.message) {
			t.Errorf("%s: vtprotobuf writes %x, %v", s.name, b, err)
		}
		if err := hyperpb.NewMessage(s.hyper).Unmarshal(s.message); err != nil {
			t.Errorf("%s: hyperpb: %v", s.name, err)
		}
	}
}
