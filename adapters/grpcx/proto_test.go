package grpcx

import (
	"context"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/zmylab/zmy/adapters/grpcx/stub"
)

// Ticket is a plain struct that protobuf carries.
type Ticket struct {
	ID      string            `proto:"1"`
	Price   int64             `proto:"2,sint"`
	Tags    []string          `proto:"3"`
	Labels  map[string]string `proto:"4"`
	Created time.Time         `proto:"5"`
	Note    *string           `proto:"6"`
	Inner   *Ticket           `proto:"7"`
}

// ticketFile is the schema of Ticket for protobuf-go.
const ticketFile = `{"name":"ticket.proto","package":"test","syntax":"proto3","dependency":["google/protobuf/timestamp.proto"],"messageType":[{
	"name":"Ticket","field":[
		{"name":"id","number":1,"type":"TYPE_STRING","label":"LABEL_OPTIONAL"},
		{"name":"price","number":2,"type":"TYPE_SINT64","label":"LABEL_OPTIONAL"},
		{"name":"tags","number":3,"type":"TYPE_STRING","label":"LABEL_REPEATED"},
		{"name":"labels","number":4,"type":"TYPE_MESSAGE","typeName":".test.Ticket.LabelsEntry","label":"LABEL_REPEATED"},
		{"name":"created","number":5,"type":"TYPE_MESSAGE","typeName":".google.protobuf.Timestamp","label":"LABEL_OPTIONAL"},
		{"name":"note","number":6,"type":"TYPE_STRING","label":"LABEL_OPTIONAL","oneofIndex":0,"proto3Optional":true},
		{"name":"inner","number":7,"type":"TYPE_MESSAGE","typeName":".test.Ticket","label":"LABEL_OPTIONAL"}],
	"oneofDecl":[{"name":"_note"}],
	"nestedType":[{"name":"LabelsEntry","options":{"mapEntry":true},"field":[
		{"name":"key","number":1,"type":"TYPE_STRING","label":"LABEL_OPTIONAL"},
		{"name":"value","number":2,"type":"TYPE_STRING","label":"LABEL_OPTIONAL"}]}]}]}`

