package fxjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
)

const getDoc = ` { "a" : { "b" : [ 1 , "x\n" , { "c" : true , "c" : 2 } , [ ] , null ] , "é" : -1.5e3 } , "a.b" : [ [ 7 ] ] , ` +
	`"" : "empty" , "k\u0041" : 18446744073709551615 , "x" : {} } `

func TestGet(t *testing.T) {
	for path, want := range map[string]string{
		"": strings.TrimSpace(getDoc), "a.b[0]": "1", "a.b[1]": `"x\n"`, "a.b[2].c": "true", "a.b[3]": "[ ]", "a.b[4]": "null", "a.é": "-1.5e3",
		`["a.b"][0][0]`: "7", `[""]`: `"empty"`, "kA": "18446744073709551615", `["a"]["b"][0]`: "1", "a[\"b\"][0]": "1", "x": "{}",
	} {
		v, err := fxjson.Get([]byte(getDoc), path)
		if err != nil || string(v.Raw()) != want {
			t.Errorf("%s: have %s, %v, want %s", path, v.Raw(), err, want)
		}
	}
	for _, path := range []string{"b", "a.c", "a[0]", "a.b[5]", "a.b.c", "a.b[0].c", "a.b[0][0]", "x.y", "a.b[3][0]", "A"} {
		if v, err := fxjson.Get([]byte(getDoc), path); !errors.Is(err, fxjson.ErrNotFound) {
			t.Errorf("%s: have %s, %v", path, v.Raw(), err)
		}
	}
	for _, path := range []string{".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[+3]", "a[-0]", "a[0x1]", "a[1_0]",
		"a[99999999999999999999]", `a["b`, "a[0]b", "a.[0]", `["a"]b`} {
		if v, err := fxjson.Get([]byte(getDoc), path); err == nil || errors.Is(err, fxjson.ErrNotFound) {
			t.Errorf("%s: have %s, %v", path, v.Raw(), err)
		}
	}
	for _, c := range [][2]string{{`{"a":1,"b"}`, "b"}, {`{"a":01,"b":2}`, "b"}, {`[1 2]`, "[1]"}, {`{"a":tru}`, "a"},
		{`{"a":`, "a"}, {`{"\x":1}`, "a"}, {"", ""}, {"x", "a"}, {"{a:1}", "a"}, {`["`, "[1]"}} {
		v, err := fxjson.Get([]byte(c[0]), c[1])
		if malformed := (*fxjson.MalformedError)(nil); err == nil || !errors.As(err, &malformed) {
			t.Errorf("%s in %s: have %s, %v", c[1], c[0], v.Raw(), err)
		}
	}
}

// TestValue walks random documents and compares all of them with encoding/json.
func TestValue(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for _, kind := range kinds {
		for range runs(40) {
			doc := document(r, kind)
			var want any
			d := json.NewDecoder(bytes.NewReader(doc))
			d.UseNumber()
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
			v, err := fxjson.Parse(doc)
			if err != nil {
				t.Fatal(err)
			}
			if got := tree(t, v, doc, ""); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s:\nhave %v\nwant %v", doc, got, want)
			}
			bad := mutate(r, doc)
			if _, err := fxjson.Parse(bad); (err == nil) != json.Valid(bad) {
				t.Fatalf("%s: %v", bad, err)
			}
		}
	}
}

// tree is v as encoding/json gives it, found on its own and by Get.
func tree(t *testing.T, v fxjson.Value, doc []byte, path string) any {
	again, err := fxjson.Get(doc, path)
	if err != nil || !bytes.Equal(again.Raw(), v.Raw()) {
		t.Fatalf("%s at %s: have %s, %v, want %s", doc, path, again.Raw(), err, v.Raw())
	}
	switch v.Kind() {
	case fxjson.Null:
		return nil
	case fxjson.Bool:
		x, err := v.Bool()
		if err != nil {
			t.Fatal(err)
		}
		return x
	case fxjson.String:
		return v.String()
	case fxjson.NumberKind:
		checkNumber(t, v)
		return json.Number(v.String())
	case fxjson.Array:
		list := []any{}
		for x := range v.Elements() {
			list = append(list, tree(t, x, doc, path+"["+strconv.Itoa(len(list))+"]"))
		}
		return list
	case fxjson.Object:
		m := map[string]any{}
		for k, x := range v.Members() {
			key := k.String()
			at := path + `["` + key + `"]`
			if _, again := m[key]; again || strings.Contains(key, `"]`) {
				m[key] = tree(t, x, x.Raw(), "")
				continue
			}
			m[key] = tree(t, x, doc, at)
		}
		return m
	}
	t.Fatal("no value")
	return nil
}

