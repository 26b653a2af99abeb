package fxjson_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// Types without generated code, which are otherwise the same.
type (
	plainInlineAny     jsontypes.InlineAny
	plainInlineOnly    jsontypes.InlineOnly
	plainInlineRaw     jsontypes.InlineRaw
	plainInlineDeep    jsontypes.InlineDeep
	plainInlineTwice   jsontypes.InlineTwice
	plainInlineShallow jsontypes.InlineShallow
	plainUnknowns      jsontypes.Unknowns
	plainInlineHidden  jsontypes.InlineHidden
)

// inlines are types with inlined fields, with and without generated code.
var inlines = [][2]reflect.Type{
	{reflect.TypeFor[jsontypes.InlineAny](), reflect.TypeFor[plainInlineAny]()},
	{reflect.TypeFor[jsontypes.InlineOnly](), reflect.TypeFor[plainInlineOnly]()},
	{reflect.TypeFor[jsontypes.InlineRaw](), reflect.TypeFor[plainInlineRaw]()},
	{reflect.TypeFor[jsontypes.InlineDeep](), reflect.TypeFor[plainInlineDeep]()},
	{reflect.TypeFor[jsontypes.InlineTwice](), reflect.TypeFor[plainInlineTwice]()},
	{reflect.TypeFor[jsontypes.InlineShallow](), reflect.TypeFor[plainInlineShallow]()},
	{reflect.TypeFor[jsontypes.Unknowns](), reflect.TypeFor[plainUnknowns]()},
	{reflect.TypeFor[jsontypes.InlineHidden](), reflect.TypeFor[plainInlineHidden]()},
}

// inlineCases are documents, and what marshaling gives after unmarshaling them; "" for the document
// itself. TestInlineOracle asks encoding/json on its version 2 whether that is right.
var inlineCases = []struct {
	v         any
	doc, want string
}{
	{jsontypes.InlineAny{}, `{"a":1,"b":"x","c":[1,null],"d":{"e":true}}`, ``},
	{jsontypes.InlineAny{}, `{"d":2,"A":7,"c":null,"d":3}`, `{"a":7,"c":null,"d":3}`},
	{jsontypes.InlineAny{}, `{}`, `{"a":0}`},
	{jsontypes.InlineAny{}, `null`, `{"a":0}`},
	{jsontypes.InlineAny{}, `{"\u0061":1,"\u0063\"":2,"<é>":"\ud800"}`, `{"a":1,"\u003cé\u003e":"` + "\ufffd" + `","c\"":2}`},
	{jsontypes.InlineAny{}, `{"":0,"inline":1,"Extra":{"x":1}}`, `{"a":0,"":0,"Extra":{"x":1},"inline":1}`},
	{jsontypes.InlineOnly{}, `{"k":{"opt":1,"x":2},"k":{"y":3}}`, `{"k":{"opt":1,"x":2,"y":3}}`},
	{jsontypes.InlineOnly{}, `{}`, ``},
	{jsontypes.InlineRaw{}, `{"z":[ 1 , "<" ],"opt":5, "\u0062":{} ,"näme":"n","z":1}`,
		`{"opt":5,"näme":"n","z":[1,"\u003c"],"\u0062":{},"z":1}`},
	{jsontypes.InlineRaw{}, `{}`, ``},
	{jsontypes.InlineRaw{}, `{"x":1}`, ``},
	{jsontypes.InlineDeep{}, `{"H":["h"],"t":1.5,"a":"s","both":3,"inner":{"a":1,"q":2},"z":4}`,
		`{"H":["h"],"t":1.5,"a":"s","inner":{"a":1,"q":2},"both":3,"z":4}`},
	{jsontypes.InlineDeep{}, `{"a":"s","list":[{"a":1},{"a":2,"x":"y"}]}`,
		`{"H":null,"a":"s","inner":{"a":0},"list":[{"a":1},{"a":2,"x":"y"}]}`},
	{jsontypes.InlineTwice{}, `{"a":1,"t":2,"z":1,"C":true}`, `{"a":1,"both":0,"t":2,"C":true}`},
	{jsontypes.InlineShallow{}, `{"a":1,"z":{"a":2,"both":3,"H":[]}}`, ``},
	{jsontypes.Unknowns{}, `{"a":1,"z":{"a": 2}}`, `{"a":1,"z":{"a":2}}`},
}

