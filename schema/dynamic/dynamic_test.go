package dynamic_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dynamic"
)

func codecOf[T any](t testing.TB) *dynamic.Codec {
	t.Helper()
	s, err := schema.For[T]()
	if err != nil {
		t.Fatal(err)
	}
	c, err := dynamic.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ptr[T any](v T) *T { return &v }

// Each kind, as it stands in the tree and in JSON.
func TestKinds(t *testing.T) {
	at := time.Date(2024, 2, 29, 12, 0, 0, 5, time.UTC)
	v := zmycase.Case{
		Bool: true, Time: at, Text: "é<", Any: map[string]any{"n": -5, "l": []any{nil, 1.5, []float64{math.NaN()}}, "b": []byte("x"),
			"r": zmy.RawStruct{ID: 1, Data: []byte("y")}, "d": zmy.Decimal{Scale: 2, Unscaled: big.NewInt(123)}},
		Ints: []int16{-1, 2}, Texts: []string{"a", ""}, Index: map[string]zmycase.Point2{"k": {X: 1}}, Codes: map[int8]string{-1: "m", 1: "p"},
		Flags: map[bool]bool{true: false}, Set: map[string]struct{}{"s": {}}, Inner: zmycase.Point2{Y: 7}, Ptr: &zmycase.Point2{},
		Num: ptr[int32](0), Opt: ptr(""),
		List: []string{}, Big: big.NewInt(-300), Real: big.NewFloat(1.5), Pair: [2]string{"", "z"}, Spots: [2]zmycase.Point2{{}, {X: 1}},
	}
	b, err := zmy.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	c := codecOf[zmycase.Case](t)
	got, err := c.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"Bool": true, "Time": at, "Text": "é<", "Ints": []any{int64(-1), int64(2)}, "Texts": []any{"a", ""},
		"Codes": dynamic.Map{{Key: int64(-1), Value: "m"}, {Key: int64(1), Value: "p"}}, "Flags": dynamic.Map{{Key: true, Value: false}},
		"Num": int64(0), "Opt": "", "List": []any{}, "Big": big.NewInt(-300), "Real": big.NewFloat(1.5), "Pair": []any{"", "z"},
	} {
		value, ok := got.Field(name)
		if !ok || !reflect.DeepEqual(value, want) {
			t.Errorf("%s: %#v, want %#v", name, value, want)
		}
	}
	text, err := c.JSON(b)
	const want = `{"Bool":true,"Time":"2024-02-29T12:00:00.000000005Z","Text":"é\u003c",` +
		`"Any":{"b":"eA==","d":123e-2,"l":[null,1.5,["NaN"]],"n":-5,"r":{"lineage":"0000000000000001","data":"eQ=="}},` +
		`"Ints":[-1,2],"Texts":["a",""],"Index":{"k":{"X":1,"Y":0}},"Codes":{"-1":"m","1":"p"},"Flags":{"true":false},"Set":{"s":{}},` +
		`"Inner":{"X":0,"Y":7},"Ptr":{"X":0,"Y":0},"Num":0,"Opt":"","List":[],"Big":-300,"Real":"1.5","Pair":["","z"],"Spots":[{"X":0,"Y":0},{"X":1,"Y":0}]}`
	if err != nil || string(text) != want {
		t.Errorf("%v\n got %s\nwant %s", err, text, want)
	}
}

