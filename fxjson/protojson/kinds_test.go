package protojson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxjson/protojson"
	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/fxproto/protort"
)

type (
	// Event has fields of every kind that is a message of google.protobuf.
	Event struct {
		Source  Source           `proto:"oneof"`
		Retries *uint64          `proto:"1,wrapper"`
		Blobs   [][]byte         `proto:"2,wrapper"`
		Data    any              `proto:"3"`
		Attrs   map[string]any   `proto:"4"`
		Rows    []any            `proto:"5"`
		Detail  fxproto.Any      `proto:"6"`
		Slots   map[int32]any    `proto:"7"`
		Sub     *Event           `proto:"8"`
		Raw     []byte           `proto:"9,wrapper"`
		Lists   []map[string]any `proto:"10"`
		Any     *fxproto.Any     `proto:"11,oneof:extra"`
		Map     map[string]any   `proto:"12,oneof:extra"`
	}
	Source interface{ isSource() }
	Host   struct {
		Name string `proto:"21,oneof,name:host_name"`
	}
	Anything struct {
		X any `proto:"22,oneof"`
	}
	Loop struct {
		E *Event `proto:"1"`
	}
	Stray struct{ Host }
	// Late has an interface whose arms are not known at first.
	Late struct {
		K late `proto:"oneof"`
	}
	late    interface{ isLate() }
	lateArm struct {
		N int32 `proto:"1,oneof"`
	}
)

func (Host) isSource()     {}
func (Anything) isSource() {}
func (*Loop) isSource()    {}
func (lateArm) isLate()    {}

func init() {
	protort.Oneof[Source](protort.OneofArm[Host](0), protort.OneofArm[Anything](0), protort.OneofArm[Loop](23))
}

func resolve(url string) (reflect.Type, error) {
	switch url {
	case "t/Shape":
		return reflect.TypeFor[Shape](), nil
	case "t/Duration":
		return reflect.TypeFor[time.Duration](), nil
	case "t/Value":
		return reflect.TypeFor[any](), nil
	case "t/Any":
		return reflect.TypeFor[fxproto.Any](), nil
	case "t/Bytes":
		return reflect.TypeFor[[]byte](), nil
	case "t/nil":
		return nil, nil
	case "t/chan":
		return reflect.TypeFor[chan int](), nil
	}
	return nil, errors.New("not registered")
}

func TestKinds(t *testing.T) {
	for doc, want := range map[string]*Event{
		`{"hostName":""}`:                     {Source: Host{}},
		`{"x":null}`:                          {Source: Anything{}},
		`{"x":[1]}`:                           {Source: Anything{[]any{1.0}}},
		`{"loop":{"e":{"loop":{}}}}`:          {Source: &Loop{&Event{Source: &Loop{}}}},
		`{"retries":"0","blobs":["","AQ=="]}`: {Retries: ptr(uint64(0)), Blobs: [][]byte{{}, {1}}},
		`{"data":{"a":[null,true,false,"s",-1.5,{}],"b":[]}}`: {Data: map[string]any{"a": []any{nil, true, false, "s", -1.5,
			map[string]any{}}, "b": []any{}}},
		`{"attrs":{},"rows":[],"slots":{"1":null,"2":"x"}}`: {Attrs: map[string]any{}, Rows: []any{}, Slots: map[int32]any{1: nil, 2: "x"}},
		`{"raw":"","lists":[{"k":1e+21}]}`:                  {Raw: []byte{}, Lists: []map[string]any{{"k": 1e21}}},
		`{"any":{}}`:                                        {Any: &fxproto.Any{}},
		`{"map":{}}`:                                        {Map: map[string]any{}},
		`{"detail":{"@type":"t/Shape","label":"a"}}`:        {Detail: fxproto.Any{TypeURL: "t/Shape", Value: []byte("\x32\x01a")}},
		`{"detail":{"@type":"t/Shape"}}`:                    {Detail: fxproto.Any{TypeURL: "t/Shape"}},
		`{"detail":{"@type":"t/Duration","value":"1s"}}`:    {Detail: fxproto.Any{TypeURL: "t/Duration", Value: []byte("\x08\x01")}},
		`{"detail":{"@type":"t/Value","value":null}}`:       {Detail: fxproto.Any{TypeURL: "t/Value", Value: []byte("\x08\x00")}},
		`{"detail":{"@type":"t/Bytes","value":""}}`:         {Detail: fxproto.Any{TypeURL: "t/Bytes"}},
		`{"detail":{"@type":"t/Any","value":{"@type":"t/Value","value":true}}}`: {Detail: fxproto.Any{TypeURL: "t/Any",
			Value: []byte("\x0a\x07t/Value\x12\x02\x20\x01")}},
	} {
		got := new(Event)
		if err := (protojson.UnmarshalOptions{Resolver: resolve}).Unmarshal([]byte(doc), got); err != nil {
			t.Errorf("%s: %v", doc, err)
		}
		if len(got.Detail.Value) == 0 {
			got.Detail.Value = nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", doc, got, want)
		}
		if b, err := (protojson.MarshalOptions{Resolver: resolve}).Marshal(want); err != nil || string(b) != doc {
			t.Errorf("%v: %s, want %s", err, b, doc)
		}
	}
	for want, v := range map[string]*Event{
		`{}`: {Source: (*Loop)(nil)}, `{"hostName":"h"}`: {Source: &Host{"h"}},
		`{"data":3,"rows":[1.5,2]}`: {Data: json.Number("3"), Rows: []any{float32(1.5), uint8(2)}},
	} {
		if b, err := protojson.Marshal(v); err != nil || string(b) != want {
			t.Errorf("%v: %s, want %s", err, b, want)
		}
	}
	const all = `{"retries":null,"blobs":[],"data":null,"attrs":null,"rows":null,"detail":null,"slots":{},"sub":null,"raw":null,"lists":[]}`
	if b, err := (protojson.MarshalOptions{EmitUnpopulated: true}).Marshal(&Event{}); err != nil || string(b) != all {
		t.Errorf("%v: %s", err, b)
	}
}