func checkNumber(t *testing.T, v fxjson.Value) {
	n := json.Number(v.String())
	i, err := v.Int64()
	wantI, wantErr := n.Int64()
	if (err == nil) != (wantErr == nil) || err == nil && i != wantI {
		t.Errorf("%s: %d, %v", n, i, err)
	}
	u, err := v.Uint64()
	if wantU, wantErr := strconv.ParseUint(string(n), 10, 64); (err == nil) != (wantErr == nil) || err == nil && u != wantU {
		t.Errorf("%s: %d, %v", n, u, err)
	}
	f, err := v.Float64()
	if wantF, wantErr := n.Float64(); (err == nil) != (wantErr == nil) || err == nil && f != wantF {
		t.Errorf("%s: %v, %v", n, f, err)
	}
}

// TestGetWindows looks at documents through windows of every size: the answers are
// those of the whole.
func TestGetWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	paths := []string{"", "a", "a.b", "a.b[1]", "a.b[2].c", "a.b[9]", "x.y", "x", "k A", "kA", "a[0]", "z", `["a.b"][0][0]`, "[0]",
		"[2]", "[1].a", "a..b"}
	for _, doc := range []string{getDoc, `[1,-12.5e10,{"a":"b\u0041"}]`, `12`, `"text"`, `{"a":12`, `{"a":[{"b":tru}]}`,
		` {"k":[[[[]]]],"a":{"b":[true,null]}} x`} {
		docs := [][]byte{[]byte(doc)}
		for range 20 {
			docs = append(docs, mutate(r, []byte(doc)))
		}
		for _, doc := range docs {
			for _, path := range paths {
				want, wantErr := fxjson.GetWithin(doc, path, len(doc))
				for window := range len(doc) {
					got, err := fxjson.GetWithin(doc, path, window+1)
					if !bytes.Equal(got.Raw(), want.Raw()) || !sameError(err, wantErr) {
						t.Fatalf("%q of %q through %d bytes: have %s, %v, want %s, %v", path, doc, window+1, got.Raw(), err, want.Raw(), wantErr)
					}
				}
			}
		}
	}
}

func TestKindString(t *testing.T) {
	for k, want := range map[fxjson.Kind]string{fxjson.Invalid: "nothing", fxjson.Object: "object", 7: "Kind(7)", 255: "Kind(255)"} {
		if got := k.String(); got != want {
			t.Errorf("kind %d is %q, want %q", uint8(k), got, want)
		}
	}
}

// TestGetAllocations holds the promise of none.
func TestGetAllocations(t *testing.T) {
	if race {
		t.Skip("pools drop values then")
	}
	doc := []byte(getDoc)
	long := []byte(`{"a":1,"b":"` + strings.Repeat("text ", 1<<20) + `","c":2}`)
	room := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		v, _ := fxjson.Get(doc, "a.b[2].c")
		v.Bool()
		fxjson.Get(long, "a")
		v, _ = fxjson.Get(doc, `["a.b"][0]`)
		for x := range v.Elements() {
			x.Int64()
		}
		v, _ = fxjson.Parse(doc)
		for k, x := range v.Members() {
			k.AppendText(room)
			x.Kind()
			for range x.Members() {
			}
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzGet(f *testing.F) {
	f.Add([]byte(getDoc), "a.b[2].c")
	f.Add([]byte(`[1,[2,"\u0041",{"a":1}]]`), "[1][2].a")
	f.Fuzz(func(t *testing.T, doc []byte, path string) {
		v, err := fxjson.Get(doc, path)
		if err != nil {
			return
		}
		if !json.Valid(v.Raw()) {
			t.Fatalf("%q of %q is %q", path, doc, v.Raw())
		}
		for range v.Elements() {
		}
		for k, x := range v.Members() {
			_, _ = k.String(), x.String()
		}
	})
}

// TestRawAppend appends to a value's text: the document stays as it is.
func TestRawAppend(t *testing.T) {
	doc := []byte(`{"a":1,"b":2}`)
	v, err := fxjson.Get(doc, "a")
	if err != nil {
		t.Fatal(err)
	}
	raw := v.Raw()
	if err := json.Unmarshal([]byte("[1,2,3]"), &raw); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(doc) {
		t.Errorf("the document became %s", doc)
	}
}

func BenchmarkGet(b *testing.B) {
	doc, err := json.Marshal(&benchSession)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("get", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := fxjson.Get(doc, "profile.email"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var v struct{ Profile struct{ Email string } }
			if err := json.Unmarshal(doc, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}
