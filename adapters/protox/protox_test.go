package protox_test

import (
	"bytes"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/zmylab/zmy/adapters/protox"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
)

// stamp has the methods that vtprotobuf generates for
//
//	message Timestamp { int64 seconds = 1; int32 nanos = 2; }
type stamp struct {
	timestamppb.Timestamp
	calls atomic.Int32
}

func (s *stamp) SizeVT() int { return len(s.bytes()) }

func (s *stamp) MarshalToSizedBufferVT(b []byte) (int, error) {
	s.calls.Add(1)
	enc := s.bytes()
	return copy(b[len(b)-len(enc):], enc), nil
}

func (s *stamp) UnmarshalVT(b []byte) error {
	s.calls.Add(1)
	return proto.UnmarshalOptions{Merge: true}.Unmarshal(b, &s.Timestamp)
}

func (s *stamp) bytes() (b []byte) {
	if s.Seconds != 0 {
		b = protowire.AppendVarint(protowire.AppendTag(b, 1, protowire.VarintType), uint64(s.Seconds))
	}
	if s.Nanos != 0 {
		b = protowire.AppendVarint(protowire.AppendTag(b, 2, protowire.VarintType), uint64(s.Nanos))
	}
	return b
}

func messages(t testing.TB) []codectest.Case {
	doc, err := structpb.NewStruct(map[string]any{"name": "x", "list": []any{1.0, "a", nil, true}, "in": map[string]any{"k": "v"}})
	if err != nil {
		t.Fatal(err)
	}
	equal := func(got, want any) bool { return proto.Equal(got.(proto.Message), want.(proto.Message)) }
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String("order.proto"), Package: proto.String("order"), Dependency: []string{"a.proto", "b.proto"},
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Order"), Field: []*descriptorpb.FieldDescriptorProto{{
			Name: proto.String("id"), Number: proto.Int32(1), Type: descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(),
		}}}},
	}
	return []codectest.Case{
		{Name: "struct", Value: doc, Equal: equal},
		{Name: "timestamp", Value: timestamppb.New(time.Unix(1_700_000_000, 5)), Equal: equal},
		{Name: "file", Value: file, Equal: equal},
	}
}

func TestConformance(t *testing.T) {
	codectest.RunExcept(t, protox.Codec{}, codectest.Exceptions{
		"truncated": "the first bytes of a message may be a message",
		"trailing":  "two messages in a row are one, merged",
	}, messages(t)...)
	codectest.Run(t, protox.JSON{}, messages(t)...)
}

func TestVTConformance(t *testing.T) {
	s := &stamp{}
	s.Seconds, s.Nanos = 1_700_000_000, 5
	codectest.RunExcept(t, protox.Codec{}, codectest.Exceptions{
		"truncated": "the first bytes of a message may be a message",
		"trailing":  "two messages in a row are one, merged",
	}, codectest.Case{Name: "stamp", Value: s, Equal: func(got, want any) bool {
		return proto.Equal(&got.(*stamp).Timestamp, &want.(*stamp).Timestamp)
	}})
}

// The methods of vtprotobuf are called where they are, give the bytes of the library,
// and leave nothing of the value before.
func TestVTMethodsAreCalled(t *testing.T) {
	c := protox.Codec{}
	s := &stamp{}
	s.Seconds, s.Nanos = 7, 8
	want, err := proto.Marshal(&s.Timestamp)
	if err != nil {
		t.Fatal(err)
	}
	var p codec.Pool
	for name, f := range map[string]func() ([]byte, error){
		"Marshal": func() ([]byte, error) { return c.Marshal(s) },
		"AppendMarshal": func() ([]byte, error) {
			b, err := c.AppendMarshal([]byte("x"), s)
			return bytes.TrimPrefix(b, []byte("x")), err
		},
		"MarshalPooled": func() ([]byte, error) { b, err := c.MarshalPooled(&p, s); return b.B, err },
	} {
		s.calls.Store(0)
		if b, err := f(); err != nil || !bytes.Equal(b, want) || s.calls.Load() != 1 {
			t.Errorf("%s: %q, %v, %d calls; want %q by one call", name, b, err, s.calls.Load(), want)
		}
	}
	s.calls.Store(0)
	if err := c.Unmarshal([]byte("\x10\x09"), s); err != nil || s.Seconds != 0 || s.Nanos != 9 || s.calls.Load() != 1 {
		t.Errorf("%v, %v, %d calls", &s.Timestamp, err, s.calls.Load())
	}
}

// Streams are those of package protodelim.
func TestStreamIsProtodelim(t *testing.T) {
	var ours, theirs bytes.Buffer
	m := durationpb.New(time.Hour)
	e := codec.Stream(protox.Codec{}, 1<<20).NewEncoder(&ours)
	for range 3 {
		if err := e.Encode(m); err != nil {
			t.Fatal(err)
		}
		if _, err := protodelim.MarshalTo(&theirs, m); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(ours.Bytes(), theirs.Bytes()) {
		t.Errorf("%q, want %q", ours.Bytes(), theirs.Bytes())
	}
}

func TestClasses(t *testing.T) {
	c, j := protox.Codec{}, protox.JSON{}
	second := func(_ []byte, err error) error { return err }
	var nobody *durationpb.Duration
	for _, k := range []struct {
		err  error
		want codec.Class
	}{
		{second(c.Marshal("text")), codec.ClassUnsupported},
		{second(c.MarshalStable("text")), codec.ClassUnsupported},
		{second(c.Marshal(nil)), codec.ClassType},
		{second(c.Marshal(nobody)), codec.ClassType},
		{second(c.Marshal(structpb.NewStringValue("\xff"))), codec.ClassSyntax},
		{c.Unmarshal(nil, new(string)), codec.ClassUnsupported},
		{c.Unmarshal(nil, nobody), codec.ClassType},
		{c.Unmarshal([]byte("\x08"), new(durationpb.Duration)), codec.ClassSyntax},
		{second(j.Marshal("text")), codec.ClassUnsupported},
		{second(j.Marshal(nobody)), codec.ClassType},
		{j.Unmarshal([]byte("{}"), new(string)), codec.ClassUnsupported},
		{j.Unmarshal([]byte("{}"), nil), codec.ClassType},
		{j.Unmarshal([]byte("{"), new(structpb.Struct)), codec.ClassSyntax},
	} {
		if got := codec.ClassOf(k.err); got != k.want {
			t.Errorf("%v, want %v: %v", got, k.want, k.err)
		}
	}
	if b, err := c.Marshal(new(durationpb.Duration)); b == nil || len(b) != 0 || err != nil {
		t.Errorf("an empty message: %#v, %v", b, err)
	}
}

func Example() {
	codecs := codec.NewRegistry(codec.FXJSON{}, protox.Codec{})
	if err := codec.SetTypeFor[durationpb.Duration](codecs, "protobuf"); err != nil {
		fmt.Println(err)
		return
	}
	m := durationpb.New(90 * time.Second)
	c, err := codecs.For(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal(m)
	fmt.Printf("%s %x %v\n", codec.MediaType(c), b, err)
	// Output:
	// application/protobuf 085a <nil>
}

func BenchmarkAppend(b *testing.B) {
	v := messages(b)[0].Value
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = codec.Append(protox.Codec{}, dst[:0], v); err != nil {
			b.Fatal(err)
		}
	}
}