// TestInline reads and writes the cases with generated code and by the plan.
func TestInline(t *testing.T) {
	for _, c := range inlineCases {
		want := c.want
		if want == "" {
			want = c.doc
		}
		for _, typ := range both(reflect.TypeOf(c.v)) {
			p := reflect.New(typ)
			if err := fxjson.Unmarshal([]byte(c.doc), p.Interface()); err != nil {
				t.Errorf("%v from %s: %v", typ, c.doc, err)
				continue
			}
			for _, v := range []any{p.Interface(), p.Elem().Interface()} {
				if got, err := fxjson.Marshal(v); string(got) != want || err != nil {
					t.Errorf("%v from %s:\n%s, %v\nwant\n%s", typ, c.doc, got, err, want)
				}
			}
		}
	}
}

// TestInlineOracle asks encoding/json the same where it is built on its version 2.
func TestInlineOracle(t *testing.T) {
	if !jsonwire.StdV2 {
		t.Skip("version 1 of encoding/json knows no inlined fields")
	}
	for _, c := range inlineCases {
		want := c.want
		if want == "" {
			want = c.doc
		}
		p := reflect.New(reflect.TypeOf(c.v))
		err := json.Unmarshal([]byte(c.doc), p.Interface())
		if got, err2 := json.Marshal(p.Interface()); string(got) != want || err != nil || err2 != nil {
			t.Errorf("%T from %s: encoding/json makes\n%s, %v, %v\nwant\n%s", c.v, c.doc, got, err, err2, want)
		}
	}
}

// both are a type of inlines with and without generated code.
func both(t reflect.Type) []reflect.Type {
	for _, pair := range inlines {
		if pair[0] == t {
			return pair[:]
		}
	}
	return []reflect.Type{t}
}

// TestInlineRandom compares generated code, the plan and, where it knows inlined fields,
// encoding/json, on random values and documents of random members.
func TestInlineRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, pair := range inlines {
		std := jsonwire.StdV2 && pair[0] != reflect.TypeFor[jsontypes.InlineHidden]()
		for range 400 {
			v := reflect.New(pair[0])
			fill(r, v.Elem(), 3)
			inlineRaw(r, v.Elem())
			w := v.Convert(reflect.PointerTo(pair[1]))
			a, aErr := fxjson.Marshal(v.Interface())
			b, bErr := fxjson.Marshal(w.Interface())
			if string(a) != string(b) || (aErr == nil) != (bErr == nil) {
				t.Fatalf("%v:\n%s, %v\nwithout generated code\n%s, %v", pair[0], a, aErr, b, bErr)
			}
			if std {
				if c, err := json.Marshal(v.Interface()); string(a) != string(c) || (aErr == nil) != (err == nil) {
					t.Fatalf("%v:\n%s, %v\nencoding/json\n%s, %v", pair[0], a, aErr, c, err)
				}
			}
			doc := randomMembers(r, 3)
			if r.IntN(3) == 0 && aErr == nil {
				doc = string(a)
			}
			inlineDecode(t, r, pair, doc, std)
		}
	}
}

