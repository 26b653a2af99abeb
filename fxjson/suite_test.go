//go:build !goexperiment.jsonv2

package fxjson_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// suite is a document with a name that says whether it is valid.
type suite struct {
	name string
	doc  []byte
}

func jsonTestSuite(t *testing.T) (all []suite) {
	text, err := os.ReadFile("testdata/JSONTestSuite.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		n, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(err)
		}
		doc, err := strconv.Unquote(f[2])
		if err != nil {
			t.Fatal(f[0], err)
		}
		all = append(all, suite{f[0], bytes.Repeat([]byte(doc), n)})
	}
	return all
}

// TestJSONTestSuite holds documents against the grammar: alone, streamed, kept
// raw, and where they are passed over.
func TestJSONTestSuite(t *testing.T) {
	all := jsonTestSuite(t)
	if len(all) != 318 {
		t.Fatalf("%d cases", len(all))
	}
	type unknown struct{ A int }
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			want := json.Valid(c.doc)
			if c.name[0] != 'i' && want != (c.name[0] == 'y') {
				t.Errorf("encoding/json says %v", want) // then the suite is not what it was
			}
			if got := fxjson.Valid(c.doc); got != want {
				t.Errorf("Valid: %v", got)
			}
			var a, b any
			if err, wantErr := fxjson.Unmarshal(c.doc, &a), json.Unmarshal(c.doc, &b); !sameError(err, wantErr) || !reflect.DeepEqual(a, b) {
				t.Errorf("Unmarshal: %v, %v, want %v, %v", a, err, b, wantErr)
			}
			checkStream(t, c.doc, []byte{0, 2}, 7, io.EOF, false)
			for _, around := range []string{`{"unknown":%}`, `{"Raw":%}`, `[0,%]`, `{"Any":%}`, `{"a":{"b":[%]}}`, ` % `} {
				doc := []byte(strings.Replace(around, "%", string(c.doc), 1))
				valid := json.Valid(doc)
				if c.name[0] == 'y' && !valid {
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
