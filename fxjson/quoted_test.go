package fxjson_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// quotedSpellings are values for fields with option string.
func quotedSpellings() (values []string) {
	for _, s := range []string{
		``, `0`, `7`, `-1`, `+1`, `01`, `1.5`, `1e3`, `1E-400`, `1e400`, `300`, `70000`, `-9223372036854775808`, `18446744073709551616`,
		`true`, `false`, `True`, `truex`, `null`, `nullx`, `Inf`, `0x10`, `1_000`, ` 1`, `1 `, `[1]`, `{}`, `\u0031`, `\"`, `\"\"`, `\"a\"`, `\"a`, `a\"`,
		`\"null\"`, `\"a longer text\"`, `\"é日😀\"`, "\\\"\xff\\\"", `\"\\\"`, `\"\\u0041\\n\"`, `\"\\ud83d\"`, `\"�\"`, `\"a\"b`, `\"a\" `, ` \"a\"`, `\u0022a\u0022`, `\"` + "\x01" + `\"`, `\"\n\"`, `\"1\"`, `\"true\"`,
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