// inlineDecode unmarshals a document in all ways, into new values and into values that hold
// something.
func inlineDecode(t *testing.T, r *rand.Rand, pair [2]reflect.Type, doc string, std bool) {
	t.Helper()
	v, s, u := reflect.New(pair[0]), reflect.New(pair[0]), reflect.New(pair[0])
	if r.IntN(2) == 0 {
		seed := r.Uint64()
		for _, p := range []reflect.Value{v, s, u} {
			r := rand.New(rand.NewPCG(seed, 1))
			fill(r, p.Elem(), 2)
			inlineRaw(r, p.Elem())
		}
	}
	w := u.Convert(reflect.PointerTo(pair[1]))
	aErr := fxjson.Unmarshal([]byte(doc), v.Interface())
	bErr := fxjson.Unmarshal([]byte(doc), w.Interface())
	if (aErr == nil) != (bErr == nil) || !equalOrNaN(v.Elem().Convert(pair[1]), w.Elem()) {
		t.Fatalf("%v from %s:\n%+v, %v\nwithout generated code\n%+v, %v", pair[0], doc, v.Elem(), aErr, w.Elem(), bErr)
	}
	if !std {
		return
	}
	var err error
	if ended(func() ([]byte, error) { err = json.Unmarshal([]byte(doc), s.Interface()); return nil, nil }) == "panic" {
		return // as it does for members that are to go into raw JSON that is no object
	}
	if (aErr == nil) != (err == nil) || err == nil && !equalOrNaN(v.Elem(), s.Elem()) {
		t.Fatalf("%v from %s:\n%+v, %v\nencoding/json\n%+v, %v", pair[0], doc, v.Elem(), aErr, s.Elem(), err)
	}
}

// equalOrNaN compares values, except for those that hold a NaN, which equals nothing.
func equalOrNaN(a, b reflect.Value) bool {
	return reflect.DeepEqual(a.Interface(), b.Interface()) || holdsNaN(a) && holdsNaN(b)
}

func holdsNaN(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return v.Float() != v.Float()
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && holdsNaN(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			if holdsNaN(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if holdsNaN(v.MapIndex(k)) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if holdsNaN(v.Field(i)) {
				return true
			}
		}
	}
	return false
}

// inlineRaw sets the raw JSON of an InlineRaw to something that is most often an object.
func inlineRaw(r *rand.Rand, v reflect.Value) {
	if x, ok := v.Addr().Interface().(*jsontypes.InlineRaw); ok {
		x.Extra = json.RawMessage([]string{"", "{}", ` {"x" : 1 } `, `{"<":[1, 2],"y":null}`, `{"a":1,}`, "[]", "null", `{"q":1} x`}[r.IntN(8)])
	}
}

// randomMembers is an object of members that the types know and others.
func randomMembers(r *rand.Rand, depth int) string {
	names := []string{"a", "A", "b", "both", "h", "t", "opt", "näme", "n\\u00e4me", "inner", "list", "C", "x", "\\u0078", "ü",
		"Extra", "", "long name of an unknown member"}
	values := []string{"null", "1", `"s"`, "1.5", "true", "[]", `[{"a":1,"z":2}]`, `"\u00e9"`, "[1, 2]", "1e400"}
	var b strings.Builder
	b.WriteString("{")
	for i := range r.IntN(7) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(`"` + names[r.IntN(len(names))] + `":`)
		if depth > 0 && r.IntN(3) == 0 {
			b.WriteString(randomMembers(r, depth-1))
		} else {
			b.WriteString(values[r.IntN(len(values))])
		}
	}
	b.WriteString("}")
	if r.IntN(20) == 0 {
		return b.String()[:r.IntN(b.Len())]
	}
	return b.String()
}

// TestInlineOptions refuses and discards unknown members.
func TestInlineOptions(t *testing.T) {
	strict := fxjson.UnmarshalOptions{DisallowUnknownFields: true}
	exact := fxjson.UnmarshalOptions{MatchCaseSensitiveNames: true}
	drop := fxjson.DefaultMarshal
	drop.DiscardUnknownMembers = true
	for _, typ := range both(reflect.TypeFor[jsontypes.Unknowns]()) {
		p := reflect.New(typ)
		if err := strict.Unmarshal([]byte(`{"a":1,"z":{}}`), p.Interface()); err == nil || !strings.Contains(err.Error(), `unknown field "z"`) {
			t.Errorf("%v: option unknown, strictly: %v", typ, err)
		}
		p.Elem().Field(1).Set(reflect.ValueOf(map[string]json.RawMessage{"x": json.RawMessage("1")}))
		if b, err := drop.Marshal(p.Interface()); string(b) != `{"a":1}` || err != nil {
			t.Errorf("%v: discarded: %s, %v", typ, b, err)
		}
	}
	for _, typ := range both(reflect.TypeFor[jsontypes.InlineAny]()) {
		p := reflect.New(typ)
		if err := strict.Unmarshal([]byte(`{"a":1,"z":{}}`), p.Interface()); err != nil {
			t.Errorf("%v: option inline, strictly: %v", typ, err)
		}
		if b, err := drop.Marshal(p.Interface()); string(b) != `{"a":1,"z":{}}` || err != nil {
			t.Errorf("%v: inlined members are not unknown: %s, %v", typ, b, err)
		}
		q := reflect.New(typ)
		if err := exact.Unmarshal([]byte(`{"A":1}`), q.Interface()); err != nil {
			t.Error(err)
		}
		if b, err := fxjson.Marshal(q.Interface()); string(b) != `{"a":0,"A":1}` || err != nil {
			t.Errorf("%v: exact names: %s, %v", typ, b, err)
		}
	}
}

