package describe_test

import (
	"context"
	"iter"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	v1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/zmylab/zmy/adapters/grpcx"
	"github.com/zmylab/zmy/adapters/grpcx/describe"
	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/fxproto"
)

type State int32

func (State) ProtoValues() map[string]int32 {
	return map[string]int32{"STATE_OPEN": 1, "STATE_SHUT": 2, "STATE_CLOSED": 2, "STATE_LOST": -1}
}

// Other has the value of another enum, so that it is described as an integer.
type Other int32

func (Other) ProtoValues() map[string]int32 { return map[string]int32{"STATE_OPEN": 0} }

type Page[T any] struct {
	Items []T `proto:"1"`
}

type Part struct {
	Name string `proto:"1"`
}

type Ticket struct {
	TicketID string           `proto:"1" json:"ticket"`
	State    State            `proto:"2"`
	Other    Other            `proto:"3"`
	Created  time.Time        `proto:"4"`
	Took     *time.Duration   `proto:"5"`
	Note     *string          `proto:"6"`
	Codes    []int32          `proto:"7,unpacked,sint"`
	Sizes    map[string]int64 `proto:"8,val:fixed"`
	Parts    map[int32]Part   `proto:"9"`
	Text     *string          `proto:"10,oneof:kind"`
	Part     *Part            `proto:"11,oneof:kind"`
	Place    struct {
		Street string `proto:"1"`
		Inner  struct {
			N int32 `proto:"1"`
		} `proto:"2"`
	} `proto:"12"`
	Page   Page[Part] `proto:"13"`
	Parent *Ticket    `proto:"14"`
	Digest [2]byte    `proto:"15"`
}

// Old needs an edition.
type Old struct {
	Group *Part    `proto:"1,group"`
	Raw   string   `proto:"2,raw"`
	Opt   *int32   `proto:"3"`
	Many  []uint32 `proto:"4,unpacked"`
	Texts []string `proto:"5,raw"`
}

type Office interface {
	Raise(context.Context, *Ticket) (*Ticket, error)
	List(context.Context, *Part) iter.Seq2[*Ticket, error]
	Sum(context.Context, iter.Seq2[*Ticket, error]) (*Part, error)
}

func officeDesc() *grpc.ServiceDesc {
	return &grpc.ServiceDesc{ServiceName: "acme.office.Office", HandlerType: (*Office)(nil),
		Methods: []grpc.MethodDesc{stub.Unary("acme.office.Office", "Raise", Office.Raise)},
		Streams: []grpc.StreamDesc{stub.ServerStream("List", Office.List), stub.ClientStream("Sum", Office.Sum)}}
}

type Archive interface {
	Find(context.Context, *Old) (*Old, error)
}

func archiveDesc() *grpc.ServiceDesc {
	return &grpc.ServiceDesc{ServiceName: "acme.archive.Archive", HandlerType: (*Archive)(nil),
		Methods: []grpc.MethodDesc{stub.Unary("acme.archive.Archive", "Find", Archive.Find)}}
}

type clerk struct{}

func (clerk) Raise(_ context.Context, in *Ticket) (*Ticket, error)          { return in, nil }
func (clerk) List(context.Context, *Part) iter.Seq2[*Ticket, error]         { return nil }
func (clerk) Sum(context.Context, iter.Seq2[*Ticket, error]) (*Part, error) { return nil, nil }
func (clerk) Find(_ context.Context, in *Old) (*Old, error)                 { return in, nil }

const ticketJSON = `{"ticket":"a","state":"STATE_SHUT","other":3,"created":"2026-01-02T03:04:05Z","took":"1.500s","note":"","codes":[1,-2],` +
	`"sizes":{"a":"1"},"parts":{"1":{"name":"x"}},"part":{},"place":{"street":"s","inner":{"n":1}},` +
	`"page":{"items":[{"name":"y"}]},"parent":{},"digest":"AQI="}`

