package fxjson_test

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// ended is what a call ended with; a panic is told from a result, its text is not.
func ended(f func() ([]byte, error)) (s string) {
	defer func() {
		if recover() != nil {
			s = "panic"
		}
	}()
	b, err := f()
	return fmt.Sprint(string(b), " ", err)
}

// TestHolders marshals values with methods in unusual places, by value and by pointer,
// with and without generated code.
func TestHolders(t *testing.T) {
	type (
		holders jsontypes.Holders
		quoted  jsontypes.QuotedMethods
		behind  jsontypes.Behind
	)
	out, in, ptr, both := jsontypes.OnlyOut(2), jsontypes.OnlyIn(3), jsontypes.ByPtr(4), jsontypes.Both("t")
	nilJSON, nilText, text := (*jsontypes.NilJSON)(nil), (*jsontypes.NilText)(nil), jsontypes.NilText("k")
	h := jsontypes.Holders{
		JSON: nilJSON, Text: nilText, JSONs: []json.Marshaler{nilJSON, nil, new(jsontypes.NilJSON), big.NewInt(7), (*big.Int)(nil)},
		Texts:   map[string]encoding.TextMarshaler{"a": nilText, "b": nil, "c": big.NewInt(5), "d": big.NewFloat(2.5), "e": (*big.Float)(nil)},
		Unnamed: nilJSON, List: []interface{ MarshalText() ([]byte, error) }{nilText, nil, jsontypes.Both("b")},
		Zero: (*jsontypes.Level)(nil), Both: (*jsontypes.Level)(nil), Named: 1, Nameds: []jsontypes.Named{nil, "x", nilJSON}, NamedAlias: true,
	}
	if jsonwire.StdV2 { // which panics for a nil pointer in an interface that is not its own
		h.Unnamed, h.List = big.NewInt(1), h.List[1:]
	}
	full := h
	full.Zero, full.Both = &jsontypes.Level{N: 1}, &jsontypes.Level{}
	q := jsontypes.QuotedMethods{Out: out, In: in, ByPtr: ptr, Both: both, PtrOut: &out, PtrIn: &in, PtrPtr: &ptr, PtrBoth: &both}
	b := jsontypes.Behind{Inner: &jsontypes.Inner{P: 1}, N: 2}
	for _, v := range []any{
		jsontypes.Holders{}, h, &h, full, &full, holders(h), q, &q, quoted(q), jsontypes.QuotedMethods{}, jsontypes.Behind{}, b, &b, behind(b),
		jsontypes.Beside{InnerAlias: *b.Inner}, &jsontypes.Beside{InnerAlias: *b.Inner},
		jsontypes.KeysOut{Ptr: map[*jsontypes.NilText]int{&text: 1}, Text: map[jsontypes.OutKey]int{{A: 1, B: 2}: 3, {}: 0},
			Any: map[encoding.TextMarshaler]string{nilText: "n", jsontypes.Both("x"): "b"}},
	} {
		got, want := ended(func() ([]byte, error) { return fxjson.Marshal(v) }), ended(func() ([]byte, error) { return json.Marshal(v) })
		if got != want {
			t.Errorf("%T:\n%s\nwant\n%s", v, got, want)
		}
	}
}

// TestStopped: once a field cannot be marshaled, methods of later fields are not called, with and
// without generated code.
func TestStopped(t *testing.T) {
	type stopped jsontypes.Stopped
	v := jsontypes.Stopped{Ptr: new(jsontypes.Frail), Holder: jsontypes.Fragile{}}
	for _, v := range []any{v, &v, stopped(v), []any{v}, map[string]jsontypes.Stopped{"k": v}} {
		got, want := ended(func() ([]byte, error) { return fxjson.Marshal(v) }), ended(func() ([]byte, error) { return json.Marshal(v) })
		if got != want || !strings.Contains(want, "refused") {
			t.Errorf("%T: %s, want %s", v, got, want)
		}
	}
}

// TestBare writes and reads embedded structs that reflection may not set. Targets are new or hold
// something, with and without generated code.
func TestBare(t *testing.T) {
	type planned jsontypes.Bare
	for _, v := range []any{jsontypes.Bare{}, jsontypes.NewBare(), planned(jsontypes.NewBare())} {
		got, want := ended(func() ([]byte, error) { return fxjson.Marshal(v) }), ended(func() ([]byte, error) { return json.Marshal(v) })
		if got != want {
			t.Errorf("%T: %s, want %s", v, got, want)
		}
	}
	for _, doc := range []string{`{"value":{"A":7},"N":8}`, `{"value":null,"ptr":null}`, `{"ptr":{"B":9},"N":8}`,
		`{"N":"x","ptr":{"B":9}}`, `{"ptr":{"B":"x"},"N":8}`, `{"ptr":[]}`, `{"ptr":{"B":9}`} {
		checkBare(t, doc, func() *jsontypes.Bare { return new(jsontypes.Bare) })
		checkBare(t, doc, func() *planned { return new(planned) })
		checkBare(t, doc, func() *jsontypes.Bare { v := jsontypes.NewBare(); return &v })
		checkBare(t, doc, func() *planned { v := planned(jsontypes.NewBare()); return &v })
	}
}