// The zero message, which has nothing but zeros, has every field.
func TestZero(t *testing.T) {
	b, err := zmy.Marshal(&zmycase.Case{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := codecOf[zmycase.Case](t).JSON(b)
	const want = `{"Bool":false,"Time":"0001-01-01T00:00:00Z","Text":"","Any":null,"Ints":null,"Texts":null,"Index":null,"Codes":null,"Flags":null,"Set":null,` +
		`"Inner":{"X":0,"Y":0},"Ptr":null,"Num":null,"Opt":null,"List":null,"Big":null,"Real":null,"Pair":["",""],"Spots":[{"X":0,"Y":0},{"X":0,"Y":0}]}`
	if err != nil || string(text) != want {
		t.Errorf("%v\n got %s\nwant %s", err, text, want)
	}
}

// JSON is that of encoding/json.
func TestJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	c := codecOf[zmycase.Order](t)
	for range 50 {
		v := zmycase.Order{ID: fmt.Sprint("ord-", r.Uint32()), Timestamp: time.Unix(r.Int64N(1<<32), r.Int64N(1e9)).UTC()}
		for range 1 + r.IntN(4) {
			v.Items = append(v.Items, zmycase.Item{Sku: "s\"\n", Price: r.NormFloat64() * 1e9, Qty: r.Int32(), Attrs: []byte{1, 2}})
		}
		v.Metadata = map[string]string{"b": "2", "a": "1"}
		b, err := zmy.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.JSON(b); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v\n got %s\nwant %s", err, got, want)
		}
	}
}

// Messages of newer and of older versions are read, as generated code does.
func TestVersions(t *testing.T) {
	newer, _ := zmy.Marshal(&zmycase.Point3List{Points: []zmycase.Point3{{X: 1, Y: 2, Name: "n"}}})
	older, _ := zmy.Marshal(&zmycase.Point2List{Points: []zmycase.Point2{{X: 1, Y: 2}}})
	for _, c := range []struct {
		codec *dynamic.Codec
		msg   []byte
		want  string
	}{
		{codecOf[zmycase.Point2List](t), newer, `{"Points":[{"X":1,"Y":2}]}`},
		{codecOf[zmycase.Point3List](t), older, `{"Points":[{"X":1,"Y":2,"Name":""}]}`},
	} {
		if got, err := c.codec.JSON(c.msg); err != nil || string(got) != c.want {
			t.Errorf("%v: %s, want %s", err, got, c.want)
		}
	}
}

// What generated code accepts is accepted, and nothing else.
func TestDamage(t *testing.T) {
	v := zmycase.Case{Text: "text", Texts: []string{"a", "b"}, Index: map[string]zmycase.Point2{"k": {X: 1}}, Any: []any{1, "x"},
		Codes: map[int8]string{1: "p"}, Real: big.NewFloat(1.5), Opt: ptr("o"), Spots: [2]zmycase.Point2{{X: 1}}}
	b, err := zmy.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	c := codecOf[zmycase.Case](t)
	for n := range b {
		for bit := range 8 {
			bad := bytes.Clone(b)
			bad[n] ^= 1 << bit
			_, got := c.JSON(bad)
			want := zmy.Unmarshal(bad, new(zmycase.Case))
			if (got == nil) != (want == nil) {
				t.Fatalf("bit %d of byte %d: %v, generated code says %v", bit, n, got, want)
			}
		}
		if _, err := c.Decode(b[:n]); err == nil {
			t.Fatalf("the first %d bytes were accepted", n)
		}
	}
}

