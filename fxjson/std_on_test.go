//go:build fxjson_std

package fxjson_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// coded has generated code that must not be called.
type coded struct {
	Text string         `json:"text"`
	Tags map[string]int `json:"tags"`
}

var codedCode = jsonrt.Code[coded]{
	Encode: func(e *jsonrt.Enc, b []byte, v *coded) []byte { panic("generated code was called") },
	Decode: func(d *jsonrt.Dec, i int, v *coded) int { panic("generated code was called") },
	Alias:  true,
}

func (*coded) JSONCode() any { return &codedCode }

// TestTagStd: in a build with the tag fxjson_std encoding/json does the work.
func TestTagStd(t *testing.T) {
	v := &coded{"<a> \u2028", map[string]int{"b": 1, "a": 2}}
	want, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	same := func(what string, b []byte, err error) {
		t.Helper()
		if err != nil || string(b) != string(want) {
			t.Errorf("%s: %s, %v; want %s", what, b, err, want)
		}
	}
	b, err := fxjson.Marshal(v)
	same("Marshal", b, err)
	b, err = fxjson.Append(nil, *v)
	same("Append", b, err)
	var stream bytes.Buffer
	err = fxjson.NewEncoder(&stream).Encode(v)
	same("Encode", bytes.TrimSuffix(stream.Bytes(), []byte("\n")), err)
	if b, err := (fxjson.MarshalOptions{}).Marshal(v); err != nil || !bytes.Contains(b, []byte("<a>")) {
		t.Errorf("without escapes: %s, %v", b, err)
	}

	for name, read := range map[string]func(*coded) error{
		"Unmarshal": func(v *coded) error { return fxjson.Unmarshal(want, v) },
		"Decode":    func(v *coded) error { return fxjson.NewDecoder(&stream).Decode(v) },
		"UseNumber": func(v *coded) error { return fxjson.UnmarshalOptions{UseNumber: true}.Unmarshal(want, v) },
	} {
		var got coded
		if err := read(&got); err != nil || got.Text != v.Text || len(got.Tags) != 2 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	strict := fxjson.UnmarshalOptions{DisallowUnknownFields: true}
	if err := strict.Unmarshal([]byte(`{"other":1}`), new(coded)); err == nil {
		t.Error("an unknown field is taken")
	}

	// What encoding/json does not know stays with fxjson.
	type price struct {
		Value float64 `json:"value" fxjson:"decimals=2"`
	}
	if b, err := fxjson.Marshal([]price{{1.23456}}); err != nil || string(b) != `[{"value":1.23}]` {
		t.Errorf("decimals: %s, %v", b, err)
	}
	if b, err := (fxjson.MarshalOptions{EscapeHTML: true, NilMapAsEmpty: true}).Marshal(map[string]map[string]int{"a": nil}); err != nil ||
		string(b) != `{"a":{}}` {
		t.Errorf("nil maps: %s, %v", b, err)
	}
}
