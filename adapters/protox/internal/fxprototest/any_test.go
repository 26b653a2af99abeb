package fxprototest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/internal/pbreflect"
)

// anyTypes has the Go types of messages in an Any, by full name.
var anyTypes = map[string]reflect.Type{
	"fxprototest.v1.Scalars": reflect.TypeFor[Scalars](), "fxprototest.v1.Pointers": reflect.TypeFor[Pointers](),
	"fxprototest.v1.Texts": reflect.TypeFor[Texts](), "fxprototest.v1.Wrapped": reflect.TypeFor[Wrapped](),
	"fxprototest.v1.Empty": reflect.TypeFor[Empty](), "fxprototest.v1.Anys": reflect.TypeFor[Anys](),
	"google.protobuf.Any": reflect.TypeFor[fxproto.Any](), "google.protobuf.Timestamp": reflect.TypeFor[time.Time](),
	"google.protobuf.Duration": reflect.TypeFor[time.Duration](), "google.protobuf.Struct": reflect.TypeFor[map[string]any](),
	"google.protobuf.Value": reflect.TypeFor[any](), "google.protobuf.ListValue": reflect.TypeFor[[]any](),
	"google.protobuf.StringValue": reflect.TypeFor[string](), "google.protobuf.Int64Value": reflect.TypeFor[int64](),
	"google.protobuf.BytesValue": reflect.TypeFor[[]byte](), "google.protobuf.FloatValue": reflect.TypeFor[float32](),
}

// anyNames has some of their names, for random values.
var anyNames = []string{"fxprototest.v1.Scalars", "fxprototest.v1.Pointers", "fxprototest.v1.Texts", "fxprototest.v1.Wrapped",
	"google.protobuf.Any", "google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.Int64Value", "google.protobuf.Duration"}

// resolveOurs is the Resolver of package fxjson/protojson.
func resolveOurs(url string) (reflect.Type, error) {
	if t := anyTypes[url[strings.LastIndexByte(url, '/')+1:]]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("no type %q", url)
}

// resolver is the Resolver of protobuf-go's protojson. It has the messages of file and of google.protobuf.
type resolver struct {
	*protoregistry.Types
	file protoreflect.FileDescriptor
}

func (r resolver) FindMessageByURL(url string) (protoreflect.MessageType, error) {
	name := protoreflect.FullName(url[strings.LastIndexByte(url, '/')+1:])
	if anyTypes[string(name)] == nil {
		return nil, protoregistry.NotFound
	}
	if d := r.file.Messages().ByName(name.Name()); d != nil && d.FullName() == name {
		return dynamicpb.NewMessageType(d), nil
	}
	return r.Types.FindMessageByURL(url)
}

func resolverOf(s *schema) resolver { return resolver{protoregistry.GlobalTypes, s.desc.ParentFile()} }

// any returns an Any of a type that is known, most of the time.
func (r filler) any(depth int) fxproto.Any {
	if depth < 0 {
		return fxproto.Any{}
	}
	name := anyNames[r.IntN(len(anyNames))]
	var b []byte
	switch t := anyTypes[name]; {
	case r.IntN(10) == 0:
		return fxproto.Any{TypeURL: texts[r.IntN(len(texts))], Value: []byte(texts[1+r.IntN(len(texts)-1)])}
	case r.IntN(10) == 0:
		return fxproto.Any{}
	case t.Kind() == reflect.Struct:
		plan, problems := pbreflect.Types(t)
		if len(problems) > 0 {
			panic(problems[0].String())
		}
		v := reflect.New(t)
		r.message(plan.Root, v.Elem(), depth-1)
		var err error
		if b, err = ours.Marshal(v.Interface()); err != nil {
			panic(err)
		}
	case name == "google.protobuf.Int64Value":
		b = protowire.AppendVarint([]byte{8}, r.bits())
	case name == "google.protobuf.Value":
		b = []byte("\x1a\x01a")
	}
	if len(b) == 0 {
		b = nil // as decoders do
	}
	return fxproto.Any{TypeURL: "type.googleapis.com/" + name, Value: b}
}

// TestAnyValues compares documents with the messages of google.protobuf in an Any.
func TestAnyValues(t *testing.T) {
	s := exported(t, protoFile(t), reflect.TypeFor[Anys]())
	forms := []string{`{"@type":"x/NAME","value":PIECE}`, `{"value":PIECE,"@type":"x/NAME"}`, `{"@type":"x/NAME","value":PIECE,"a":1}`,
		`{"@type":"x/NAME","s":PIECE}`, `{"@type":"x/NAME","value":PIECE,"value":1}`, `{"@type":"x/NAME","@type":PIECE}`,
		`{"@type":PIECE}`, `{"value":PIECE}`, `{"@type":"x/NAME"}`}
	accepted := 0
	for name := range anyTypes {
		for _, piece := range append(pieces, `{"@type":"a"}`, `{"@type":"x/google.protobuf.Any","value":{}}`, `"a b"`, `{"a":[1,{}]}`) {
			for _, form := range forms {
				doc := strings.NewReplacer("NAME", name, "PIECE", piece).Replace(form)
				if s.compareDocument(t, []byte(`{"v":`+doc+`}`)) {
					accepted++
				}
			}
		}
	}
	if accepted < 100 {
		t.Errorf("%d documents accepted: too few to compare", accepted)
	}
}
