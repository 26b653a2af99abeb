package describe_test

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/grpc"

	"github.com/zmylab/zmy/adapters/grpcx/describe"
	"github.com/zmylab/zmy/adapters/grpcx/stub"
	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/fxproto/protort"
)

// Event has wrappers, values of any content, messages of any type, and an interface with the arms of a
// oneof.
type Event struct {
	Retries *uint32           `proto:"1,wrapper"`
	Names   []string          `proto:"2,wrapper"`
	Sizes   map[string]int64  `proto:"3,val:wrapper"`
	Data    any               `proto:"4"`
	Attrs   map[string]any    `proto:"5"`
	Rows    []any             `proto:"6"`
	More    map[string]any    `proto:"7,oneof:extra"`
	Flag    *bool             `proto:"8,oneof:extra,wrapper"`
	Detail  fxproto.Any       `proto:"9"`
	Causes  []fxproto.Any     `proto:"10"`
	By      map[int32]*Caller `proto:"11"`
	Origin  Origin            `proto:"oneof"`
	Level   *int32            `proto:"16"`
}

// Origin is a Caller, a Cron or a Queue.
type Origin interface{ isOrigin() }

// The arms of Origin.
type (
	Caller struct {
		Name string `proto:"1"`
	}
	Cron struct {
		Spec string `proto:"13,oneof"`
	}
	Queue struct {
		Offset *Part `proto:"14,oneof,name:queue_offset"`
	}
)

func (*Caller) isOrigin() {}
func (Cron) isOrigin()    {}
func (Queue) isOrigin()   {}

func init() {
	protort.Oneof[Origin](protort.OneofArm[Caller](12), protort.OneofArm[Cron](0), protort.OneofArm[Queue](0))
}

type Log interface {
	Add(context.Context, *Event) (*fxproto.Any, error)
}

func logDesc() *grpc.ServiceDesc {
	return &grpc.ServiceDesc{ServiceName: "acme.log.Log", HandlerType: (*Log)(nil),
		Methods: []grpc.MethodDesc{stub.Unary("acme.log.Log", "Add", Log.Add)}}
}

// eventJSON is an event with the given arm of Origin.
func eventJSON(arm string) string {
	return `{"retries":0,"names":["a",""],"sizes":{"x":"1"},"data":[null,{"a":1.5}],"attrs":{"b":true},"rows":["c"],"flag":false,` +
		`"detail":{"@type":"t/google.protobuf.Duration","value":"1s"},"causes":[{}],"by":{"2":{"name":"n"}},"level":0,` + arm + `}`
}

// TestKnown checks what the descriptor of an Event declares and imports.
func TestKnown(t *testing.T) {
	f, err := describe.File("acme.log", logDesc())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"google/protobuf/any.proto", "google/protobuf/struct.proto", "google/protobuf/wrappers.proto"}
	if !slices.Equal(f.GetDependency(), want) {
		t.Errorf("imports %q, want %q", f.GetDependency(), want)
	}
	if out := f.GetService()[0].GetMethod()[0].GetOutputType(); out != ".google.protobuf.Any" {
		t.Errorf("output %s", out)
	}
	var oneofs []string
	for _, o := range f.GetMessageType()[0].GetOneofDecl() {
		oneofs = append(oneofs, o.GetName())
	}
	if want := []string{"extra", "origin", "_level"}; !slices.Equal(oneofs, want) {
		t.Errorf("oneofs %q, want %q", oneofs, want)
	}
	for _, m := range f.GetMessageType() {
		if m.GetName() == "Any" || m.GetName() == "Cron" {
			t.Errorf("message %s is declared", m.GetName())
		}
	}
}