// A few bytes that stand for much are refused before the memory is taken.
func TestBudget(t *testing.T) {
	array := []schema.Type{
		{Kind: schema.Struct, Name: "T", Fields: []schema.Field{{Type: 1}}},
		{Kind: schema.Array, Len: 1 << 26, Elem: 2},
		{Kind: schema.String},
	}
	doubling := []schema.Type{}
	for i := range uint32(22) {
		doubling = append(doubling, schema.Type{Kind: schema.Struct, Fields: []schema.Field{{Type: i + 1}, {Number: 1, Type: i + 1}}})
	}
	doubling = append(doubling, schema.Type{Kind: schema.Bool})
	for name, c := range map[string]struct {
		types []schema.Type
		msg   []byte
	}{
		"array":    {array, []byte{0, 0x40, 0, 0, 6, 0}},
		"doubling": {doubling, []byte{0, 0x80, 0, 0, 8, 0, 8, 0}},
	} {
		codec, err := dynamic.New(&schema.Schema{Types: c.types})
		if err != nil {
			t.Fatal(name, err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = codec.Decode(c.msg)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, zmy.ErrBudget) {
			t.Errorf("%s: %v", name, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 128<<20 {
			t.Errorf("%s: %d MB were allocated", name, got>>20)
		}
	}
}

// A long name before many short values does not make endless JSON.
func TestMaxJSON(t *testing.T) {
	s := &schema.Schema{Types: []schema.Type{
		{Kind: schema.Struct, Name: "T", Fields: []schema.Field{{Type: 1, Name: "L"}}},
		{Kind: schema.List, Elem: 2},
		{Kind: schema.Struct, Fields: []schema.Field{{Type: 3, Name: strings.Repeat("n", 100_000)}}},
		{Kind: schema.Bool},
	}}
	c, err := dynamic.New(s)
	if err != nil {
		t.Fatal(err)
	}
	msg := append([]byte{0, 0x40, 0, 0, 0, 0, 1, 0, 0, 0}, make([]byte, 10_000)...)
	msg[4], msg[5] = byte(len(msg)), byte(len(msg)>>8)
	if _, err := c.JSON(msg); !errors.Is(err, zmy.ErrTooLarge) {
		t.Error(err)
	}
}

func TestOpen(t *testing.T) {
	s, err := schema.For[zmycase.Order]()
	if err != nil {
		t.Fatal(err)
	}
	block, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		o    zmy.SealOptions
		want string
	}{
		{"all", zmy.SealOptions{Schema: block, Fingerprint: s.Fingerprint()}, ""},
		{"no fingerprint", zmy.SealOptions{Schema: block}, ""},
		{"another fingerprint", zmy.SealOptions{Schema: block, Fingerprint: 1}, "the message 0000000000000001"},
		{"no schema", zmy.SealOptions{}, "no schema block"},
		{"bad schema", zmy.SealOptions{Schema: []byte("x")}, "schema: parse block"},
	} {
		b, err := c.o.Seal(&zmycase.Order{ID: "A1"})
		if err != nil {
			t.Fatal(err)
		}
		e, err := zmy.Open(b)
		if err != nil {
			t.Fatal(err)
		}
		v, err := dynamic.Open(e, zmy.UnmarshalOptions{})
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(c.name, err)
		}
		if id, _ := v.Field("ID"); id != "A1" {
			t.Errorf("%s: %v", c.name, id)
		}
	}
}

// Blocks and messages from anywhere.
func FuzzDecode(f *testing.F) {
	add := func(s *schema.Schema, err error, msg []byte, err2 error) {
		block, err3 := s.Marshal()
		if err := errors.Join(err, err2, err3); err != nil {
			f.Fatal(err)
		}
		f.Add(block, msg)
	}
	s, err := schema.For[zmycase.Case]()
	msg, err2 := zmy.Marshal(&zmycase.Case{Text: "x", Any: map[string]any{"a": 1}, Index: map[string]zmycase.Point2{"a": {X: 1}},
		List: []string{}})
	add(s, err, msg, err2)
	s, err = schema.For[zmycase.Node]()
	msg, err2 = zmy.Marshal(&zmycase.Node{Next: &zmycase.Node{}, Kids: []*zmycase.Node{{Value: 1}}})
	add(s, err, msg, err2)
	s, err = schema.For[schema.Schema]()
	msg, err2 = s.Marshal()
	add(s, err, msg, err2)
	for _, c := range formsSchemas() {
		add(c.schema, nil, c.msg(f), nil)
	}
	f.Fuzz(func(t *testing.T, block, msg []byte) {
		s, err := schema.Parse(block)
		if err != nil {
			return
		}
		c, err := dynamic.New(s)
		if err != nil {
			return
		}
		o := zmy.UnmarshalOptions{Budget: 1 << 20}
		v, err := c.DecodeOptions(msg, o)
		if err != nil {
			return
		}
		if text, err := v.MarshalJSON(); err == nil && !json.Valid(text) {
			t.Fatalf("not JSON: %s", text)
		}
		if o.Exact = true; len(msg) < 4096 {
			if v, err = c.DecodeOptions(msg, o); err == nil {
				roundTrip(t, c, v, msg)
			}
		}
	})
}

// roundTrip holds what is made of a tree, by way of lossless JSON and without,
// against the message that it was read from.
func roundTrip(t *testing.T, c *dynamic.Codec, v *dynamic.Struct, msg []byte) {
	t.Helper()
	if again, err := c.Encode(v); err != nil || !bytes.Equal(again, msg) {
		t.Fatalf("encode: %v\n%x\n%x", err, msg, again)
	}
	o := dynamic.JSONOptions{Lossless: true}
	text, err := c.AppendJSON(nil, v, o)
	if err != nil {
		return // too long
	}
	back, err := c.ParseJSON(text, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again, err := c.Encode(back); err != nil || !bytes.Equal(again, msg) {
		t.Fatalf("lossless JSON: %v\n%x\n%x\n%s", err, msg, again, text)
	}
}

func ExampleOpen() {
	// The writer knows its type, and sends the schema along.
	s, _ := schema.For[zmycase.Order]()
	block, _ := s.Marshal()
	sealed, err := zmy.SealOptions{Schema: block, Fingerprint: s.Fingerprint()}.Seal(&zmycase.Order{ID: "A1",
		Items: []zmycase.Item{{Sku: "x", Qty: 2}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	// The reader knows nothing.
	e, err := zmy.Open(sealed)
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := dynamic.Open(e, zmy.UnmarshalOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := v.MarshalJSON()
	fmt.Println(string(text), err)
	// Output:
	// {"ID":"A1","Items":[{"Sku":"x","Price":0,"Qty":2,"Attrs":null}],"Metadata":null,"Timestamp":"0001-01-01T00:00:00Z"} <nil>
}

// Errors have the code and the offset of generated code, and the name of a field.
func TestPaths(t *testing.T) {
	c := codecOf[zmycase.Case](t)
	msg, err := zmy.Marshal(&zmycase.Case{
		Bool: true, Time: time.Unix(1, 0), Text: "é", Texts: []string{"a", "é"}, Index: map[string]zmycase.Point2{"k": {X: 1}},
		Any:   map[string]any{"a": []any{1, "é", 300}},
		Codes: map[int8]string{1: "p", 2: "é"}, Flags: map[bool]bool{true: true}, Set: map[string]struct{}{"s": {}},
		Inner: zmycase.Point2{X: 1}, Ptr: &zmycase.Point2{}, Num: new(int32),
		Real: big.NewFloat(1.5), Big: big.NewInt(-5), Opt: ptr("o"), Pair: [2]string{"", "é"}, Spots: [2]zmycase.Point2{{X: 1}}, List: []string{},
	})
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]int{}
	for n := range msg {
		for bit := range 8 {
			bad := bytes.Clone(msg)
			bad[n] ^= 1 << bit
			_, err := c.Decode(bad)
			var got, want *zmy.DecodeError
			if !errors.As(err, &got) || !errors.As(zmy.Unmarshal(bad, new(zmycase.Case)), &want) {
				continue
			}
			paths[got.Path]++
			if got.Offset != want.Offset || !errors.Is(got, want.Err) {
				t.Errorf("bit %d of byte %d:\n got %v\nwant %v", bit, n, got, want)
			}
		}
	}
	for _, want := range []string{"", "Bool", "Time", "Text", "Texts[1]", `Any["a"][1]`, "Codes[2]", "Pair[1]"} {
		if paths[want] == 0 {
			t.Errorf("no error at %q", want)
		}
	}
}