func checkBare[T any](t *testing.T, doc string, target func() *T) {
	t.Helper()
	got, want := target(), target()
	fresh := reflect.ValueOf(got).Elem().IsZero()
	g := ended(func() ([]byte, error) { return nil, fxjson.Unmarshal([]byte(doc), got) })
	w := ended(func() ([]byte, error) { return nil, json.Unmarshal([]byte(doc), want) })
	if !fresh && strings.HasPrefix(g, " json: ") && strings.HasPrefix(w, " json: ") {
		g = w // errors have the text for new targets
	}
	if g != w || !reflect.DeepEqual(got, want) {
		t.Errorf("%T from %s: %+v %s, want %+v %s", got, doc, got, g, want, w)
	}
}

// TestHoldersUnmarshal reads documents into the same types.
func TestHoldersUnmarshal(t *testing.T) {
	for _, c := range []struct {
		v    any
		docs []string
	}{
		{new(jsontypes.Holders), []string{`{"Named":{"a":[1]},"Nameds":[1,"x",null],"ByName":{"a":null},"NamedAlias":3}`, `{"JSON":1}`,
			`{"JSON":null,"List":[null]}`, `{"List":[1]}`}},
		{new(jsontypes.QuotedMethods), []string{`{"in":"7","both":"x","ptrIn":"12","ptrBoth":null}`,
			`{"in":null,"both":null,"byPtr":null,"ptrIn":null,"out":null}`,
			`{"in":7}`, `{"byPtr":"3","out":"5","ptrOut":"6","ptrPtr":"null"}`, `{"byPtr":3}`, `{"out":"null","in":"null","both":"null"}`}},
		{new(jsontypes.Behind), []string{`{"P":1,"L":[1,2],"N":3}`, `{"P":null}`, `{"N":1}`}},
		{new(jsontypes.Beside), []string{`{"P":1,"L":[1,2],"N":3}`}},
		{new(jsontypes.KeysOut), []string{`{"Ptr":{}}`, `{"Ptr":{"a":1}}`, `{"Text":{"1/2":1}}`, `{"Any":{"a":"b"}}`, `{"Any":null}`}},
	} {
		for _, doc := range c.docs {
			got, want := reflect.New(reflect.TypeOf(c.v).Elem()), reflect.New(reflect.TypeOf(c.v).Elem())
			g, w := ended(func() ([]byte, error) { return nil, fxjson.Unmarshal([]byte(doc), got.Interface()) }),
				ended(func() ([]byte, error) { return nil, json.Unmarshal([]byte(doc), want.Interface()) })
			if strings.HasPrefix(doc, `{"Ptr"`) && g == w { // pointers are never equal, what they point to may be
				x, _ := json.Marshal(got.Interface())
				y, _ := json.Marshal(want.Interface())
				g, w = string(x), string(y)
				got = want
			}
			if g != w || !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Errorf("%T from %s: %+v %s, want %+v %s", c.v, doc, got.Elem(), g, want.Elem(), w)
			}
		}
	}
}

// TestBlanks has blanks in struct tags, which the versions of encoding/json read each in its
// own way.
func TestBlanks(t *testing.T) {
	for _, tag := range []string{"a,omitempty ", "a, string", "a,string ", "a, omitzero ,string", " a,omitempty", "a ,omitzero",
		"-,omitempty ", "a,string,", "a,,omitempty", "a,Omitempty", "a,omit_empty"} {
		for _, field := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[*string](), reflect.TypeFor[[]int]()} {
			v := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "A", Type: field, Tag: reflect.StructTag(`json:"` + tag + `"`)}}))
			for range 2 {
				got, want := ended(func() ([]byte, error) { return fxjson.Marshal(v.Interface()) }),
					ended(func() ([]byte, error) { return json.Marshal(v.Interface()) })
				if got != want {
					t.Errorf("%q of %v: %s, want %s", tag, field, got, want)
				}
				if p := v.Elem().Field(0); p.Kind() == reflect.Pointer {
					p.Set(reflect.New(p.Type().Elem()))
				}
			}
		}
	}
}