func TestKindErrors(t *testing.T) {
	for doc, want := range map[string]string{
		`{"hostName":"","x":1}`:                          "Event.Source: two fields of a oneof are set at offset 15",
		`{"x":null,"loop":{}}`:                           "Event.Source: two fields of a oneof are set at offset 10",
		`{"hostName":1}`:                                 "Event.Source: value does not fit at offset 12 (1 is no string)",
		`{"attrs":[]}`:                                   "Event.Attrs: not JSON at offset 9 (want an object, have '[')",
		`{"rows":{}}`:                                    "Event.Rows: not JSON at offset 8 (want an array, have '{')",
		`{"rows":[1,{"a":1,"a":2}]}`:                     `Event.Rows[1]: field or key occurs twice at offset 18 (key "a")`,
		`{"attrs":{"a":[tru]}}`:                          "Event.Attrs[a][0]: not JSON at offset 15",
		`{"data":1e400}`:                                 "Event.Data",
		`{"data":"\ud83d"}`:                              "half of a surrogate pair",
		`{"blobs":[null]}`:                               "Event.Blobs[0]: value does not fit",
		`{"detail":{"value":1}}`:                         "Detail: google.protobuf.Any cannot be resolved at offset 10 (it has no member @type)",
		`{"detail":{"@type":""}}`:                        "(@type is empty)",
		`{"detail":{"@type":1}}`:                         "want a string, have '1'",
		`{"detail":{"@type":"x"}}`:                       `google.protobuf.Any cannot be resolved at offset 19 ("x": not registered)`,
		`{"detail":{"@type":"t/nil"}}`:                   "the Resolver returns no type",
		`{"detail":{"@type":"t/chan"}}`:                  `"t/chan": chan int: chan int has no form in protobuf`,
		`{"detail":{"@type":"t/Value"}}`:                 "(it has no member value)",
		`{"detail":{"@type":"t/Bytes","value":null}}`:    "Event.Detail.Value: value does not fit at offset 37 (null is no bytes)",
		`{"detail":{"@type":"t/Value","value":1,"x":1}}`: "no such field",
		`{"detail":{"label":"","@type":"t/Shape","@type":"t/Shape"}}`: "Event.Detail: field or key occurs twice at offset 40",
		`{"detail":{"@type":"t/Shape","label":1}}`:                    "Event.Detail.Name: value does not fit",
		`{"detail":[]}`: "Event.Detail: not JSON at offset 10 (want an object, have '[')",
	} {
		err := (protojson.UnmarshalOptions{Resolver: resolve}).Unmarshal([]byte(doc), new(Event))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", doc, err, want)
		}
	}
	full := fxproto.Any{TypeURL: "t/Shape"}
	if err := protojson.Unmarshal([]byte(`{"detail":{"@type":"t/Shape"}}`), new(Event)); !errors.Is(err, protojson.ErrAny) ||
		!strings.Contains(err.Error(), "set option Resolver") {
		t.Error(err)
	}
	loop := &Loop{E: &Event{}}
	loop.E.Source = loop
	list := []any{nil}
	list[0] = list
	for _, c := range []struct {
		v    *Event
		want error
		text string
	}{
		{&Event{Detail: full}, protojson.ErrAny, `Event.Detail: google.protobuf.Any cannot be resolved ("t/Shape"; set option Resolver)`},
		{&Event{Detail: fxproto.Any{Value: []byte{1}}}, protojson.ErrAny, "TypeURL is empty"},
		{&Event{Source: Stray{}}, protojson.ErrArm, "Event.Source: type is no arm of the oneof (protojson_test.Stray)"},
		{loop.E, protojson.ErrDepth, ""},
		{&Event{Rows: list}, protojson.ErrDepth, "does the value contain itself?"},
		{&Event{Data: math.NaN()}, protojson.ErrValue, "Event.Data: value does not fit (JSON has no number NaN)"},
		{&Event{Attrs: map[string]any{"a": []any{1i}}}, protojson.ErrValue, "Event.Attrs[a][0]: value does not fit (complex128; use nil"},
		{&Event{Data: map[string]any{"\xff": 1}}, protojson.ErrUTF8, "Event.Data.key"},
		{&Event{Any: &fxproto.Any{}, Map: map[string]any{}}, protojson.ErrOneof, "(Any and Map; set one of them to nil)"},
	} {
		if _, err := protojson.Marshal(c.v); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v, want %s", err, c.text)
		}
	}
	broken := &Event{Detail: fxproto.Any{TypeURL: "t/Shape", Value: []byte{8}}}
	if _, err := (protojson.MarshalOptions{Resolver: resolve}).Marshal(broken); !errors.Is(err, protojson.ErrAny) {
		t.Error(err)
	}
}

