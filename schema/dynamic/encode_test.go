package dynamic_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dynamic"
)

// formsCase is a type that reflection does not see all of.
type formsCase struct {
	name   string
	schema *schema.Schema
	value  zmy.Marshaler
	json   string // lossless
}

func (c *formsCase) msg(t testing.TB) []byte {
	b, err := zmy.Marshal(c.value)
	if err != nil {
		t.Fatal(c.name, err)
	}
	return b
}

func formsSchemas() []*formsCase {
	field := func(number, typ uint32, name string) schema.Field {
		return schema.Field{Number: number, Type: typ, Name: name}
	}
	reserved := func(number, typ uint32) schema.Field {
		return schema.Field{Number: number, Type: typ, Reserved: true}
	}
	at := time.Date(2024, 1, 2, 3, 4, 5, 6, time.FixedZone("", -3601))
	forms := &schema.Schema{Types: []schema.Type{
		{Kind: schema.Struct, Name: "Forms", Fields: []schema.Field{field(0, 1, "Zone"), field(1, 2, "Nano"),
			{Number: 2, Type: 3, Name: "At", Inline: true}, reserved(3, 5), reserved(4, 6)}},
		{Kind: schema.TimeZone}, {Kind: schema.TimeUnixNano},
		{Kind: schema.Struct, Name: "Point2", Fields: []schema.Field{field(0, 4, "X"), field(1, 4, "Y")}}, {Kind: schema.Int32},
		{Kind: schema.Reserved, Len: 2, Name: "uint16"}, {Kind: schema.Reserved, Name: "string"},
	}}
	drawing := &schema.Schema{Types: []schema.Type{
		{Kind: schema.Struct, Name: "Drawing", Fields: []schema.Field{field(0, 1, "Shapes")}},
		{Kind: schema.List, Elem: 2}, {Kind: schema.Union, Name: "Shape", Fields: []schema.Field{field(1, 3, "Circle"), field(2, 5, "Line")}},
		{Kind: schema.Struct, Name: "Circle", Fields: []schema.Field{field(0, 4, "R")}}, {Kind: schema.Int32},
		{Kind: schema.Struct, Name: "Line", Fields: []schema.Field{field(0, 6, "Name")}}, {Kind: schema.String},
	}}
	thin := &schema.Schema{Types: []schema.Type{
		{Kind: schema.Struct, Name: "Thin", Sparse: true,
			Fields: []schema.Field{field(0, 1, "A"), field(1, 2, "B"), field(2, 3, "C"), field(3, 4, "Kids")}},
		{Kind: schema.Int16}, {Kind: schema.String}, {Kind: schema.Bool}, {Kind: schema.List, Elem: 0},
	}}
	return []*formsCase{
		{"forms", forms, &zmycase.Forms{Zone: at, Nano: at.UTC(), At: zmycase.Point2{X: 1}},
			`{"Zone":"2024-01-02T03:04:05.000000006-01:00:01","Nano":"2024-01-02T04:04:06.000000006Z","At":{"X":1,"Y":0}}`},
		{"zero forms", forms, &zmycase.Forms{}, `{"Zone":"0001-01-01T00:00:00Z","Nano":"0001-01-01T00:00:00Z","At":{"X":0,"Y":0}}`},
		{"union", drawing, &zmycase.Drawing{Shapes: []zmycase.Shape{zmycase.Circle{R: 3}, nil, zmycase.Line{},
			zmycase.ShapeUnknown{Disc: 9, Raw: []byte("x")}}}, `{"Shapes":[{"Circle":{"R":3}},null,{"Line":{"Name":""}},{"#9":"eA=="}]}`},
		{"sparse", thin, &zmycase.Thin{B: "b", Kids: []zmycase.Thin{{}, {C: true}}},
			`{"A":0,"B":"b","C":false,"Kids":[{"A":0,"B":"","C":false,"Kids":null},{"A":0,"B":"","C":true,"Kids":null}]}`},
		{"zero sparse", thin, &zmycase.Thin{}, `{"A":0,"B":"","C":false,"Kids":null}`},
	}
}

// Forms by directives and options come and go as generated code has them.
func TestDirectives(t *testing.T) {
	for _, f := range formsSchemas() {
		c, err := dynamic.New(f.schema)
		if err != nil {
			t.Fatal(f.name, err)
		}
		msg := f.msg(t)
		v, err := c.Decode(msg)
		if err != nil {
			t.Fatal(f.name, err)
		}
		if text, err := c.AppendJSON(nil, v, dynamic.JSONOptions{Lossless: true}); err != nil || string(text) != f.json {
			t.Errorf("%s: %v\n got %s\nwant %s", f.name, err, text, f.json)
		}
		roundTrip(t, c, v, msg)
	}
}

