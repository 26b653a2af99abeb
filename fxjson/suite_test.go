package fxjson_test

import (
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/grammar"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// TestGrammar holds documents against the grammar: alone, streamed, kept raw, and
// where they are passed over.
func TestGrammar(t *testing.T) {
	type unknown struct{ A int }
	docs := maps.Clone(grammar.Suite)
	for _, text := range append(grammar.All(), grammar.Deep(500)...) {
		docs[text[:min(len(text), 40)]] = text
	}
	for name, text := range docs {
		t.Run(name, func(t *testing.T) {
			c := []byte(text)
			want := json.Valid(c)
			if got := fxjson.Valid(c); got != want {
				t.Errorf("Valid: %v", got)
			}
			var a, b any
			if err, wantErr := fxjson.Unmarshal(c, &a), json.Unmarshal(c, &b); !sameError(err, wantErr) || !reflect.DeepEqual(a, b) {
				t.Errorf("Unmarshal: %v, %v, want %v, %v", a, err, b, wantErr)
			}
			checkStream(t, c, []byte{0, 2}, 7, io.EOF, false)
			for _, around := range []string{`{"unknown":%}`, `{"Raw":%}`, `[0,%]`, `{"Any":%}`, `{"a":{"b":[%]}}`, ` % `} {
				doc := []byte(strings.Replace(around, "%", string(c), 1))
				valid := json.Valid(doc)
				if want && !valid {
					t.Errorf("encoding/json refuses %s", around)
				}
				for _, target := range []func() any{
					func() any { return new(jsontypes.Dynamic) }, func() any { return new(unknown) }, func() any { return new(any) },
					func() any { return new(json.RawMessage) }, func() any { return new([]json.RawMessage) }, func() any { return new(map[string]json.RawMessage) },
					func() any { return new([1]int) }, func() any { return &unknown{1} }, func() any { return &jsontypes.Dynamic{Any: 1} },
				} {
					a, b := target(), target()
					err, wantErr := fxjson.Unmarshal(doc, a), json.Unmarshal(doc, b)
					if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(a, b) || !valid && err == nil {
						t.Errorf("%s into %T: %v, want %v", around, a, err, wantErr)
					}
				}
			}
		})
	}
}
