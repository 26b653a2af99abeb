package protojson_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxjson/protojson"
	"github.com/zmylab/zmy/fxproto"
)

// Color has names, two of which have one number.
type Color int32

func (c Color) String() string { return [...]string{"NONE", "RED", "GREEN"}[c%3] }

func (Color) ProtoValues() map[string]int32 {
	return map[string]int32{"NONE": 0, "RED": 1, "GREEN": 2, "CRIMSON": 1, "BEYOND": -7}
}

type Level int32

type Shape struct {
	UnitPrice int64             `proto:"1"`
	Color     Color             `proto:"2"`
	Colors    []Color           `proto:"3"`
	ByName    map[string]Color  `proto:"4"`
	Level     Level             `proto:"5"`
	Name      string            `proto:"6,name:title" json:"label"`
	Note      *string           `proto:"7"`
	Created   time.Time         `proto:"8"`
	Took      *time.Duration    `proto:"9"`
	Raw       []byte            `proto:"10,optional"`
	Hash      [2]byte           `proto:"11"`
	Text      *string           `proto:"12,oneof:kind"`
	Inner     *Shape            `proto:"13,oneof:kind"`
	Box       Box               `proto:"14"`
	Weights   []float64         `proto:"15"`
	Flags     map[bool]uint32   `proto:"16"`
	Labels    map[string]string `proto:"17"`
	Shapes    map[int64]Shape   `proto:"18"`
	Unknown   fxproto.Unknown
	Kept      string `proto:"-"`
}

type Box struct {
	W int32 `proto:"1"`
}

func ptr[T any](v T) *T { return &v }

// full has all fields, and fullDoc is its document.
var full = &Shape{UnitPrice: math.MinInt64, Color: 1, Colors: []Color{0, 2, -7, 5}, ByName: map[string]Color{"b": 2, "a": 1},
	Level: 3, Name: "<é\u2028\"\n",
	Note: ptr(""), Created: time.Date(2026, 1, 2, 3, 4, 5, 600e6, time.FixedZone("", 3600)),
	Took: ptr(-1500 * time.Microsecond), Raw: []byte{},
	Hash: [2]byte{0xfb, 0xff}, Inner: &Shape{}, Box: Box{1}, Weights: []float64{1, math.Inf(-1), 1e21, math.Copysign(0, -1)},
	Flags: map[bool]uint32{true: 1, false: 2}, Labels: map[string]string{"k": "v"}, Shapes: map[int64]Shape{-1: {}, 2: {Level: 1}}}

const fullDoc = `{"unitPrice":"-9223372036854775808","color":"RED","colors":["NONE","GREEN","BEYOND",5],` +
	`"byName":{"a":"RED","b":"GREEN"},"level":3,` +
	`"label":"<é\u2028\"\n","note":"","created":"2026-01-02T02:04:05.600Z","took":"-0.001500s",` +
	`"raw":"","hash":"+/8=","inner":{},"box":{"w":1},` +
	`"weights":[1,"-Infinity",1e+21,-0],"flags":{"false":2,"true":1},"labels":{"k":"v"},"shapes":{"-1":{},"2":{"level":1}}}`

func TestMarshal(t *testing.T) {
	got, err := protojson.Marshal(full)
	if err != nil || string(got) != fullDoc {
		t.Errorf("%v\n%s, want\n%s", err, got, fullDoc)
	}
	for _, c := range []struct {
		o    protojson.MarshalOptions
		v    any
		want string
	}{
		{protojson.MarshalOptions{}, Shape{}, `{}`},
		{protojson.MarshalOptions{}, (*Shape)(nil), `{}`},
		{protojson.MarshalOptions{}, Shape{Hash: [2]byte{1}}, `{"hash":"AQA="}`},
		{protojson.MarshalOptions{UseProtoNames: true, UseEnumNumbers: true}, &Shape{UnitPrice: 1, Color: 1, Name: "x"},
			`{"unit_price":"1","color":1,"title":"x"}`},
		{protojson.MarshalOptions{EmitDefaultValues: true}, &Box{}, `{"w":0}`},
		{protojson.MarshalOptions{EmitDefaultValues: true}, &Shape{},
			`{"unitPrice":"0","color":"NONE","colors":[],"byName":{},"level":0,"label":"","hash":"",` +
				`"weights":[],"flags":{},"labels":{},"shapes":{}}`},
		{protojson.MarshalOptions{EmitUnpopulated: true}, &Shape{Text: ptr("x")},
			`{"unitPrice":"0","color":"NONE","colors":[],"byName":{},"level":0,"label":"",` +
				`"note":null,"created":null,"took":null,"raw":null,"hash":"","text":"x","box":null,"weights":[],"flags":{},"labels":{},"shapes":{}}`},
	} {
		if got, err := c.o.Append([]byte("before"), c.v); err != nil || string(got) != "before"+c.want {
			t.Errorf("%+v: %v\n%s, want\n%s", c.o, err, got, c.want)
		}
	}
}

