package fxjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// quotedSpellings are values for fields with option string.
func quotedSpellings() (values []string) {
	for _, s := range []string{
		``, `0`, `7`, `-1`, `+1`, `01`, `1.5`, `1e3`, `1E-400`, `1e400`, `300`, `70000`, `-9223372036854775808`, `18446744073709551616`,
		`true`, `false`, `True`, `truex`, `null`, `nullx`, `Inf`, `0x10`, `1_000`, ` 1`, `1 `, `[1]`, `{}`, `\u0031`, `\"`, `\"\"`,
		`\"a\"`, `\"a`, `a\"`,
		`\"null\"`, `\"a longer text\"`, `\"é日😀\"`, "\\\"\xff\\\"", `\"\\\"`, `\"\\u0041\\n\"`, `\"\\ud83d\"`, `\"�\"`, `\"a\"b`,
		`\"a\" `, ` \"a\"`, `\u0022a\u0022`, `\"` + "\x01" + `\"`, `\"\n\"`, `\"1\"`, `\"true\"`,
	} {
		values = append(values, `"`+s+`"`, s, ` "`+s+`" `)
	}
	return values
}

// TestQuotedSpellings gives every field with option string values of every spelling.
func TestQuotedSpellings(t *testing.T) {
	typ := reflect.TypeFor[jsontypes.Quoted]()
	for i := range typ.NumField() {
		for _, v := range quotedSpellings() {
			doc := []byte(fmt.Sprintf(`{"%s":%s}`, typ.Field(i).Name, v))
			after := []byte(fmt.Sprintf(`{"%s":"5","%[1]s":%s,"Int":"9"}`, typ.Field(i).Name, v))
			checkUnmarshal(t, func() any { return new(jsontypes.Quoted) }, doc, after)
			checkUnmarshal(t, func() any { return new(plainQuoted) }, doc, after)
		}
	}
}

// TestQuotedUsed gives fields that hold a value every spelling, by all options that encoding/json
// has, alone and behind a value of the wrong type. A value that does not fit changes the target as
// encoding/json does.
func TestQuotedUsed(t *testing.T) {
	typ := reflect.TypeFor[jsontypes.Quoted]()
	for opt := range 4 {
		opt := fxjson.UnmarshalOptions{UseNumber: opt&1 != 0, DisallowUnknownFields: opt&2 != 0}
		for i := range typ.NumField() {
			for _, v := range quotedSpellings() {
				for _, before := range []string{"", `"Slice":1,`} {
					doc := fmt.Appendf(nil, `{%s"%s":%s,"Int":"9"}`, before, typ.Field(i).Name, v)
					checkUsed[jsontypes.Quoted](t, opt, doc)
					checkUsed[plainQuoted](t, opt, doc)
				}
			}
		}
	}
}

// checkUsed decodes the document into a T that holds values. Errors have the texts of those of new
// targets.
func checkUsed[T any](t *testing.T, opt fxjson.UnmarshalOptions, doc []byte) {
	t.Helper()
	var got, want T
	for _, v := range []*T{&got, &want} {
		fill(rand.New(rand.NewPCG(3, 3)), reflect.ValueOf(v).Elem(), 3)
	}
	std := json.NewDecoder(bytes.NewReader(doc))
	if opt.UseNumber {
		std.UseNumber()
	}
	if opt.DisallowUnknownFields {
		std.DisallowUnknownFields()
	}
	var wantErr error
	if wantErr = json.Unmarshal(doc, new(json.RawMessage)); wantErr == nil {
		wantErr = std.Decode(&want)
	}
	if err := opt.Unmarshal(doc, &got); reflect.TypeOf(err) != reflect.TypeOf(wantErr) || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v of %q into used %T:\nhave %s, %v\nwant %s, %v", opt, doc, got, show(got), err, show(want), wantErr)
	}
}

// TestQuotedAllocations holds that the usual spellings are not left to encoding/json, which takes
// some ten allocations for each.
func TestQuotedAllocations(t *testing.T) {
	doc := []byte(`{"Bool":"true","Int":"1","Uint64":"18446744073709551615","Float32":"1.5","Float64":"4.00000100","String":"\"text\"","Title":"\"é\\n\"","BoolP":"true","IntP":"7","FloatP":"2.5","StringP":"\"text\"","Int8":null,"UintP":null}`)
	for _, kind := range []func() any{func() any { return new(jsontypes.Quoted) }, func() any { return new(plainQuoted) }} {
		n := testing.AllocsPerRun(20, func() {
			if err := fxjson.Unmarshal(doc, kind()); err != nil {
				t.Fatal(err)
			}
		})
		if n > 25 { // the target, the document, four pointers, texts in steps: 14, and some more with the tag purego
			t.Errorf("%T: %v allocations", kind(), n)
		}
	}
}