// TestKindLimits finds the least limits with which documents are accepted.
func TestKindLimits(t *testing.T) {
	size := int64(reflect.TypeFor[Event]().Size())
	shape := int64(reflect.TypeFor[Shape]().Size())
	for _, c := range []struct {
		doc    string
		depth  int
		memory int64
	}{
		{`{"hostName":"h"}`, 1, 16},
		{`{"loop":{}}`, 2, 8},
		{`{"loop":{"e":{}}}`, 3, 8 + size},
		{`{"data":1}`, 2, 16},
		{`{"data":[[],"a"]}`, 3, 32 + 32 + 32 + 32 + 16},
		{`{"attrs":{"a":null,"b":{}}}`, 3, 64 + 328 + 83 + 64},
		{`{"detail":{"@type":"t/Shape","level":1}}`, 3, shape + 2},
		{`{"detail":{"level":1,"@type":"t/Shape"}}`, 3, shape + 2 + 10},
	} {
		o := protojson.UnmarshalOptions{Resolver: resolve, MaxDepth: c.depth, MaxMemory: c.memory}
		if err := o.Unmarshal([]byte(c.doc), new(Event)); err != nil {
			t.Errorf("%s: %v", c.doc, err)
		}
		if o.MaxMemory--; o.MaxMemory > 0 {
			if err := o.Unmarshal([]byte(c.doc), new(Event)); !errors.Is(err, protojson.ErrMemory) {
				t.Errorf("%s with %d bytes: %v", c.doc, o.MaxMemory, err)
			}
		}
		o.MaxMemory = 0
		if o.MaxDepth--; o.MaxDepth > 0 {
			if err := o.Unmarshal([]byte(c.doc), new(Event)); !errors.Is(err, protojson.ErrDepth) {
				t.Errorf("%s with %d levels: %v", c.doc, o.MaxDepth, err)
			}
		}
	}
}

// TestNested: an Any within an Any, and so on, takes no more than its budget.
func TestNested(t *testing.T) {
	const levels = 4000
	doc := strings.Repeat(`{"value":`, levels) + `{}` + strings.Repeat(`,"@type":"t/Any"}`, levels)
	o := protojson.UnmarshalOptions{Resolver: resolve}
	if err := o.Unmarshal([]byte(doc), new(fxproto.Any)); !errors.Is(err, protojson.ErrMemory) {
		t.Errorf("%.200v", err)
	}
	x := fxproto.Any{}
	for range levels {
		b, err := fxproto.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		x = fxproto.Any{TypeURL: "t/Any", Value: b}
	}
	b, err := protojson.MarshalOptions{Resolver: resolve}.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	var back fxproto.Any
	if err := o.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, x) {
		t.Errorf("%.200v", err)
	}
}

// TestLate: a type that is refused is planned again once the arms of its interface are registered.
func TestLate(t *testing.T) {
	v := Late{lateArm{3}}
	if _, err := protojson.Marshal(v); !errors.As(err, new(*protojson.TypeError)) {
		t.Error(err)
	}
	protort.Oneof[late](protort.OneofArm[lateArm](0))
	if b, err := protojson.Marshal(v); err != nil || string(b) != `{"n":3}` {
		t.Errorf("%s, %v", b, err)
	}
}

func ExampleMarshalOptions() {
	o := protojson.MarshalOptions{Resolver: func(url string) (reflect.Type, error) {
		if url == "type.googleapis.com/google.protobuf.Duration" {
			return reflect.TypeFor[time.Duration](), nil
		}
		return nil, errors.New("not registered")
	}}
	b, err := o.Marshal(fxproto.Any{TypeURL: "type.googleapis.com/google.protobuf.Duration", Value: []byte{8, 90}})
	fmt.Println(string(b), err)
	// Output: {"@type":"type.googleapis.com/google.protobuf.Duration","value":"90s"} <nil>
}
