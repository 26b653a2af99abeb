package dynamic_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dynamic"
	"github.com/zmylab/zmy/wire"
)

// Types whose fields embed each other and share names.
type (
	nameRoot struct {
		A int8 `json:"a" zmy:"0"`
		NameLeft
		NameRight `zmy:"2"`
		Own       NameDeep `zmy:"3"`
		Hidden    int8     `json:"-" zmy:"4"`
		X         int8     `json:"x" zmy:"5"`
	}
	NameLeft struct {
		A    int8 `json:"a" zmy:"0"` // hidden by nameRoot's
		B    int8 `zmy:"1"`          // hidden by NameRight's, of the same depth
		Left int8 `zmy:"2"`
		NameDeep
	}
	NameRight struct {
		B        int8 `zmy:"0"`
		C        int8 `json:"c" zmy:"1"`
		NameDeep `zmy:"2"`
	}
	NameDeep struct {
		Deep int8 `zmy:"0"` // met twice on one level
	}
)

// Names are those of encoding/json, and a lossless text has all fields.
func TestNames(t *testing.T) {
	field := func(number, typ uint32, name, text string, embedded bool) schema.Field {
		return schema.Field{Number: number, Type: typ, Name: name, JSON: text, Embedded: embedded}
	}
	s := &schema.Schema{Types: []schema.Type{
		{Kind: schema.Struct, Name: "nameRoot", Fields: []schema.Field{
			field(0, 4, "A", "a", false), field(1, 1, "NameLeft", "", true), field(2, 2, "NameRight", "", true), field(3, 3, "Own", "", false),
			field(4, 4, "Hidden", "-", false), field(5, 4, "X", "x", false),
		}},
		{Kind: schema.Struct, Name: "NameLeft", Fields: []schema.Field{field(0, 4, "A", "a", false), field(1, 4, "B", "", false),
			field(2, 4, "Left", "", false), field(3, 3, "NameDeep", "", true)}},
		{Kind: schema.Struct, Name: "NameRight", Fields: []schema.Field{field(0, 4, "B", "", false), field(1, 4, "C", "c", false),
			field(2, 3, "NameDeep", "", true)}},
		{Kind: schema.Struct, Name: "NameDeep", Fields: []schema.Field{field(0, 4, "Deep", "", false)}},
		{Kind: schema.Int8},
	}}
	c, err := dynamic.New(s)
	if err != nil {
		t.Fatal(err)
	}
	v := nameRoot{A: 1, NameLeft: NameLeft{2, 3, 4, NameDeep{5}}, NameRight: NameRight{6, 7, NameDeep{8}}, Own: NameDeep{9}, Hidden: 10, X: 11}
	want, err := json.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := c.ParseJSON([]byte(`{"A":0}`), dynamic.JSONOptions{})
	if err == nil {
		t.Fatalf("%+v", tree)
	}
	lossless := `{"a":1,"NameLeft":{"a":2,"B":3,"Left":4,"NameDeep":{"Deep":5}},"NameRight":{"B":6,"c":7,"NameDeep":{"Deep":8}},"Own":{"Deep":9},"Hidden":10,"x":11}`
	tree, err = c.ParseJSON([]byte(lossless), dynamic.JSONOptions{Lossless: true})
	if err != nil {
		t.Fatal(err)
	}
	msg, err := c.Encode(tree)
	if err != nil {
		t.Fatal(err)
	}
	if err := wire.Verify(tableOf(t, s), 0, msg, 64); err != nil {
		t.Fatal(err)
	}
	if text, err := c.AppendJSON(nil, tree, dynamic.JSONOptions{Lossless: true}); err != nil || string(text) != lossless {
		t.Errorf("%v\n got %s\nwant %s", err, text, lossless)
	}
	if text, err := c.JSON(msg); err != nil || string(text) != string(want) {
		t.Errorf("%v\n got %s\nwant %s", err, text, want)
	}
	var back nameRoot
	if err := json.Unmarshal(want, &back); err != nil {
		t.Fatal(err)
	}
	tree, err = c.ParseJSON(want, dynamic.JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := tree.MarshalJSON(); err != nil || string(text) != `{"a":1,"Left":4,"c":7,"Own":{"Deep":9},"x":11}` {
		t.Errorf("%v: %s", err, text)
	}
}

func tableOf(t *testing.T, s *schema.Schema) []wire.Desc {
	t.Helper()
	l, err := s.Layout()
	if err != nil {
		t.Fatal(err)
	}
	return l.Table
}

// EmbeddedPtr is embedded by a pointer, which may be nil.
type EmbeddedPtr struct {
	B int8 `json:"b" zmy:"0"`
}

type embedsPtr struct {
	A            int8 `json:"a" zmy:"0"`
	*EmbeddedPtr `zmy:"1"`
}

// Fields of a struct that is embedded by a pointer stand beside the others too.
func TestEmbeddedPointer(t *testing.T) {
	c := codecOf[embedsPtr](t)
	for _, v := range []embedsPtr{{A: 1}, {A: 1, EmbeddedPtr: &EmbeddedPtr{B: 2}}} {
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := c.ParseJSON(want, dynamic.JSONOptions{})
		if err != nil {
			t.Fatal(err)
		}
		msg, err := c.Encode(tree)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.JSON(msg); err != nil || string(got) != string(want) {
			t.Errorf("%v\n got %s\nwant %s", err, got, want)
		}
	}
}

// Small schemas whose names in JSON would take gigabytes are refused: a chain of
// structs that embed each other, and one struct that is embedded in many fields.
func TestTooManyNames(t *testing.T) {
	const n = 1000
	text := schema.Type{Kind: schema.String}
	chain := &schema.Schema{}
	for i := range n {
		fields := []schema.Field{{Type: uint32(i + 1), Name: "E", Embedded: true}, {Number: 1, Type: n, Name: "F" + strconv.Itoa(i)}}
		chain.Types = append(chain.Types, schema.Type{Kind: schema.Struct, Fields: fields[min(1, i/(n-1)):]})
	}
	chain.Types[n-1].Fields[0].Number = 0
	chain.Types = append(chain.Types, text)

	wide := &schema.Schema{Types: []schema.Type{{Kind: schema.Struct}, {Kind: schema.Struct}, text}}
	flat := &schema.Schema{Types: []schema.Type{{Kind: schema.Struct}, text}}
	for i := range uint32(2 * n) {
		wide.Types[0].Fields = append(wide.Types[0].Fields, schema.Field{Number: i, Type: 1, Embedded: true})
		wide.Types[1].Fields = append(wide.Types[1].Fields, schema.Field{Number: i, Type: 2, Name: strconv.Itoa(int(i))})
		flat.Types[0].Fields = append(flat.Types[0].Fields, schema.Field{Number: i, Type: 1, Name: strconv.Itoa(int(i))})
	}
	for _, s := range []struct {
		*schema.Schema
		ok bool
	}{{chain, false}, {wide, false}, {flat, true}} {
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		if _, err := dynamic.New(s.Schema); (err == nil) != s.ok {
			t.Errorf("%d types: %v", len(s.Types), err)
		}
	}
}
