package fxjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// TestNilAsEmpty compares with encoding/json on values in which nil slices and maps were made empty
// ones.
func TestNilAsEmpty(t *testing.T) {
	opt := fxjson.DefaultMarshal
	opt.NilSliceAsEmpty, opt.NilMapAsEmpty = true, true
	r := rand.New(rand.NewPCG(21, 22))
	kinds := []func() any{func() any { return new(jsontypes.Shapes) }, func() any { return new(plainShapes) },
		func() any { return new(jsontypes.Session) },
		func() any { return new(map[string][]int) }, func() any { return new([][]string) }, func() any { return new([]map[string]any) },
		func() any { return new([]byte) }}
	for _, kind := range kinds {
		for range 100 {
			v := kind()
			fill(r, reflect.ValueOf(v).Elem(), 3)
			got, err := opt.Marshal(v)
			var stream bytes.Buffer
			enc := fxjson.NewEncoder(&stream)
			enc.SetOptions(opt)
			streamErr := enc.Encode(v)
			noNil(reflect.ValueOf(v))
			want, wantErr := json.Marshal(v)
			if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
				t.Fatalf("%T:\nhave %s, %v\nwant %s, %v", v, got, err, want, wantErr)
			}
			if (streamErr == nil) != (wantErr == nil) || wantErr == nil && stream.String() != string(want)+"\n" {
				t.Fatalf("Encode %T:\nhave %s, %v\nwant %s", v, &stream, streamErr, want)
			}
		}
	}
	deep := any([]int(nil))
	for range 1500 { // deeper than what is left to encoding/json otherwise
		deep = []any{deep}
	}
	got, err := opt.Marshal(deep)
	if want := strings.Repeat("[", 1501) + strings.Repeat("]", 1501); string(got) != want || err != nil {
		t.Errorf("1,500 levels: %.20s…, %v", got, err)
	}
}