func TestUnmarshal(t *testing.T) {
	same := func(doc string, want *Shape) {
		t.Helper()
		got := &Shape{Kept: "kept", Level: 9, Note: ptr("old"), Unknown: fxproto.Unknown{8, 1}}
		want.Kept = "kept"
		if err := protojson.Unmarshal([]byte(doc), got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n%+v, want\n%+v", doc, err, got, want)
		}
	}
	whole := *full
	whole.Created = whole.Created.UTC()
	same(fullDoc, &whole)
	for doc, want := range map[string]*Shape{
		" {\n} ":                           {},
		`{"unit_price": 1e3, "title":"a"}`: {UnitPrice: 1000, Name: "a"},
		`{"color":"CRIMSON","colors":[1,"BEYOND"],"level":"2.0"}`:          {Color: 1, Colors: []Color{1, -7}, Level: 2},
		`{"note":null,"colors":null,"labels":null,"inner":null,"text":""}`: {Text: ptr("")},
		`{"raw":"-_8","hash":"","created":"1970-01-01T01:00:00+01:00"}`:    {Raw: []byte{0xfb, 0xff}, Created: time.Unix(0, 0).UTC()},
		`{"label":"\ud83d\ude00"}`:                                         {Name: "😀"},
		`{"took":".5s","weights":["1.5",2]}`:                               {Took: ptr(500 * time.Millisecond), Weights: []float64{1.5, 2}},
	} {
		same(doc, want)
	}
	got := &Shape{}
	o := protojson.UnmarshalOptions{DiscardUnknown: true}
	if err := o.Unmarshal([]byte(`{"x":{"y":[1,"\n"]},"color":"X","colors":["X","RED"],"byName":{"a":"X"},"level":1}`), got); err != nil ||
		!reflect.DeepEqual(got, &Shape{Level: 1, Colors: []Color{1}, ByName: map[string]Color{}}) {
		t.Errorf("%v: %+v", err, got)
	}
}