// TestReflection asks a server for its services, and calls one with the descriptors that it answers.
func TestReflection(t *testing.T) {
	l := bufconn.Listen(1 << 16)
	server := grpc.NewServer(grpc.ForceServerCodecV2(grpcx.Proto()))
	var services describe.Services
	services.Registrar(server).RegisterService(officeDesc(), clerk{})
	services.Registrar(server).RegisterService(archiveDesc(), clerk{})
	healthpb.RegisterHealthServer(services.Registrar(server), health.NewServer())
	if err := services.Serve(server); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	cc, err := grpc.NewClient("passthrough:///pipe", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return l.Dial() }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cc.Close(); err != nil {
			t.Error(err)
		}
	})
	stream, err := v1.NewServerReflectionClient(cc).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(q *v1.ServerReflectionRequest) *v1.ServerReflectionResponse {
		t.Helper()
		if err := stream.Send(q); err != nil {
			t.Fatal(err)
		}
		res, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	list := ask(&v1.ServerReflectionRequest{MessageRequest: &v1.ServerReflectionRequest_ListServices{}}).String()
	for _, want := range []string{"acme.office.Office", "acme.archive.Archive", "grpc.health.v1.Health"} {
		if !strings.Contains(list, want) {
			t.Errorf("no service %s in %s", want, list)
		}
	}
	for symbol, text := range map[string]string{"acme.office.Office.Raise": ticketJSON,
		"acme.archive.Archive.Find": `{"group":{"name":"g"},"raw":"r","opt":0,"many":[1,2]}`} {
		res := ask(&v1.ServerReflectionRequest{MessageRequest: &v1.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: symbol}})
		set := &descriptorpb.FileDescriptorSet{}
		for _, b := range res.GetFileDescriptorResponse().GetFileDescriptorProto() {
			f := &descriptorpb.FileDescriptorProto{}
			if err := proto.Unmarshal(b, f); err != nil {
				t.Fatal(err)
			}
			set.File = append(set.File, f)
		}
		files, err := protodesc.NewFiles(set)
		if err != nil {
			t.Fatal(err)
		}
		found, err := files.FindDescriptorByName(protoreflect.FullName(symbol))
		if err != nil {
			t.Fatal(err)
		}
		method := found.(protoreflect.MethodDescriptor)
		in, out := dynamicpb.NewMessage(method.Input()), dynamicpb.NewMessage(method.Output())
		if err := protojson.Unmarshal([]byte(text), in); err != nil {
			t.Fatal(err)
		}
		name := "/" + string(method.Parent().FullName()) + "/" + string(method.Name())
		if err := cc.Invoke(t.Context(), name, in, out); err != nil || !proto.Equal(in, out) {
			t.Errorf("%s: %v: %v, want %v", name, err, out, in)
		}
	}
	if _, err := healthpb.NewHealthClient(cc).Check(t.Context(), &healthpb.HealthCheckRequest{}); err != nil {
		t.Error(err)
	}
}

// TestFile compares what the descriptors say with what fxproto does.
func TestFile(t *testing.T) {
	for _, c := range []struct {
		desc   *grpc.ServiceDesc
		text   string
		value  any
		syntax protoreflect.Syntax
	}{
		{officeDesc(), ticketJSON, new(Ticket), protoreflect.Proto3},
		{archiveDesc(), `{"group":{},"raw":"","opt":0,"many":[1,2],"texts":["a"]}`, new(Old), protoreflect.Editions},
		{logDesc(), eventJSON(`"caller":{"name":"c"}`), new(Event), protoreflect.Proto3},
		{logDesc(), eventJSON(`"spec":"* *"`), new(Event), protoreflect.Proto3},
		{logDesc(), eventJSON(`"queueOffset":{}`), new(Event), protoreflect.Proto3},
		{logDesc(), `{"more":{}}`, new(Event), protoreflect.Proto3},
	} {
		d, err := describe.File(c.desc.ServiceName[:strings.LastIndexByte(c.desc.ServiceName, '.')], c.desc)
		if err != nil {
			t.Fatal(err)
		}
		f, err := protodesc.NewFile(d, protoregistry.GlobalFiles)
		if err != nil {
			t.Fatal(err)
		}
		if f.Syntax() != c.syntax {
			t.Errorf("syntax %v, want %v", f.Syntax(), c.syntax)
		}
		m := dynamicpb.NewMessage(f.Services().Get(0).Methods().Get(0).Input())
		if err := protojson.Unmarshal([]byte(c.text), m); err != nil {
			t.Fatal(err)
		}
		want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := fxproto.Unmarshal(want, c.value); err != nil {
			t.Fatal(err)
		}
		got, err := fxproto.MarshalOptions{Deterministic: true}.Marshal(c.value)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %x, want %x", err, got, want)
		}
	}
	f := &descriptorpb.FileDescriptorProto{}
	if d, err := describe.File("acme.office", officeDesc()); err == nil {
		f = d
	}
	streams := f.GetService()[0].GetMethod()
	if streams[1].GetClientStreaming() || !streams[1].GetServerStreaming() ||
		!streams[2].GetClientStreaming() || streams[2].GetServerStreaming() {
		t.Errorf("%v", streams)
	}
	if names := f.GetEnumType()[0].String(); len(f.GetEnumType()) != 1 || !strings.Contains(names, "STATE_UNSPECIFIED") {
		t.Errorf("%v", f.GetEnumType())
	}
}

func TestErrors(t *testing.T) {
	type bad interface {
		A(context.Context, *struct{ C chan int }) (*Part, error)
		B(int) error
		C(context.Context, Part) (*Part, error)
	}
	of := func(method string) *grpc.ServiceDesc {
		return &grpc.ServiceDesc{ServiceName: "x.Y", HandlerType: (*bad)(nil), Methods: []grpc.MethodDesc{{MethodName: method}}}
	}
	for _, c := range []struct {
		desc *grpc.ServiceDesc
		want string
	}{
		{&grpc.ServiceDesc{ServiceName: "x.Y"}, "describe: service x.Y: HandlerType is no pointer to an interface"},
		{of("A"), "method A: struct { C chan int }"},
		{of("B"), "method B is not of a form"},
		{of("C"), "describe_test.Part is no message"},
		{of("D"), "has no method D; give the Go method"},
	} {
		if _, err := describe.File("x", c.desc); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		var s describe.Services
		s.Registrar(none{}).RegisterService(c.desc, nil)
		if err := s.Serve(grpc.NewServer()); err == nil {
			t.Errorf("%s is served", c.want)
		}
	}
}

type none struct{}

func (none) RegisterService(*grpc.ServiceDesc, any) {}
