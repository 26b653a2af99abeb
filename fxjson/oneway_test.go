package fxjson_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/onewaytypes"
)

// TestOneWay uses code that encodes or decodes only, by itself and inside types without code: the
// other direction is an error that says so.
func TestOneWay(t *testing.T) {
	type holder struct {
		Out  *onewaytypes.Out
		In   []onewaytypes.In
		Any  any
		Part onewaytypes.Part
	}
	doc := []byte(`{"a":1,"b":[{"c":"x"}]}`)
	var in onewaytypes.In
	if err := fxjson.Unmarshal(doc, &in); err != nil || in.B[0].C != "x" {
		t.Errorf("decoded %+v, %v", in, err)
	}
	if err := in.DecodeJSON(doc); err != nil {
		t.Error(err)
	}
	out := onewaytypes.Out(in)
	if b, err := fxjson.Marshal(out); string(b) != string(doc) || err != nil {
		t.Errorf("encoded %s, %v", b, err)
	}
	if b, err := out.AppendJSON([]byte("x")); string(b) != "x"+string(doc) || err != nil {
		t.Errorf("appended %s, %v", b, err)
	}
	for _, v := range []any{in, &in, []onewaytypes.In{in}, map[string]any{"x": &in}, holder{In: []onewaytypes.In{in}}, &holder{Any: in}} {
		b, err := fxjson.Marshal(v)
		if err == nil || !strings.Contains(err.Error(), "marshal onewaytypes.In: its code was generated with -only=decode") {
			t.Errorf("%T: %s, %v", v, b, err)
		}
	}
	for doc, p := range map[string]any{
		string(doc): new(onewaytypes.Out), `[{}]`: new([]onewaytypes.Out), `{"Out":{"a":1}}`: new(holder),
		`{"k":{}}`:        new(map[string]onewaytypes.Out),
		`{"Any":{"a":2}}`: &holder{Any: &out}, `{"a":3}`: &onewaytypes.Out{A: 2},
	} {
		err := fxjson.Unmarshal([]byte(doc), p)
		if err == nil || !strings.Contains(err.Error(), "unmarshal onewaytypes.Out: its code was generated with -only=encode") {
			t.Errorf("%T from %s: %+v, %v", p, doc, reflect.ValueOf(p).Elem(), err)
		}
	}
	if out.A != 1 {
		t.Errorf("an error has changed the value: %+v", out)
	}
	if _, err := json.Marshal(in); err != nil {
		t.Errorf("encoding/json: %v", err)
	}
	if _, ok := any(&in).(interface{ AppendJSON([]byte) ([]byte, error) }); ok {
		t.Error("code that decodes has a method AppendJSON")
	}
	if _, ok := any(&out).(interface{ DecodeJSON([]byte) error }); ok {
		t.Error("code that encodes has a method DecodeJSON")
	}
}
