package fxjson_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/zmylab/zmy/fxjson"
)

// checkFormat compares all that turns one text into another.
func checkFormat(t *testing.T, src []byte) {
	t.Helper()
	if got, want := fxjson.Valid(src), json.Valid(src); got != want {
		t.Fatalf("Valid(%q) is %v", src, got)
	}
	for _, f := range []struct {
		name      string
		got, want func(*bytes.Buffer) error
	}{
		{"Compact", func(b *bytes.Buffer) error { return fxjson.Compact(b, src) }, func(b *bytes.Buffer) error { return json.Compact(b, src) }},
		{"Indent", func(b *bytes.Buffer) error { return fxjson.Indent(b, src, "> ", "\t") },
			func(b *bytes.Buffer) error { return json.Indent(b, src, "> ", "\t") }},
		{"HTMLEscape", func(b *bytes.Buffer) error { fxjson.HTMLEscape(b, src); return nil },
			func(b *bytes.Buffer) error { json.HTMLEscape(b, src); return nil }},
		{"MarshalIndent",
			func(b *bytes.Buffer) error {
				out, err := fxjson.MarshalIndent(json.RawMessage(src), "", "  ")
				b.Write(out)
				return err
			},
			func(b *bytes.Buffer) error {
				out, err := json.MarshalIndent(json.RawMessage(src), "", "  ")
				b.Write(out)
				return err
			}},
	} {
		got, want := bytes.NewBufferString("before"), bytes.NewBufferString("before")
		err, wantErr := f.got(got), f.want(want)
		if !sameError(err, wantErr) || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%s(%q):\nhave %q, %v\nwant %q, %v", f.name, src, got, err, want, wantErr)
		}
	}
}

// formats are texts with something special to reformat.
var formats = []string{
	"", " ", "1", " 1 ", "1 \n\t", "{}", " [ ] \r\n", "[{}]", "{ } ", `{"a":[1,2,{"b":[]}],"c":{}}`,
	"\"<>&\u2028\u2029\u2027\xe2\x80\"", "[\xe2\x80\xa8]", `["a" , "b\"" , "\\" ]`,
	"[1,]", "[", `{"a" : }`, "\ufeff1", "nul", "1 2", "[1\x00]", "<", "null x", "[\n]", "{\"<\":\n1e5}",
}

func TestFormat(t *testing.T) {
	for _, s := range append(formats, values...) {
		checkFormat(t, []byte(s))
	}
	r := rand.New(rand.NewPCG(31, 32))
	for _, kind := range kinds {
		for range 30 {
			doc := document(r, kind)
			checkFormat(t, doc)
			checkFormat(t, mutate(r, doc))
			checkFormat(t, append(append([]byte(" "), doc...), " \n "...))
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, s := range append(formats, values...) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkFormat(t, src) })
}