func TestErrors(t *testing.T) {
	for doc, want := range map[string]string{
		``:                                  "protojson: unmarshal Shape: not JSON at offset 0 (want an object, the document ends)",
		`null`:                              "protojson: unmarshal Shape: not JSON at offset 0 (want an object, have 'n')",
		`{}x`:                               "protojson: unmarshal Shape: not JSON at offset 2 (text after the document)",
		`{"level":1,}`:                      "not JSON at offset 11 (want a name, have '}')",
		`{"level" 1}`:                       "(want a colon, have '1')",
		`{"level":1 "color":1}`:             "(want a comma or the end of the object, have '\"')",
		`{"colors":[1 2]}`:                  "Shape.Colors: not JSON at offset 13 (want a comma or the end of the array, have '2')",
		`{"colors":{}}`:                     "(want an array, have '{')",
		`{"x":1}`:                           `no such field at offset 1 ("x"; option DiscardUnknown passes over it)`,
		`{"level":1,"level":2}`:             "protojson: unmarshal Shape.Level: field or key occurs twice at offset 11",
		`{"unitPrice":1,"unit_price":null}`: "Shape.UnitPrice: field or key occurs twice",
		`{"labels":{"a":"","\u0061":""}}`:   `Shape.Labels: field or key occurs twice at offset 18 (key "a")`,
		`{"flags":{"true":1,"true":1}}`:     `Shape.Flags: field or key occurs twice`,
		`{"flags":{"x":1}}`:                 `Shape.Flags: value does not fit at offset 10 ("x" is no key of type bool)`,
		`{"shapes":{"1":{"level":"x"}}}`:    `Shape.Shapes[1].Level: value does not fit at offset 24 ("x" is no enum)`,
		`{"colors":[1,"X"]}`:                `Shape.Colors[1]: value does not fit at offset 13 ("X" is no name of protojson_test.Color)`,
		`{"text":"","inner":{}}`:            "Shape.Inner: two fields of a oneof are set at offset 11",
		`{"hash":"AA=="}`:                   "Shape.Hash: value does not fit at offset 8 (1 bytes, [2]uint8 has 2)",
		`{"took":"9999999999999s"}`:         "Shape.Took: value does not fit at offset 8 (time.Duration does not hold 9999999999999s)",
		`{"label":"\ud83d"}`:                "not JSON at offset 10 (half of a surrogate pair)",
		`{"label":"\q"}`:                    "the string has a bad escape, a control character or no end",
		"{\"label\":\"\xff\"}":              "protojson: unmarshal Shape: string is not UTF-8 at offset 10",
		`{"level":1.5}`:                     "(1.5 is no enum)",
	} {
		err := protojson.Unmarshal([]byte(doc), new(Shape))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", doc, err, want)
		}
		if !errors.As(err, new(*protojson.DecodeError)) {
			t.Errorf("%s: %T", doc, err)
		}
	}
	deep := strings.Repeat(`{"inner":`, 5) + "{}" + strings.Repeat("}", 5)
	if err := (protojson.UnmarshalOptions{MaxDepth: 5}).Unmarshal([]byte(deep), new(Shape)); !errors.Is(err, protojson.ErrDepth) {
		t.Errorf("5 levels: %v", err)
	}
	if err := (protojson.UnmarshalOptions{MaxDepth: 6}).Unmarshal([]byte(deep), new(Shape)); err != nil {
		t.Errorf("6 levels: %v", err)
	}
	for doc, need := range map[string]int64{
		`{"colors":[1,2]}`: 16, `{"inner":{}}`: int64(reflect.TypeFor[Shape]().Size()), `{"labels":{"a":"b"}}`: 128, `{"flags":{"true":1}}`: 74,
		`{"byName":{"a":1}}`: 104,
	} {
		if err := (protojson.UnmarshalOptions{MaxMemory: need}).Unmarshal([]byte(doc), new(Shape)); err != nil {
			t.Errorf("%s with %d bytes: %v", doc, need, err)
		}
		if err := (protojson.UnmarshalOptions{MaxMemory: need - 1}).Unmarshal([]byte(doc), new(Shape)); !errors.Is(err, protojson.ErrMemory) {
			t.Errorf("%s with %d bytes: %v", doc, need-1, err)
		}
	}
	loop := &Shape{}
	loop.Inner = loop
	for _, c := range []struct {
		v    any
		want error
		text string
	}{
		{loop, protojson.ErrDepth, "does the value contain itself?"},
		{&Shape{Shapes: map[int64]Shape{1: {Name: "\xff"}}}, protojson.ErrUTF8,
			"protojson: marshal Shape.Shapes[1].Name: string is not UTF-8 (use []byte)"},
		{&Shape{Labels: map[string]string{"\xff": ""}}, protojson.ErrUTF8, "Shape.Labels.key"},
		{&Shape{Text: ptr(""), Inner: &Shape{}}, protojson.ErrOneof, "(Text and Inner; set one of them to nil)"},
		{&Shape{Created: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, protojson.ErrValue, "the year is not in 1 to 9999"},
	} {
		if _, err := protojson.Marshal(c.v); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v, want %s", err, c.text)
		}
	}
}

func TestTypes(t *testing.T) {
	type clash struct {
		A int32 `proto:"1" json:"b"`
		B int32 `proto:"2"`
	}
	type channel struct {
		C chan int `proto:"1"`
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{protojson.Unmarshal(nil, nil), "protojson: unmarshal nil: there is no type; pass a struct or a pointer to one"},
		{protojson.Unmarshal(nil, Shape{}), "there is no variable to set; pass a pointer that is not nil"},
		{protojson.Unmarshal(nil, (*Shape)(nil)), "there is no variable to set"},
		{protojson.Unmarshal(nil, new(clash)),
			`protojson_test.clash.B: has the JSON name "b" of field A; give it another one, as in json:"other"`},
		{protojson.Unmarshal(nil, new(channel)),
			`protojson: unmarshal protojson_test.channel.C: chan int has no form in protobuf; leave it out with proto:"-"`},
	} {
		if !errors.As(c.err, new(*protojson.TypeError)) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
}

func ExampleMarshal() {
	type Order struct {
		OrderID int64     `proto:"1"`
		Created time.Time `proto:"2"`
	}
	b, err := protojson.Marshal(Order{9007199254740993, time.Unix(1767225600, 0)})
	fmt.Println(string(b), err)
	// Output: {"orderId":"9007199254740993","created":"2026-01-01T00:00:00Z"} <nil>
}
