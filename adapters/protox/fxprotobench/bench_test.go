package fxprotobench

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/adapters/protox/fxprotobench/benchpb"
	"github.com/zmylab/zmy/fxproto"
)

var when = time.Date(2026, 3, 4, 5, 6, 7, 891011, time.UTC)

// subjects has a value of each type, with an empty message of the same schema.
func subjects() []subject {
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
	return []subject{
		{"Order", order, &benchpb.Order{}},
		{"Event", &Event{ID: "evt-12345", Event: "message", Data: strings.Repeat("some text of an event, ", 20), Replay: true,
			Meta: map[string]string{"source": "hub", "trace": "4bf92f3577b34da6"}}, &benchpb.Event{}},
		{"Result", result, &benchpb.Result{}},
		{"Session", &Session{ID: "3f0c9d7e-52a1-4b8c", UserID: "user-4711", Created: when, LastSeen: when.Add(time.Hour),
			Expires: when.Add(24 * time.Hour), IP: "192.0.2.17",
			UserAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101",
			Roles:     []string{"admin", "editor", "viewer"},
			Attrs:     map[string]string{"theme": "dark", "beta": "yes"}, Status: 1, Locale: &locale, TZ: -120, MFA: true, Logins: 1234,
			Token: []byte("0123456789abcdef"), Device: "desktop"}, &benchpb.Session{}},
	}
}

type subject struct {
	name  string
	value any
	msg   proto.Message
}

var deterministic = proto.MarshalOptions{Deterministic: true}

// bytes returns the message of the subject's value.
func (s *subject) bytes(t testing.TB) []byte {
	b, err := fxproto.MarshalOptions{Deterministic: true}.Marshal(s.value)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSame shows that all three read and write the same.
func TestSame(t *testing.T) {
	for _, s := range subjects() {
		b := s.bytes(t)
		if err := proto.Unmarshal(b, s.msg); err != nil {
			t.Fatal(err)
		}
		if want, err := deterministic.Marshal(s.msg); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%s: %x, protobuf-go: %x, %v", s.name, b, want, err)
		}
		if want, err := (fxproto.MarshalOptions{Deterministic: true, Reflection: true}).Marshal(s.value); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%s: %x, reflection: %x, %v", s.name, b, want, err)
		}
		got := reflect.New(reflect.TypeOf(s.value).Elem()).Interface()
		if err := fxproto.Unmarshal(b, got); err != nil || !reflect.DeepEqual(got, s.value) {
			t.Errorf("%s: %+v, %v", s.name, got, err)
		}
	}
}

// BenchmarkAppend writes into a buffer that is used again.
func BenchmarkAppend(b *testing.B) {
	dst := make([]byte, 0, 64<<10)
	for _, s := range subjects() {
		if err := proto.Unmarshal(s.bytes(b), s.msg); err != nil {
			b.Fatal(err)
		}
		s.run(b, "generated", func() error { _, err := fxproto.Append(dst, s.value); return err })
		s.run(b, "sorted", func() error { _, err := fxproto.MarshalOptions{Deterministic: true}.Append(dst, s.value); return err })
		s.run(b, "reflection", func() error { _, err := fxproto.MarshalOptions{Reflection: true}.Append(dst, s.value); return err })
		s.run(b, "protobuf-go", func() error { _, err := proto.MarshalOptions{}.MarshalAppend(dst, s.msg); return err })
	}
}

// BenchmarkMarshal allocates the result.
func BenchmarkMarshal(b *testing.B) {
	for _, s := range subjects() {
		if err := proto.Unmarshal(s.bytes(b), s.msg); err != nil {
			b.Fatal(err)
		}
		s.run(b, "generated", func() error { _, err := fxproto.Marshal(s.value); return err })
		s.run(b, "reflection", func() error { _, err := fxproto.MarshalOptions{Reflection: true}.Marshal(s.value); return err })
		s.run(b, "protobuf-go", func() error { _, err := proto.Marshal(s.msg); return err })
	}
}

// BenchmarkUnmarshal decodes into a new value.
func BenchmarkUnmarshal(b *testing.B) {
	for _, s := range subjects() {
		msg := s.bytes(b)
		t := reflect.TypeOf(s.value).Elem()
		s.run(b, "generated", func() error { return fxproto.Unmarshal(msg, s.fresh()) })
		s.run(b, "alias", func() error { return fxproto.UnmarshalOptions{Alias: true}.Unmarshal(msg, s.fresh()) })
		s.run(b, "reflection", func() error {
			return fxproto.UnmarshalOptions{Reflection: true}.Unmarshal(msg, reflect.New(t).Interface())
		})
		s.run(b, "protobuf-go", func() error { return proto.Unmarshal(msg, s.empty()) })
	}
}

// BenchmarkVerify checks a message.
func BenchmarkVerify(b *testing.B) {
	for _, s := range subjects() {
		msg := s.bytes(b)
		s.run(b, "generated", func() error { return fxproto.Verify(msg, s.value) })
		s.run(b, "reflection", func() error { return fxproto.UnmarshalOptions{Reflection: true}.Verify(msg, s.value) })
	}
}

func (s *subject) run(b *testing.B, name string, f func() error) {
	b.Run(s.name+"/"+name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := f(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// fresh returns a new value of the subject's type.
func (s *subject) fresh() any {
	switch s.value.(type) {
	case *Order:
		return &Order{}
	case *Event:
		return &Event{}
	case *Result:
		return &Result{}
	}
	return &Session{}
}

// empty returns a new message of the subject's schema.
func (s *subject) empty() proto.Message {
	switch s.value.(type) {
	case *Order:
		return &benchpb.Order{}
	case *Event:
		return &benchpb.Event{}
	case *Result:
		return &benchpb.Result{}
	}
	return &benchpb.Session{}
}
