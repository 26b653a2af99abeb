package fxjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

type (
	plainRequired     jsontypes.Required
	plainRequiredMany jsontypes.RequiredMany
)

// TestRequired compares errors with what an object lacks by its type, with and without generated
// code.
func TestRequired(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`{"id":"a","kind":"k","items":[]}`, ""},
		{`{"ID":null,"kind":null,"items":null}`, ""},
		{`null`, ""},
		{`{"kind":"k","note":"n"}`, `fxjson: the document lacks "id", "items", required of the object that ends at offset 23`},
		{`{"id":"a","items":[{"sku":"s","price":1},{"sku":"s"}],"kind":"k"}`,
			`fxjson: items[1] lacks "price", required of the object that ends at offset 52`},
		{`{"id":"a","items":[],"kind":"k","sub":{}}`, `fxjson: sub lacks "sku", "price", required of the object that ends at offset 40`},
		{`{"id":"a","items":[],"kind":"k","by.key":{"x":{"price":1,"sku":""}, "a\u002eb":{"price":1}}}`,
			`fxjson: ["by.key"]["a.b"] lacks "sku", required of the object that ends at offset 90`},
		{`{"id":"a","items":[{}],"other":{"id":[{}]}}`, `fxjson: items[0] lacks "sku", "price", required of the object that ends at offset 21`},
		{`{"id":"a","items":[]`, `fxjson: malformed JSON at offset 20`},
	} {
		for _, v := range []any{new(jsontypes.Required), new(plainRequired), &jsontypes.Required{Note: "used"}, &plainRequired{Note: "used"}} {
			err := fxjson.Unmarshal([]byte(c.doc), v)
			if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
				t.Errorf("%T from %s: %v, want %s", v, c.doc, err, c.want)
			}
		}
	}
	var m *fxjson.MissingError
	if err := fxjson.Unmarshal([]byte(`{"sku":"a"}`), new(jsontypes.RequiredItem)); !errors.As(err, &m) ||
		!slices.Equal(m.Names, []string{"price"}) || m.Path != "" {
		t.Errorf("%#v", m)
	}
}

// TestRequiredMany leaves out each of seventy members.
func TestRequiredMany(t *testing.T) {
	for gap := range 71 {
		var b strings.Builder
		for i := range 70 {
			if i != gap {
				fmt.Fprintf(&b, `,"F%d":1`, i)
			}
		}
		doc := "{" + b.String()[1:] + "}"
		for _, v := range []any{new(jsontypes.RequiredMany), new(plainRequiredMany)} {
			err := fxjson.Unmarshal([]byte(doc), v)
			if gap == 70 && err != nil || gap < 70 && (err == nil || !strings.Contains(err.Error(), fmt.Sprintf(`lacks "F%d",`, gap))) {
				t.Errorf("without F%d: %v", gap, err)
			}
		}
	}
}

// TestRequiredRandom leaves out members at random. An oracle finds by reflection whether something
// is missing, and that the object at the error's path lacks what the error says.
func TestRequiredRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	counts := [2]int{}
	n := runs(5000)
	for range n {
		v := jsontypes.Required{RequiredBase: new(jsontypes.RequiredBase)}
		fill(r, reflect.ValueOf(&v).Elem(), 3)
		if v.RequiredBase == nil {
			continue
		}
		full, err := json.Marshal(&v)
		if err != nil {
			continue
		}
		var tree any
		if err := json.Unmarshal(full, &tree); err != nil {
			t.Fatal(err)
		}
		prune(r, tree)
		doc, _ := json.Marshal(tree)
		lacks := lacking(reflect.TypeOf(v), tree)
		for _, into := range []any{new(jsontypes.Required), new(plainRequired)} {
			err := fxjson.Unmarshal(doc, into)
			if (err != nil) != lacks {
				t.Fatalf("%T from %s: %v, but something is missing: %v", into, doc, err, lacks)
			}
			if err == nil {
				counts[0]++
				continue
			}
			counts[1]++
			var m *fxjson.MissingError
			if !errors.As(err, &m) {
				t.Fatalf("%T from %s: %v", into, doc, err)
			}
			at, err := fxjson.Get(doc, m.Path)
			if err != nil {
				t.Fatalf("%s: path %s: %v", doc, m.Path, err)
			}
			if !bytes.HasSuffix(doc[:m.Offset], at.Raw()) {
				t.Fatalf("%s: the object at %s is %s, which does not end at offset %d", doc, m.Path, at.Raw(), m.Offset)
			}
			var members map[string]any
			json.Unmarshal(at.Raw(), &members)
			for _, n := range m.Names {
				if _, ok := members[n]; ok {
					t.Fatalf("%s: %s has %q, but error %v", doc, at.Raw(), n, m)
				}
			}
		}
	}
	if min(counts[0], counts[1]) < n/10 {
		t.Errorf("%d documents that lack nothing, %d that do: too few to prove anything", counts[0], counts[1])
	}
}

// prune leaves out some members.
func prune(r *rand.Rand, x any) {
	switch x := x.(type) {
	case []any:
		for _, e := range x {
			prune(r, e)
		}
	case map[string]any:
		for k, e := range x {
			if prune(r, e); r.IntN(25) == 0 {
				delete(x, k)
			}
		}
	}
}

// lacking reports whether a value of JSON for a t, or one inside, lacks a required member.
func lacking(t reflect.Type, x any) bool {
	switch t.Kind() {
	case reflect.Pointer:
		return lacking(t.Elem(), x)
	case reflect.Slice:
		list, _ := x.([]any)
		return slices.ContainsFunc(list, func(e any) bool { return lacking(t.Elem(), e) })
	case reflect.Map:
		members, _ := x.(map[string]any)
		for _, e := range members {
			if lacking(t.Elem(), e) {
				return true
			}
		}
	case reflect.Struct:
		members, ok := x.(map[string]any)
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous {
				if lacking(f.Type, x) {
					return true
				}
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			e, has := members[name]
			if ok && !has && strings.Contains(f.Tag.Get("fxjson"), "required") || has && lacking(f.Type, e) {
				return true
			}
		}
	}
	return false
}