// Each value of type any comes back as it was, by way of lossless JSON.
func TestLosslessAny(t *testing.T) {
	c := codecOf[zmycase.Case](t)
	nan := math.Float64frombits(0x7ff8000000000abc)
	for _, v := range []any{
		nil, true, 1, math.MinInt / 2, uint64(math.MaxUint64), 1.0, 1.5, -0.0, math.Copysign(0, -1), 1e300, math.NaN(), nan, math.Inf(-1),
		"text", "\u2028<", []byte{}, []byte("b"), time.Unix(5, 5).UTC(), time.Duration(-5), big.NewInt(-5), new(big.Int),
		new(big.Int).Lsh(big.NewInt(1), 1<<18),
		big.NewFloat(0.1), new(big.Float), new(big.Float).SetPrec(100).SetMode(big.ToZero), new(big.Float).SetInf(true),
		new(big.Float).Neg(new(big.Float)),
		zmy.Decimal{Scale: -7, Unscaled: big.NewInt(-123)}, zmy.Decimal{Scale: 10_000}, zmy.RawStruct{ID: 1 << 63, Data: []byte("x")},
		zmy.RawStruct{}, zmy.RawAny{Kind: 200, Data: []byte("y")},
		json.RawMessage(`{ "a": 1 }`), json.RawMessage(`{"a":1}`), json.RawMessage("\xff"), json.RawMessage(""),
		json.RawMessage("null"), json.RawMessage(`{"$json":1}`), json.Number("1e9"), json.Number("no number"),
		float32(1.5), float32(math.Inf(1)), math.Float32frombits(0x7fc00001), complex64(complex(1, -2)), complex(1, -2),
		complex(math.NaN(), math.Copysign(0, -1)), complex(nan, 1), complex(math.Inf(1), 0),
		[]bool{true, false}, []int8{-1}, []int16{-1}, []int32{}, []int64{-1}, []int{1}, []uint16{1}, []uint32{1},
		[]uint64{math.MaxUint64}, []float32{1, float32(math.NaN())}, []float64{nan, 0.1},
		[]time.Time{{}}, []time.Duration{1}, []string{"", "x"}, map[string]string{"$x": "y"}, map[string]string{}, []any{},
		[]any{nil, []any{1, 1.0}}, map[string]any{},
		map[string]any{"$time": 1}, map[string]any{"$map": map[string]any{"$": nil}},
		map[string]any{"a": []any{map[string]any{"$bytes": "x"}}, "$b": 2},
	} {
		msg, err := zmy.Marshal(&zmycase.Case{Any: v})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := c.Decode(msg)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, c, tree, msg)
		if text, err := c.JSON(msg); err != nil || !json.Valid(text) {
			t.Errorf("%v: %v, %s", v, err, text)
		}
	}
}

// Times beyond RFC 3339 have a text of their own.
func TestTimeText(t *testing.T) {
	c := codecOf[zmycase.Case](t)
	for _, at := range []time.Time{
		{}, time.Unix(0, 0).UTC(), time.Unix(-31557014167219200, 0).UTC(), time.Unix(31556889864403199, 999999999).UTC(),
		time.Date(-1, 2, 28, 0, 0, 0, 1, time.UTC), time.Date(0, 2, 29, 23, 59, 59, 0, time.UTC),
		time.Date(12024, 2, 29, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
	} {
		msg, err := zmy.Marshal(&zmycase.Case{Time: at, Any: at})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := c.Decode(msg)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, c, tree, msg)
	}
	for _, bad := range []string{"", "x", "2024-02-30T00:00:00Z", "12023-02-29T00:00:00Z", "2024-01-01", "2024-01-01T00:00:00",
		"2024-01-01T24:00:00Z", "2024-01-01T00:00:00+19:00:00", "2024-01-01T00:00:00+1:00", "2024-01-01T00:00:00,5Z", "--1-01-01T00:00:00Z"} {
		if v, err := c.ParseJSON([]byte(`{"Time":"`+bad+`"}`), dynamic.JSONOptions{}); err == nil {
			t.Errorf("%q was read as %v", bad, v.Fields[0].Value)
		}
	}
}