// TestInlineFails never has encoding/json write or read a form that it does not know.
func TestInlineFails(t *testing.T) {
	type Loop struct {
		Next  *Loop          `json:"next,omitempty"`
		Extra map[string]any `json:"-" fxjson:"inline"`
	}
	deep := &Loop{Extra: map[string]any{"x": 1.0}}
	for range 1500 {
		deep = &Loop{Next: deep}
	}
	want := strings.Repeat(`{"next":`, 1500) + `{"x":1}` + strings.Repeat("}", 1500)
	for _, v := range []any{deep, *deep, []any{deep}} {
		b, err := fxjson.Marshal(v)
		if got := strings.Trim(string(b), "[]"); got != want || err != nil {
			t.Errorf("1,500 levels: %.40s…, %v", b, err)
		}
	}
	deep.Next = deep
	if b, err := fxjson.Marshal(deep); err == nil {
		t.Errorf("a cycle: %.40s…", b)
	}
	for _, raw := range []string{"[]", "null", "{", `{"a":1}}`} {
		for _, typ := range both(reflect.TypeFor[jsontypes.InlineRaw]()) {
			p := reflect.New(typ)
			p.Elem().FieldByName("Extra").SetBytes([]byte(raw))
			if b, err := fxjson.Marshal(p.Interface()); err == nil || !strings.Contains(err.Error(), "inlined raw JSON") {
				t.Errorf("%v, raw %s: %s, %v", typ, raw, b, err)
			}
		}
	}
	bad := jsontypes.InlineAny{Extra: map[string]any{"x": math.NaN()}}
	if _, err := fxjson.Marshal(bad); !errors.As(err, new(*json.UnsupportedValueError)) && err == nil {
		t.Errorf("NaN inside: %v", err)
	}
	var wrong struct {
		N int `fxjson:"inline"`
	}
	if b, err := fxjson.Marshal(wrong); err == nil {
		t.Errorf("an inlined int: %s", b)
	}
	if err := fxjson.Unmarshal([]byte(`{}`), &wrong); err == nil {
		t.Error("an inlined int was read")
	}
	var into jsontypes.InlineAny
	if err := fxjson.Unmarshal([]byte(`{"z":1,"a":"x","y":2}`), &into); err == nil || len(into.Extra) != 2 {
		t.Errorf("after an error: %v, %v", into, err)
	}
}

// TestInlineOwnsKeys lets names of members outlive their document, small and large.
func TestInlineOwnsKeys(t *testing.T) {
	for _, n := range []int{10, 5000} {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,"key` + strconv.Itoa(i) + `":"value"`)
		}
		doc := []byte("{" + b.String()[1:] + "}")
		var v jsontypes.InlineAny
		if err := fxjson.Unmarshal(doc, &v); err != nil {
			t.Fatal(err)
		}
		for range 3 { // which use the memory again
			fxjson.Unmarshal([]byte(`{"zzzzzzzzz":1,"yyyyyyyyyyyyyyy":2`+strings.Repeat(" ", len(doc))+`}`), new(jsontypes.InlineAny))
		}
		for i := range n {
			if v.Extra["key"+strconv.Itoa(i)] != "value" {
				t.Fatalf("%d members: key%d is gone", n, i)
			}
		}
	}
}
