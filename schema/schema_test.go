package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

type kinds struct {
	B    bool              `zmy:"0" json:"b"`
	I    int               `zmy:"1"`
	U    uint8             `zmy:"2" json:"-"`
	F    float32           `zmy:"3"`
	T    time.Time         `zmy:"4"`
	D    time.Duration     `zmy:"5"`
	S    string            `zmy:"6"`
	Raw  json.RawMessage   `zmy:"7"`
	N    json.Number       `zmy:"8"`
	By   []byte            `zmy:"9"`
	Any  any               `zmy:"10"`
	Big  *big.Int          `zmy:"11"`
	Real big.Float         `zmy:"12"`
	L    []int32           `zmy:"13,nilable"`
	P    *kinds            `zmy:"14,deprecated"`
	Kids []*kinds          `zmy:"15"`
	M    map[string]any    `zmy:"16"`
	Set  map[int8]struct{} `zmy:"17"`
	Key  [3]byte           `zmy:"18"`
	skip int
}

func of[T any](t testing.TB) *schema.Schema {
	t.Helper()
	s, err := schema.For[T]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestText(t *testing.T) {
	_ = kinds{}.skip
	s := of[kinds](t)
	want := "{bool,int64,uint8,float32,time,duration,string,bytes:json,string,bytes,any,?bigint,bigfloat,?[]int32,?#0,[]#0,map[string]any,map[int8]{},[3]uint8}"
	if got := s.Text(); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	full := "kinds{B b bool,I int64,U - uint8,F float32,T time,D duration,S string,Raw bytes:json,N string,By bytes,Any any,Big " +
		"?bigint,Real bigfloat,L ?[]int32,P ?#0,Kids []#0,M map[string]any,Set map[int8]{},Key [3]uint8}"
	if got := s.FullText(); got != full {
		t.Errorf("\n got %s\nwant %s", got, full)
	}
	order := of[zmycase.Order](t)
	if got, f := order.Text(), order.Fingerprint(); got != "{string,[]{string,float64,int32,bytes},map[string]string,time}" ||
		f != 0x3ff2297c802c3c6 {
		t.Errorf("%s: %#x", got, f)
	}
}

func TestOfRefuses(t *testing.T) {
	for _, c := range []struct {
		t    reflect.Type
		want string
	}{
		{reflect.TypeFor[int](), "schema: a message is a struct, not int"},
		{reflect.TypeFor[struct {
			A chan int `zmy:"0"`
		}](), "chan int has no wire type"},
		{reflect.TypeFor[struct {
			A int `zmy:"1"`
		}](), "field A: number 1 stands where 0 is next"},
		{reflect.TypeFor[struct {
			A int `zmy:"0"`
			B int
		}](), "field B: no struct tag zmy"},
		{reflect.TypeFor[struct {
			A int `zmy:"0,nilable"`
		}](), "option nilable is for slices and maps, not for int"},
		{reflect.TypeFor[struct {
			A int64 `zmy:"0,sparse"`
		}](), `struct tag zmy has no option "sparse"`},
		{reflect.TypeFor[struct {
			A **int `zmy:"0"`
		}](), "**int has no wire type; drop the pointer"},
		{reflect.TypeFor[struct {
			A []struct{} `zmy:"0"`
		}](), "a list of empty structs is only a number"},
		{reflect.TypeFor[struct {
			A map[float64]int `zmy:"0"`
		}](), "map key float64 has no wire type"},
	} {
		if _, err := schema.Of(c.t); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.t, err, c.want)
		}
	}
}

func TestBlock(t *testing.T) {
	for _, s := range []*schema.Schema{of[kinds](t), of[zmycase.Case](t), of[zmycase.Node](t), of[schema.Schema](t)} {
		b, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, err := schema.Parse(b)
		if err != nil || !reflect.DeepEqual(back, s) {
			t.Errorf("%v\n got %+v\nwant %+v", err, back, s)
		}
		for n := range b {
			if _, err := schema.Parse(b[:n]); err == nil {
				t.Fatalf("the first %d of %d bytes are a schema", n, len(b))
			}
		}
	}
}

