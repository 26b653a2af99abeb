package fxjson_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strconv"
	"testing"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/fxjson/internal/tinytypes"
	"github.com/zmylab/zmy/fxjson/jsontiny"
)

// tinyValue is a pointer to a type with code for jsontiny.
type tinyValue interface {
	AppendJSON([]byte) ([]byte, error)
	DecodeJSON([]byte) error
}

var tinyPrice = regexp.MustCompile(`"price":[-+.0-9e]+`)

var tinyKinds = []func() any{
	func() any { return new(tinytypes.Order) }, func() any { return new(tinytypes.Quoted) }, func() any { return new(tinytypes.Optional) },
	func() any { return new(tinytypes.Empty) }, func() any { return new(tinytypes.Tree) }, func() any { return new(tinytypes.List) },
}

// TestTiny compares code for jsontiny with encoding/json, which sees the same types without
// methods.
func TestTiny(t *testing.T) {
	if jsonwire.StdV2 {
		t.Skip("jsontiny has the semantics of version 1")
	}
	r := rand.New(rand.NewPCG(7, 8))
	for _, kind := range tinyKinds {
		for range runs(400) {
			v := kind()
			fill(r, reflect.ValueOf(v).Elem(), 4)
			want, wantErr := json.Marshal(v)
			got, err := v.(tinyValue).AppendJSON([]byte("x"))
			if (err == nil) != (wantErr == nil) || string(got) != "x"+string(fixed(want, v)) {
				t.Fatalf("%T:\nhave %s, %v\nwant x%s, %v", v, got, err, want, wantErr)
			}
			a, b := document(r, kind), document(r, kind)
			for _, docs := range [][2][]byte{{a, b}, {mutate(r, a), b}, {a, mutate(r, b)}, {mutate(r, a), mutate(r, a)}} {
				checkTiny(t, kind, docs[0], docs[1])
			}
		}
	}
}

// fixed is what encoding/json wrote with the decimals that generated code writes, which it does not
// know.
func fixed(b []byte, v any) []byte {
	if _, ok := v.(*tinytypes.Order); !ok || b == nil {
		return b
	}
	return tinyPrice.ReplaceAllFunc(b, func(m []byte) []byte {
		var x float64
		if err := json.Unmarshal(m[len(`"price":`):], &x); err != nil {
			panic(err)
		}
		return strconv.AppendFloat([]byte(`"price":`), x, 'f', 2, 64)
	})
}

// checkTiny decodes two documents into one value.
func checkTiny(t *testing.T, kind func() any, docs ...[]byte) {
	t.Helper()
	got, want := kind(), kind()
	for _, doc := range docs {
		err, wantErr := got.(tinyValue).DecodeJSON(doc), json.Unmarshal(doc, want)
		if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
			t.Fatalf("%T, %q:\nhave %s, %v\nwant %s, %v", got, doc, show(got), err, show(want), wantErr)
		}
		if e := (*jsontiny.Error)(nil); err != nil && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > len(doc)) {
			t.Fatalf("%q: error %#v", doc, err)
		}
	}
}

// TestTinyShapes gives the tiny code the walk's documents that fit it, and option string every
// spelling.
func TestTinyShapes(t *testing.T) {
	if jsonwire.StdV2 {
		t.Skip("jsontiny has the semantics of version 1")
	}
	for _, text := range textShapes {
		checkTiny(t, tinyKinds[0], []byte(`{"id":"`+text+`","attrs":{"`+text+`":"`+text+`"},"unknown":"`+text+`"}`))
	}
	for lit := range numberShapes {
		checkTiny(t, tinyKinds[0], []byte(`{"total":`+lit+`,"ratio":`+lit+`,"prices":[`+lit+`]}`))
		checkTiny(t, tinyKinds[0], []byte(`{"sizes":[`+lit+`],"codes":[`+lit+`],"count":`+lit+`}`))
	}
	typ := reflect.TypeFor[tinytypes.Quoted]()
	for i := range typ.NumField() {
		for _, v := range quotedSpellings() {
			checkTiny(t, tinyKinds[1], []byte(`{"`+typ.Field(i).Name+`":`+v+`}`), []byte(`{"`+typ.Field(i).Name+`":"5","Int":"9"}`),
				[]byte(`{"`+typ.Field(i).Name+`":`+v+`,"Int":"7"}`))
		}
	}
}

// TestTinyErrors holds what errors of marshaling say.
func TestTinyErrors(t *testing.T) {
	loop := tinytypes.Item{}
	loop.Named = map[string]*tinytypes.Item{"a": &loop}
	for want, v := range map[string]tinyValue{
		"fxjson: marshal: a float is infinite or no number":                     &tinytypes.Order{Total: math.NaN()},
		"fxjson: marshal: MarshalText: negative level":                          &tinytypes.Order{Level: -1},
		"fxjson: marshal: values nest deeper than 10000 levels, or without end": &tinytypes.Order{First: &loop},
		"fxjson: marshal: MarshalText of a key: negative level":                 &tinytypes.Order{ByLevel: map[tinytypes.Level]int{-1: 1}},
	} {
		got, err := v.AppendJSON([]byte("x"))
		if err == nil || err.Error() != want || string(got) != "x" {
			t.Errorf("have %q, %v\nwant %s", got, err, want)
		}
	}
	var o tinytypes.Order
	for doc, want := range map[string]string{
		`{"count":70000}`: `fxjson: unmarshal: want an unsigned integer of 16 bits, found a number at offset 9`,
		`{"count":1`:      `fxjson: unmarshal: malformed JSON at offset 10`,
		`{"level":"bad"}`: `fxjson: unmarshal: UnmarshalText: no level at offset 9`,
		`{"number":"x"}`:  `fxjson: unmarshal: want a value within quotes, for option string, found a string at offset 10`,
		`{"created":"never"}`: `fxjson: unmarshal: UnmarshalJSON: parsing time "never" as "2006-01-02T15:04:05Z07:00": cannot parse ` +
			`"never" as "2006" at offset 11`,
	} {
		if err := o.DecodeJSON([]byte(doc)); err == nil || err.Error() != want {
			t.Errorf("%s\nhave %v\nwant %s", doc, err, want)
		}
	}
}

// TestTinyRequired is TestRequired for jsontiny.
func TestTinyRequired(t *testing.T) {
	for doc, want := range map[string]string{
		`{"a":1,"c":null}`: "", `null`: "", `{"A":1,"c":{"a":2,"c":null}}`: "",
		`{}`:                    `fxjson: unmarshal: the object lacks "a" at offset 2`,
		`{"a":1,"B":"}"}`:       `fxjson: unmarshal: the object lacks "c" at offset 15`,
		`{"a":1,"c":{"a":"x"}}`: `fxjson: unmarshal: want an integer of 64 bits, found a string at offset 16`,
	} {
		if err := new(tinytypes.Strict).DecodeJSON([]byte(doc)); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %s", doc, err, want)
		}
	}
}