// noNil makes nil slices and maps empty ones, except for raw JSON.
func noNil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.Kind() == reflect.Interface {
			x := reflect.New(v.Elem().Type())
			x.Elem().Set(v.Elem())
			noNil(x)
			v.Set(x.Elem())
			return
		}
		noNil(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				noNil(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.IsNil() && v.Type() != reflect.TypeFor[json.RawMessage]() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			noNil(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			noNil(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for _, k := range v.MapKeys() {
			x := reflect.New(v.Type().Elem())
			x.Elem().Set(v.MapIndex(k))
			noNil(x)
			v.SetMapIndex(k, x.Elem())
		}
	}
}

// TestUseInt64 compares with the numbers that UseNumber gives.
func TestUseInt64(t *testing.T) {
	opt := fxjson.UnmarshalOptions{UseInt64: true}
	var b strings.Builder
	for lit := range numberShapes {
		if _, err := strconv.ParseFloat(lit, 64); err == nil {
			b.WriteString(lit + ",")
		}
	}
	doc := []byte(`{"any":[` + b.String() + `-0, 9223372036854775807, 9223372036854775808, -9223372036854775809, 1.0, 1e2, {"a":7}]}`)
	for _, kind := range []func() any{func() any { return new(jsontypes.Shapes) }, func() any { return new(plainShapes) },
		func() any { return new(any) }} {
		got, want := kind(), kind()
		if err := opt.Unmarshal(doc, got); err != nil {
			t.Fatal(err)
		}
		std := json.NewDecoder(bytes.NewReader(doc))
		std.UseNumber()
		if err := std.Decode(want); err != nil {
			t.Fatal(err)
		}
		if g, w := anyIn(got), int64s(anyIn(want)); !reflect.DeepEqual(g, w) {
			t.Errorf("%T:\nhave %#v\nwant %#v", got, g, w)
		}
	}
}

func anyIn(v any) any {
	switch x := v.(type) {
	case *jsontypes.Shapes:
		return x.Any
	case *plainShapes:
		return x.Any
	}
	return (*v.(*any)).(map[string]any)["any"]
}

// int64s has numbers as UseInt64 gives them.
func int64s(v any) any {
	switch x := v.(type) {
	case []any:
		for i := range x {
			x[i] = int64s(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = int64s(x[k])
		}
	case json.Number:
		if n, err := x.Int64(); err == nil && x != "-0" {
			return n
		}
		f, err := x.Float64()
		if err != nil {
			panic(err)
		}
		return f
	}
	return v
}

// TestCaseSensitive gives keys in other cases to structs.
func TestCaseSensitive(t *testing.T) {
	strict := fxjson.UnmarshalOptions{MatchCaseSensitiveNames: true}
	for _, kind := range []func() any{func() any { return new(jsontypes.Wide) }, func() any { return new(plainWide) }} {
		v, want := kind(), kind()
		if err := strict.Unmarshal([]byte(`{"f00":1,"F01":2,"f01":3,"F02":4}`), v); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(`{"F01":2,"F02":4}`), want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(v, want) {
			t.Errorf("have %+v", v)
		}
		dec := fxjson.NewDecoder(strings.NewReader(`{"f00":1}`))
		dec.SetOptions(fxjson.UnmarshalOptions{MatchCaseSensitiveNames: true, DisallowUnknownFields: true})
		if err := dec.Decode(kind()); err == nil || err.Error() != `json: unknown field "f00"` {
			t.Errorf("have %v", err)
		}
		if err := strict.Unmarshal([]byte(`{"f00":1,"F01":"x","f02":3}`), v); err == nil || !reflect.DeepEqual(v, want) {
			t.Errorf("after an error: %+v, %v", v, err)
		}
	}
}

// TestDuplicateNames compares with a look at the tokens of encoding/json.
func TestDuplicateNames(t *testing.T) {
	strict := fxjson.UnmarshalOptions{DisallowDuplicateNames: true}
	r := rand.New(rand.NewPCG(23, 24))
	docs := []string{`{"a":1,"\u0061":2}`, `{"x":{"a":1},"y":{"a":1}}`, `[{"a":1},{"a":[{"b":1,"b":2}]}]`, `{"a":"a","b":"a"}`,
		`{"":1,"":2}`, `{"a" : 1 , "a" : 2}`, `{"a":[],"b":{},"a":1}`,
		`{` + many(40, func(i int) string { return `"` + strconv.Itoa(i) + `":1` }) + `}`, `{` +
			many(40, func(i int) string { return `"` + strconv.Itoa(i%39) + `":1` }) + `}`, `"a:"`, `["a","a"]`}
	for range 500 {
		docs = append(docs, string(mutate(r, document(r, func() any { return new(any) }))))
	}
	found := 0
	for _, doc := range docs {
		var v any
		err, std := strict.Unmarshal([]byte(doc), &v), json.Unmarshal([]byte(doc), new(any))
		dup := (*fxjson.DuplicateError)(nil)
		switch is := errors.As(err, &dup); {
		case std != nil && (is || err == nil):
			t.Errorf("%q: have %v, want %v", doc, err, std)
		case std == nil && is != twice(json.NewDecoder(strings.NewReader(doc))):
			t.Errorf("%q: have %v", doc, err)
		case is:
			found++
			if v != nil || doc[dup.Offset] != '"' {
				t.Errorf("%q: offset %d, target %v", doc, dup.Offset, v)
			}
		}
	}
	if found < 5 {
		t.Errorf("%d documents with a duplicate", found)
	}
}

// twice reports whether an object of the document has a name twice.
func twice(dec *json.Decoder) (found bool) {
	t, err := dec.Token()
	if err != nil {
		panic(err)
	}
	names := map[any]bool{}
	switch t {
	case json.Delim('{'):
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				panic(err)
			}
			found = found || names[name]
			names[name] = true
			found = twice(dec) || found
		}
	case json.Delim('['):
		for dec.More() {
			found = twice(dec) || found
		}
	default:
		return false
	}
	if _, err := dec.Token(); err != nil {
		panic(err)
	}
	return found
}

// TestElements compares with a slice that is unmarshaled as a whole.
func TestElements(t *testing.T) {
	for _, doc := range []string{`[]`, ` [ ] `, `null`, `[1]`, `[1,2,3] 7`, `[1,"x",3]`, `[1,2`, `[1,]`, `{"a":1}`, `7`, ``, `[1 2]`} {
		for _, reader := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
			var got []int
			var last error
			dec := fxjson.NewDecoder(reader(strings.NewReader(doc)))
			for v, err := range fxjson.Elements[int](dec) {
				if last != nil {
					t.Errorf("%s: %v goes on", doc, last)
				}
				if last = err; err == nil {
					got = append(got, v)
				}
			}
			var want []int
			std := json.NewDecoder(strings.NewReader(doc)).Decode(&want)
			if (last == nil) != (std == nil) || last == nil && len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Errorf("%s: have %v, %v; want %v, %v", doc, got, last, want, std)
			}
		}
	}
	dec := fxjson.NewDecoder(strings.NewReader(`[1,2,3] "next"`))
	for v, err := range fxjson.Elements[int](dec) {
		if v == 2 || err != nil {
			break
		}
	}
	if tok, err := dec.Token(); tok != 3.0 || err != nil {
		t.Errorf("behind the break: %v, %v", tok, err)
	}
}