// The meta-schema is fixed: blocks of today are read by all later versions.
func TestMetaSchema(t *testing.T) {
	const want = "{[]{uint8,uint32,uint32,uint32,uint64,bool,bool,string,[]{uint32,uint32,bool,bool,bool,bool,string,string},[]{int64,string}},{uint32,uint32,uint32}}"
	if got := of[schema.Schema](t).Text(); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	s := &schema.Schema{Types: []schema.Type{
		{Kind: schema.Struct, Name: "Order", Fields: []schema.Field{{Type: 1, Name: "ID"}}},
		{Kind: schema.String},
	}}
	got, err := s.Marshal()
	if err != nil || fmt.Sprintf("%x", got) != metaVector {
		t.Errorf("%v\n got %x\nwant %s", err, got, metaVector)
	}
}

const metaVector = "008000006b006b0017c000000a00460063001a0000000000000000000000000000000000000000000022003c003c004f726465720c80000008001a0000000000010000000000000012001200494410000000000000000000000000000000000000000000001d001d001d00"

// broken are tables that Check must refuse.
var broken = []struct {
	name  string
	types []schema.Type
	want  string
}{
	{"none", nil, "0 types"},
	{"no struct", []schema.Type{{Kind: schema.String}}, "a message is a struct"},
	{"kind 0", root(schema.Type{}), "unknown kind 0"},
	{"kind 99", root(schema.Type{Kind: 99}), "unknown kind 99"},
	{"elem", root(schema.Type{Kind: schema.List, Elem: 2}), "beyond the table"},
	{"key", root(schema.Type{Kind: schema.Map, Key: 2}), "beyond the table"},
	{"field type", []schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Type: 1}}}}, "beyond the table"},
	{"scalar with elem", root(schema.Type{Kind: schema.Bool, Elem: 1}), "holds no other type"},
	{"list with key", root(schema.Type{Kind: schema.List, Key: 1}), "holds no other type"},
	{"array of 0", root(schema.Type{Kind: schema.Array}), "length 0"},
	{"list of 3", root(schema.Type{Kind: schema.List, Len: 3}), "length 3"},
	{"huge array", root(schema.Type{Kind: schema.Array, Len: 1 << 31}), "length"},
	{"scalar with fields", root(schema.Type{Kind: schema.Bool, Fields: []schema.Field{{}}}), "no fields"},
	{"string with values", root(schema.Type{Kind: schema.String, Values: []schema.Value{{}}}), "no named values"},
	{"gap", []schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Number: 1, Type: 1}}}, {Kind: schema.Bool}}, "where 0 is next"},
	{"list of itself", root(schema.Type{Kind: schema.List, Elem: 1}), "without a struct between"},
	{"struct in itself", []schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Type: 0}}}}, "contains itself"},
	{"struct in its array", root(schema.Type{Kind: schema.Array, Len: 2}), "contains itself"},
	{"key of itself", root(schema.Type{Kind: schema.Map, Key: 1}), "map key map"},
	{"struct as key", root(schema.Type{Kind: schema.Map}), "map key struct"},
	{"pointer to any", root(schema.Type{Kind: schema.Opt, Elem: 2}, schema.Type{Kind: schema.Any}), "pointer to any"},
	{"list of pointers to structs", root(schema.Type{Kind: schema.List, Elem: 2}, schema.Type{Kind: schema.Opt, Elem: 0}),
		"are those structs"},
	{"large scalars", root(schema.Type{Kind: schema.Array, Len: 1 << 30, Elem: 2},
		schema.Type{Kind: schema.Array, Len: 1 << 30, Elem: 3}, schema.Type{Kind: schema.Time}), "array of"},
	{"large arrays", root(schema.Type{Kind: schema.Array, Len: 1 << 30, Elem: 2},
		schema.Type{Kind: schema.Array, Len: 1 << 30, Elem: 3}, schema.Type{Kind: schema.String}), "more than 2 GiB"},
	{"union arm", root(schema.Type{Kind: schema.Union, Fields: []schema.Field{{Number: 1, Type: 2}}},
		schema.Type{Kind: schema.Bool}), "arms are structs"},
	{"inline message", []schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Inline: true}}}}, "contains itself"},
	{"inline scalar", []schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Type: 1, Inline: true}}}, {Kind: schema.Bool}},
		"everywhere or nowhere"},
	{"inline and not", []schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Type: 1, Inline: true}, {Number: 1, Type: 1}}},
		{Kind: schema.Struct}}, "everywhere or nowhere"},
	{"inline element", []schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Type: 1, Inline: true}, {Number: 1, Type: 2}}},
		{Kind: schema.Struct}, {Kind: schema.List, Elem: 1}}, "holds a struct that stands inline"},
	{"inline of nothing", []schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Type: 1, Inline: true}}},
		{Kind: schema.Struct}}, "inline with 0 bytes"},
	{"inline string", []schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Type: 1, Inline: true}}},
		{Kind: schema.Struct, Fields: []schema.Field{{Type: 2}}}, {Kind: schema.String}}, "has no fixed size"},
	{"reserved long", root(schema.Type{Kind: schema.Reserved, Len: 256}), "reserved of 256 bytes"},
	{"union arm 0", root(schema.Type{Kind: schema.Union, Fields: []schema.Field{{Number: 0, Type: 0}}}), "arm number 0"},
}

