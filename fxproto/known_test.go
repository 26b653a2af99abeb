package fxproto_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxproto"
)

// known has messages of package google.protobuf.
type known struct {
	Text  *string        `proto:"1,wrapper"`
	Bytes []byte         `proto:"2,wrapper"`
	Value any            `proto:"3"`
	Obj   map[string]any `proto:"4"`
	List  []any          `proto:"5"`
	Any   *fxproto.Any   `proto:"6"`
}

func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name, bytes string
		want        known
	}{
		{"empty wrapper", "\x0a\x00", known{Text: p("")}},
		{"wrapper", "\x0a\x03\x0a\x01a", known{Text: p("a")}},
		{"wrappers merge", "\x0a\x03\x0a\x01a\x0a\x02\x10\x01", known{Text: p("a")}},
		{"bytes", "\x12\x00", known{Bytes: []byte{}}},
		{"null", "\x1a\x02\x08\x00", known{}},
		{"false", "\x1a\x02\x20\x00", known{Value: false}},
		{"number", "\x1a\x09\x11\x00\x00\x00\x00\x00\x00\xf0\x3f", known{Value: 1.0}},
		{"string", "\x1a\x03\x1a\x01a", known{Value: "a"}},
		{"objects merge", "\x1a\x0b\x2a\x09\x0a\x07\x0a\x01a\x12\x02\x20\x01\x1a\x04\x2a\x02\x0a\x00",
			known{Value: map[string]any{"a": true, "": nil}}},
		{"another kind between", "\x1a\x06\x2a\x04\x0a\x02\x0a\x00\x1a\x02\x08\x00\x1a\x02\x2a\x00", known{Value: map[string]any{}}},
		{"lists append", "\x1a\x06\x32\x04\x0a\x02\x20\x01\x1a\x04\x32\x02\x0a\x00", known{Value: []any{true, nil}}},
		{"empty Struct", "\x22\x00", known{Obj: map[string]any{}}},
		{"entry replaces entry", "\x22\x09\x0a\x07\x0a\x01a\x12\x02\x20\x01\x22\x05\x0a\x03\x0a\x01a", known{Obj: map[string]any{"a": nil}}},
		{"ListValue", "\x2a\x04\x0a\x02\x20\x01", known{List: []any{true}}},
		{"Any", "\x32\x06\x0a\x01u\x12\x01v", known{Any: &fxproto.Any{TypeURL: "u", Value: []byte("v")}}},
	} {
		var got known
		if err := fxproto.Unmarshal([]byte(c.bytes), &got); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
		if err := fxproto.Verify([]byte(c.bytes), got); err != nil {
			t.Errorf("%s: Verify: %v", c.name, err)
		}
	}
}

// TestNumbers writes numbers of other types, which come back as float64.
func TestNumbers(t *testing.T) {
	v := known{List: []any{
		int8(1), uint64(1), float32(1), json.Number("1"), 1, int16(1), int32(1), int64(1), uint(1), uint8(1), uint16(1), uint32(1),
	}}
	b, err := fxproto.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var got known
	if err := fxproto.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	for i, x := range got.List {
		if x != 1.0 {
			t.Errorf("%T came back as %v", v.List[i], x)
		}
	}
	if n, err := fxproto.Size(v); n != len(b) || err != nil {
		t.Error(n, err)
	}
}

func TestKnownErrors(t *testing.T) {
	loop := []any{nil}
	loop[0] = loop
	for _, c := range []struct {
		v    known
		is   error
		want string
	}{
		{known{Value: make(chan int)}, fxproto.ErrValue,
			"known.Value: type has no form in google.protobuf.Value (chan int; use nil, a bool, a number"},
		{known{Obj: map[string]any{"a": []any{"\xff"}}}, fxproto.ErrUTF8, "known.Obj: string is not UTF-8"},
		{known{List: loop}, fxproto.ErrDepth, "known.List: nested too deeply (does the value contain itself?)"},
		{known{Value: json.Number("x")}, fxproto.ErrValue, "known.Value: type has no form in google.protobuf.Value (json.Number"},
	} {
		_, err := fxproto.Marshal(c.v)
		if !errors.Is(err, c.is) || !strings.HasPrefix(err.Error(), "fxproto: marshal "+c.want) {
			t.Error(err)
		}
	}
	if _, err := fxproto.Size(known{List: loop}); !errors.Is(err, fxproto.ErrDepth) {
		t.Error(err)
	}
	err := fxproto.Unmarshal([]byte("\x1a\x03\x1a\x01\xff"), new(known))
	if err == nil || err.Error() != "fxproto: unmarshal known.Value: string is not UTF-8 at offset 4" {
		t.Error(err)
	}
}