// What is no value of the schema says what, where and why.
func TestParseErrors(t *testing.T) {
	c, drawing := codecOf[zmycase.Case](t), formsSchemas()[2].schema
	shapes, err := dynamic.New(drawing)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		codec *dynamic.Codec
		text  string
		want  string
	}{
		{c, `{"Bool":1}`, `JSON of Case.Bool: a number where a bool belongs at offset 8`},
		{c, `{"Ints":[1,40000]}`, `JSON of Case.Ints[1]: "40000" is no int16 at offset 11`},
		{c, `{"Ints":[1.0]}`, `JSON of Case.Ints[0]: "1.0" is no int16 at offset 9`},
		{c, `{"bool":true}`, `JSON of Case: Case has no field "bool"; did you mean "Bool"? at offset 1`},
		{c, `{"Inner":{"X":1,"Z":2}}`, `JSON of Case.Inner: Point2 has no field "Z" at offset 16`},
		{c, `{"Inner":{"X":1,"X":2}}`, `JSON of Case.Inner: field X stands there twice at offset 9`},
		{c, `{"Index":{"k":{},"k":{}}}`, `JSON of Case.Index: key "k" stands there twice at offset 17`},
		{c, `{"Index":{"k":{"X":"a"}}}`, `JSON of Case.Index["k"].X: "a" is no int32 at offset 19`},
		{c, `{"Codes":{"300":"x"}}`, `JSON of Case.Codes: "300" is no key of type int8 at offset 10`},
		{c, `{"Pair":["a","b","c"]}`, `JSON of Case.Pair[2]: more than 2 elements at offset 8`},
		{c, `{"Any":{"a":1,"a":2}}`, `JSON of Case.Any: member "a" stands there twice at offset 14`},
		{c, `{"Text":true}`, `JSON of Case.Text: a bool where a string belongs at offset 8`},
		{c, `{"Bool":tru}`, `JSON of Case: invalid character '}' in literal true (expecting 'e') at offset 12`},
		{c, `[]`, `JSON of Case: an array where an object belongs at offset 0`},
		{shapes, `{"Shapes":[{"Square":{}}]}`, `JSON of Drawing.Shapes[0]: Shape has no arm "Square" at offset 12`},
		{shapes, `{"Shapes":[{}]}`, `JSON of Drawing.Shapes[0]: a union has one member, the name of the arm at offset 11`},
	} {
		if _, err := x.codec.ParseJSON([]byte(x.text), dynamic.JSONOptions{}); err == nil || err.Error() != "zmy: dynamic: "+x.want {
			t.Errorf("%s: %v\nwant %s", x.text, err, x.want)
		}
	}
	if _, err := c.ParseJSON([]byte(`{"nope":[{"}":"]"}],"Bool":true}`), dynamic.JSONOptions{DropUnknown: true}); err != nil {
		t.Error(err)
	}
}

// Trees made by hand: any order, nothing needed, wrong types refused.
func TestEncode(t *testing.T) {
	c := codecOf[zmycase.Case](t)
	fields := c.Schema().Types[0].Fields
	field := func(i int, v any) dynamic.Field { return dynamic.Field{Field: &fields[i], Value: v} }
	got, err := c.Encode(&dynamic.Struct{Fields: []dynamic.Field{field(7,
		dynamic.Map{{Key: int64(1), Value: "p"}, {Key: int64(-1), Value: "m"}}), field(2, "x"), field(14, []any{})}})
	want, err2 := zmy.Marshal(&zmycase.Case{Text: "x", Codes: map[int8]string{-1: "m", 1: "p"}, List: []string{}})
	if err != nil || err2 != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\n got %x\nwant %x", err, got, want)
	}
	for _, x := range []struct {
		field int
		value any
		want  string
	}{
		{0, "x", "zmy: dynamic: encode Case.Bool: string where bool belongs"},
		{4, []any{int64(1), int64(1 << 20)}, "zmy: marshal Case.Ints[1]: value outside of its type's range"},
		{7, dynamic.Map{{Key: int64(1), Value: "a"}, {Key: int64(1), Value: "b"}},
			"zmy: marshal Case.Codes[1]: map keys are not strictly increasing"},
		{17, []any{"a", "b", "c"}, "zmy: marshal Case.Pair: element counts disagree"},
		{2, "\xff", "zmy: marshal Case.Text: invalid UTF-8"},
	} {
		if _, err := c.Encode(&dynamic.Struct{Fields: []dynamic.Field{field(x.field, x.value)}}); err == nil || err.Error() != x.want {
			t.Errorf("%v, want %s", err, x.want)
		}
	}
	deep := any(nil)
	for range 100 {
		deep = []any{deep}
	}
	if _, err := c.Encode(&dynamic.Struct{Fields: []dynamic.Field{field(3, deep)}}); !errors.Is(err, zmy.ErrDepth) {
		t.Error(err)
	}
	if _, err := c.Encode(&dynamic.Struct{Fields: []dynamic.Field{field(2, strings.Repeat("x", 1<<20))}}); !errors.Is(err, zmy.ErrTooLarge) {
		t.Error(err)
	}
}

// Unknown parts from JSON that fit no struct are refused, not written.
func TestForeign(t *testing.T) {
	c := codecOf[zmycase.Point2List](t)
	o := dynamic.JSONOptions{Lossless: true}
	newer, err := zmy.Marshal(&zmycase.Point3List{Points: []zmycase.Point3{{X: 1, Name: "n"}, {}}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Decode(newer)
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, c, v, newer)
	thin, err := dynamic.New(formsSchemas()[3].schema)
	if err != nil {
		t.Fatal(err)
	}
	bad, err := thin.ParseJSON([]byte(`{"$unknown":{"scalars":"AAAA","tails":[],"bitmap":"/w=="}}`), o)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := thin.Encode(bad); err == nil {
		t.Errorf("written as %x", b)
	}
}