// root is a table whose message has one field, of the first type given.
func root(types ...schema.Type) []schema.Type {
	return append([]schema.Type{{Kind: schema.Struct, Fields: []schema.Field{{Type: 1}}}}, types...)
}

func TestCheck(t *testing.T) {
	for _, c := range broken {
		s := &schema.Schema{Types: c.types}
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if _, err := s.Marshal(); err == nil {
			t.Errorf("%s: marshalled", c.name)
		}
		b, err := s.AppendZMY(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := schema.Parse(b); err == nil {
			t.Errorf("%s: parsed", c.name)
		}
	}
	// Structs inline in structs inline in structs: each is spelled where it stands.
	for levels, ok := range map[uint32]bool{schema.MaxChain: true, schema.MaxChain + 1: false} {
		var types []schema.Type
		for i := range levels + 1 {
			types = append(types, schema.Type{Kind: schema.Struct, Fields: []schema.Field{{Type: i + 1, Inline: i < levels}}})
		}
		types = append(types, schema.Type{Kind: schema.Bool})
		if err := (&schema.Schema{Types: types}).Check(); (err == nil) != ok {
			t.Errorf("%d levels inline: %v", levels, err)
		}
	}
	// Structs of structs of structs: a value of 2^60 units.
	var types []schema.Type
	for i := range uint32(61) {
		types = append(types, schema.Type{Kind: schema.Struct, Fields: []schema.Field{{Type: i + 1}, {Number: 1, Type: i + 1}}})
	}
	types = append(types, schema.Type{Kind: schema.String})
	if err := (&schema.Schema{Types: types}).Check(); err == nil || !strings.Contains(err.Error(), "more than 2 GiB") {
		t.Error("doubling:", err)
	}
	// A union may hold a struct that holds it.
	around := &schema.Schema{Types: root(schema.Type{Kind: schema.Union, Fields: []schema.Field{{Number: 1, Type: 0}}})}
	if err := around.Check(); err != nil {
		t.Error(err)
	}
}

// Unions and sparse structs are laid out as generated code has them.
func TestLayoutDirectives(t *testing.T) {
	number, text := schema.Type{Kind: schema.Int32}, schema.Type{Kind: schema.String}
	drawing := &schema.Schema{Types: []schema.Type{
		{Kind: schema.Struct, Name: "Drawing", Fields: []schema.Field{{Type: 1}}},
		{Kind: schema.List, Elem: 2},
		{Kind: schema.Union, Name: "Shape", Fields: []schema.Field{{Number: 1, Type: 3, Name: "Circle"}, {Number: 2, Type: 5, Name: "Line"}}},
		{Kind: schema.Struct, Name: "Circle", Fields: []schema.Field{{Type: 4}}}, number,
		{Kind: schema.Struct, Name: "Line", Fields: []schema.Field{{Type: 6}}}, text,
	}}
	thin := &schema.Schema{Types: []schema.Type{
		{Kind: schema.Struct, Sparse: true, Fields: []schema.Field{{Type: 1}, {Number: 1, Type: 2}, {Number: 2, Type: 3}, {Number: 3, Type: 4}}},
		{Kind: schema.Int16}, text, {Kind: schema.Bool}, {Kind: schema.List, Elem: 0},
	}}
	for _, c := range []struct {
		s *schema.Schema
		v zmy.Marshaler
	}{
		{drawing, &zmycase.Drawing{Shapes: []zmycase.Shape{zmycase.Circle{R: 2}, &zmycase.Line{Name: "é"}, nil}}},
		{thin, &zmycase.Thin{A: 1, Kids: []zmycase.Thin{{C: true}, {B: "é", Kids: make([]zmycase.Thin, 2)}}}},
	} {
		if err := c.s.Check(); err != nil {
			t.Fatal(err)
		}
		l, err := c.s.Layout()
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.v.AppendZMY(nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range b {
			for bit := range 8 {
				m := bytes.Clone(b)
				m[n] ^= 1 << bit
				was := reflect.New(reflect.TypeOf(c.v).Elem()).Interface().(zmy.Unmarshaler).UnmarshalZMY(m)
				if err := wire.Verify(l.Table, 0, m, zmy.DefaultMaxDepth); (err == nil) != (was == nil) {
					t.Fatalf("%x: verify %v, unmarshal %v", m, err, was)
				}
			}
		}
	}
}

// Layouts check messages as generated code does.
func TestLayout(t *testing.T) {
	l, err := of[zmycase.Case](t).Layout()
	if err != nil {
		t.Fatal(err)
	}
	text := "x"
	v := zmycase.Case{Text: "é", Ints: []int16{1}, Index: map[string]zmycase.Point2{"a": {X: 1}}, Opt: &text,
		Set: map[string]struct{}{"s": {}}, Any: []any{1}}
	b, err := zmy.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	for n := range b {
		for bit := range 8 {
			c := bytes.Clone(b)
			c[n] ^= 1 << bit
			_, want := zmycase.ViewCase(c)
			if got := wire.Verify(l.Table, 0, c, 64); (got == nil) != (want == nil) {
				t.Fatalf("bit %d of byte %d: %v by layout, %v by generated code", bit, n, got, want)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []*schema.Schema{of[kinds](f), of[zmycase.Node](f), of[schema.Schema](f)} {
		b, err := s.Marshal()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, c := range broken {
		b, _ := (&schema.Schema{Types: c.types}).AppendZMY(nil)
		f.Add(b)
	}
	node := of[zmycase.Node](f)
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := schema.Parse(b)
		if err != nil {
			var broken schema.Schema
			if broken.UnmarshalZMY(b) == nil {
				schema.Diff(node, &broken) // must not fail either
			}
			return
		}
		_, _ = s.FullFingerprint(), schema.Diff(node, s)
		if changes := schema.Diff(s, s); len(changes) > 0 {
			t.Fatalf("a schema differs from itself: %v", changes)
		}
		if l, err := s.Layout(); err == nil {
			_ = wire.Verify(l.Table, 0, b, 64)
		}
	})
}

func ExampleDiff() {
	type Order struct { // as it was
		ID    string  `zmy:"0"`
		Price float64 `zmy:"1"`
	}
	before, _ := schema.For[Order]()
	{
		type Order struct { // as it is
			ID    string  `zmy:"0"`
			Price float32 `zmy:"1"`
			Note  string  `zmy:"2"`
		}
		after, _ := schema.For[Order]()
		changes := schema.Diff(before, after)
		for _, c := range changes {
			fmt.Println(c)
		}
		fmt.Println("breaks:", schema.Breaks(changes))
	}
	// Output:
	// Order.Price: FIELD_TYPE_CHANGED: float64 became float32; add a field of the new type and deprecate this one
	// Order.Note: FIELD_ADDED: number 2, string
	// breaks: true
}

// A type with generated code is carried by its fields wherever it stands.
func TestGeneratedElsewhere(t *testing.T) {
	s, err := schema.For[struct {
		O zmycase.Order `zmy:"0"`
	}]()
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Types[s.Types[0].Fields[0].Type]; f.Kind != schema.Struct || f.Name != "Order" {
		t.Errorf("%+v", f)
	}
}