func ticketMessage(t testing.TB) protoreflect.MessageDescriptor {
	t.Helper()
	d := &descriptorpb.FileDescriptorProto{}
	if err := protojson.Unmarshal([]byte(ticketFile), d); err != nil {
		t.Fatal(err)
	}
	f, err := protodesc.NewFile(d, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	return f.Messages().Get(0)
}

func dynamic(t testing.TB, d protoreflect.MessageDescriptor, text string) *dynamicpb.Message {
	t.Helper()
	m := dynamicpb.NewMessage(d)
	if err := protojson.Unmarshal([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// office is a service of plain structs.
type office interface {
	Raise(context.Context, *Ticket) (*Ticket, error)
	List(context.Context, *Ticket) iter.Seq2[*Ticket, error]
	Sum(context.Context, iter.Seq2[*Ticket, error]) (*Ticket, error)
}

var officeDesc = grpc.ServiceDesc{ServiceName: "test.Office", HandlerType: (*office)(nil),
	Methods: []grpc.MethodDesc{stub.Unary("test.Office", "Raise", office.Raise)},
	Streams: []grpc.StreamDesc{stub.ServerStream("List", office.List), stub.ClientStream("Sum", office.Sum)},
}

type clerk struct{}

func (clerk) Raise(_ context.Context, in *Ticket) (*Ticket, error) {
	if in.ID == "" {
		return nil, status.Error(codes.InvalidArgument, "no ID")
	}
	out := *in
	out.Price++
	out.Inner = in
	return &out, nil
}

func (clerk) List(_ context.Context, in *Ticket) iter.Seq2[*Ticket, error] {
	return func(yield func(*Ticket, error) bool) {
		for i := range in.Price {
			if !yield(&Ticket{ID: fmt.Sprint(in.ID, i), Price: i}, nil) {
				return
			}
		}
	}
}

func (clerk) Sum(_ context.Context, in iter.Seq2[*Ticket, error]) (*Ticket, error) {
	out := &Ticket{ID: "sum"}
	for t, err := range in {
		if err != nil {
			return nil, err
		}
		out.Price += t.Price
		out.Tags = append(out.Tags, t.ID)
	}
	return out, nil
}

// registered is whether the program has registered plainProto in place of gRPC's own codec.
var registered = os.Getenv("ZMY_TEST_PROTO") != ""

// protoServer makes a server use plainProto if it is not registered.
func protoServer() []grpc.ServerOption {
	if registered {
		return nil
	}
	return []grpc.ServerOption{grpc.ForceServerCodecV2(plainProto)}
}

func registerOffice(s *grpc.Server) { s.RegisterService(&officeDesc, clerk{}) }

// TestProtoRegistered runs the tests of this file once more, in a process that has registered the
// codec: gRPC's table is one for the process, and other tests need its own codec.
func TestProtoRegistered(t *testing.T) {
	if registered {
		t.Skip("this is that process")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProto", "-test.v")
	cmd.Env = append(os.Environ(), "ZMY_TEST_PROTO=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestProtoMeasured") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestProtoMeasured: a registered codec measures plain structs and dynamic messages.
func TestProtoMeasured(t *testing.T) {
	if !registered {
		t.Skip("TestProtoRegistered runs it")
	}
	m, d := new(Metrics), ticketMessage(t)
	tel := NewTelemetry(WithMetrics(m))
	cc := serve(t, func(s *grpc.Server) { tel.Registrar(s).RegisterService(&officeDesc, clerk{}) }, nil,
		grpc.WithUnaryInterceptor(tel.UnaryClientInterceptor()))
	out := dynamicpb.NewMessage(d)
	if err := cc.Invoke(t.Context(), "/test.Office/Raise", dynamic(t, d, `{"id":"a"}`), out); err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, row := range m.Snapshot() {
		if row.Codec == "proto" && row.Count == 1 {
			calls++
		}
	}
	if calls != 4 {
		t.Errorf("%d of 4 sides measured: %+v", calls, m.Snapshot())
	}
}

// TestProto calls a service of plain structs with dynamic messages, which gRPC's own codec marshals.
func TestProto(t *testing.T) {
	d := ticketMessage(t)
	cc := serve(t, registerOffice, protoServer(), grpc.WithDefaultCallOptions(grpc.ForceCodecV2(ownProto)))
	for _, size := range []int{1, 5000, 3 << 20} {
		text := `{"id":"a","price":"-5","tags":["x","%s"],"labels":{"k":"v"},"created":"2026-01-02T03:04:05Z","note":""}`
		in := dynamic(t, d, fmt.Sprintf(text, strings.Repeat("y", size)))
		want := proto.Clone(in).(*dynamicpb.Message)
		want.Set(d.Fields().ByName("price"), protoreflect.ValueOfInt64(-4))
		want.Set(d.Fields().ByName("inner"), protoreflect.ValueOfMessage(in))
		if size > 1<<20 { // twice that is more than gRPC takes by default
			want, in = dynamic(t, d, `{}`), dynamic(t, d, fmt.Sprintf(`{"tags":["%s"]}`, strings.Repeat("y", size)))
		}
		got := dynamicpb.NewMessage(d)
		err := cc.Invoke(t.Context(), "/test.Office/Raise", in, got)
		switch {
		case size > 1<<20:
			if status.Code(err) != codes.InvalidArgument {
				t.Errorf("error %v", err)
			}
		case err != nil || !proto.Equal(got, want):
			t.Errorf("%v: %v, want %v", err, got, want)
		}
	}
	s, err := cc.NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true}, "/test.Office/List")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SendMsg(dynamic(t, d, `{"id":"n","price":"3"}`)); err != nil {
		t.Fatal(err)
	}
	if err := s.CloseSend(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"id":"n0"}`, `{"id":"n1","price":"1"}`, `{"id":"n2","price":"2"}`} {
		got := dynamicpb.NewMessage(d)
		if err := s.RecvMsg(got); err != nil || !proto.Equal(got, dynamic(t, d, text)) {
			t.Errorf("%v: %v, want %s", err, got, text)
		}
	}
	for s.RecvMsg(dynamicpb.NewMessage(d)) == nil {
		t.Error("a fourth message")
	}
	protoPool.balanced(t)
}

// TestProtoClient calls the service with plain structs, and with both codecs on the server.
func TestProtoClient(t *testing.T) {
	var client []grpc.DialOption
	if !registered {
		client = append(client, grpc.WithDefaultCallOptions(grpc.ForceCodecV2(plainProto)))
	}
	cc := serve(t, registerOffice, protoServer(), client...)
	note := "n"
	in := &Ticket{ID: "a", Price: 1, Note: &note, Labels: map[string]string{"k": "v"}, Created: time.Unix(1, 2).UTC()}
	out, err := stub.Call[Ticket, Ticket](t.Context(), cc, "/test.Office/Raise", in, nil)
	if err != nil || out.Price != 2 || out.Inner.ID != "a" || *out.Note != "n" || !out.Created.Equal(in.Created) {
		t.Errorf("%v: %+v", err, out)
	}
	sum, err := stub.CallClientStream[Ticket, Ticket](t.Context(), cc, "/test.Office/Sum", repeat(3, in), nil)
	if err != nil || sum.Price != 3 || len(sum.Tags) != 3 {
		t.Errorf("%v: %+v", err, sum)
	}
	_, err = stub.Call[struct{ C chan int }, Ticket](t.Context(), cc, "/test.Office/Raise", nil, nil)
	if status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "fxproto") {
		t.Errorf("error %v", err)
	}
	protoPool.balanced(t)
}

// TestProtoMessages: messages of protobuf-go have the bytes that gRPC's own codec gives them.
func TestProtoMessages(t *testing.T) {
	for _, size := range []int{0, 10, 4000} {
		m, err := structpb.NewStruct(map[string]any{"text": strings.Repeat("x", size)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := plainProto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ownProto.Marshal(m)
		if err != nil || string(got.Materialize()) != string(want.Materialize()) {
			t.Errorf("%v: %x, want %x", err, got.Materialize(), want.Materialize())
		}
		back := &structpb.Struct{}
		if err := plainProto.Unmarshal(mem.BufferSlice{mem.SliceBuffer(want.Materialize())}, back); err != nil || !proto.Equal(back, m) {
			t.Errorf("%v: %v", err, back)
		}
		got.Free()
		want.Free()
	}
	protoPool.balanced(t)
}
