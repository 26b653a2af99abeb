package fxproto_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxproto"
)

type (
	status int32
	item   struct {
		Sku   string  `proto:"1"`
		Price float64 `proto:"2"`
	}
	order struct {
		ID     string            `proto:"1"`
		Items  []item            `proto:"2"`
		Labels map[string]string `proto:"3"`
		Status status            `proto:"4"`
		Last   *item             `proto:"5"`
		Nums   []float64         `proto:"6"`
		Flag   bool              `proto:"7"`
		Text   *string           `proto:"8,oneof:kind"`
		Sub    *item             `proto:"9,oneof:kind"`
		Took   time.Duration     `proto:"10"`
		When   time.Time         `proto:"11"`
		Key    [2]byte           `proto:"12"`
		Next   *order            `proto:"13"`
		Group  *item             `proto:"14,group"`
		ByID   map[int32]*item   `proto:"15"`

		Unknown fxproto.Unknown
		local   int
	}
)

func p[T any](v T) *T { return &v }

// messages has messages that decoders often read differently, with the value that each has.
var messages = []struct {
	name, bytes string
	want        order
}{
	{"nothing", "", order{}},
	{"last number wins", "\x20\x01\x20\x02", order{Status: 2}},
	{"enum -1 in 10 bytes", "\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", order{Status: -1}},
	{"enum -1 in 5 bytes", "\x20\xff\xff\xff\xff\x0f", order{Status: -1}},
	{"enum of more than 32 bits", "\x20\x83\x80\x80\x80\x10", order{Status: 3}},
	{"bool of 2", "\x38\x02", order{Flag: true}},
	{"varint longer than it has to be", "\x20\x81\x80\x00", order{Status: 1}},
	{"tag longer than it has to be", "\xa0\x80\x00\x01", order{Status: 1}},
	{"message twice", "\x2a\x03\x0a\x01a\x2a\x09\x11\x00\x00\x00\x00\x00\x00\xf0\x3f", order{Last: &item{"a", 1}}},
	{"empty message", "\x2a\x00", order{Last: &item{}}},
	{"packed and not packed", "\x32\x08\x00\x00\x00\x00\x00\x00\xf0\x3f\x31\x00\x00\x00\x00\x00\x00\x00\x40", order{Nums: []float64{1, 2}}},
	{"entry without key and value", "\x1a\x00", order{Labels: map[string]string{"": ""}}},
	{"entry with value before key", "\x1a\x06\x12\x01v\x0a\x01k", order{Labels: map[string]string{"k": "v"}}},
	{"entry with a key twice", "\x1a\x06\x0a\x01k\x0a\x01l", order{Labels: map[string]string{"l": ""}}},
	{"entry with an unknown field", "\x1a\x05\x0a\x01k\x18\x01", order{Labels: map[string]string{"k": ""}}},
	{"entry with a key, then one of a wrong wire type", "\x1a\x05\x0a\x01k\x08\x01", order{Labels: map[string]string{"k": ""}}},
	{"entry replaces entry", "\x7a\x05\x12\x03\x0a\x01a\x7a\x02\x12\x00", order{ByID: map[int32]*item{0: {}}}},
	{"wrong wire type", "\x25\x01\x02\x03\x04", order{Unknown: []byte("\x25\x01\x02\x03\x04")}},
	{"unknown fields in order", "\xc2\x3e\x01a\x20\x01\xc8\x3e\x05", order{Status: 1, Unknown: []byte("\xc2\x3e\x01a\xc8\x3e\x05")}},
	{"unknown group", "\xc3\x3e\x0b\x0c\xc4\x3e", order{Unknown: []byte("\xc3\x3e\x0b\x0c\xc4\x3e")}},
	{"unknown tag longer than it has to be", "\xc8\xbe\x00\x01", order{Unknown: []byte("\xc8\xbe\x00\x01")}},
	{"last arm wins", "\x42\x01a\x4a\x00", order{Sub: &item{}}},
	{"arms that are messages merge", "\x4a\x03\x0a\x01a\x4a\x09\x11\x00\x00\x00\x00\x00\x00\xf0\x3f", order{Sub: &item{"a", 1}}},
	{"another arm between", "\x4a\x03\x0a\x01a\x42\x01b\x4a\x00", order{Sub: &item{}}},
	{"empty Timestamp", "\x5a\x00", order{When: time.Unix(0, 0).UTC()}},
	{"Timestamps merge", "\x5a\x02\x08\x05\x5a\x02\x10\x07", order{When: time.Unix(5, 7).UTC()}},
	{"Timestamp of the year 10000", "\x5a\x07\x08\x80\x83\xd1\xff\xaf\x07", order{When: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}},
	{"Duration", "\x52\x16\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		order{Took: -time.Second - 1}},
	{"array", "\x62\x02ab", order{Key: [2]byte{'a', 'b'}}},
	{"array without bytes", "\x62\x02ab\x62\x00", order{}},
	{"group", "\x73\x0a\x01a\x74", order{Group: &item{Sku: "a"}}},
	{"group twice", "\x73\x0a\x01a\x74\x73\x74", order{Group: &item{Sku: "a"}}},
}

func TestMessages(t *testing.T) {
	for _, c := range messages {
		var got order
		if err := fxproto.Unmarshal([]byte(c.bytes), &got); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
		if err := fxproto.Verify([]byte(c.bytes), (*order)(nil)); err != nil {
			t.Errorf("%s: Verify: %v", c.name, err)
		}
	}
}

// refused has messages that are refused, with the whole error after its beginning.
var refused = []struct {
	bytes string
	is    error
	want  string
}{
	{"\x0a\x05ab", fxproto.ErrTruncated, "order.ID: unexpected end of input at offset 1"},
	{"\x20", fxproto.ErrTruncated, "order.Status: unexpected end of input at offset 1"},
	{"\x20\x80", fxproto.ErrTruncated, "order.Status: unexpected end of input at offset 1"},
	{"\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", fxproto.ErrVarint, "order.Status: varint has more than 64 bits at offset 1"},
	{"\x00", fxproto.ErrFieldNumber, "order: invalid field number at offset 0"},
	{"\x80\x80\x80\x80\x10\x00", fxproto.ErrFieldNumber, "order: invalid field number at offset 0"},
	{"\x38\x01\x27", fxproto.ErrWireType, "order: invalid wire type at offset 2 (field 4)"},
	{"\x74", fxproto.ErrGroup, "order: end of a group that was not started at offset 0 (field 14)"},
	{"\x73\x0c", fxproto.ErrGroup, "order.Group: end of a group that was not started at offset 1 (field 1)"},
	{"\x73", fxproto.ErrTruncated, "order.Group: unexpected end of input at offset 1 (group 14 has no end)"},
	{"\xc3\x3e\x08\x01", fxproto.ErrTruncated, "order: unexpected end of input at offset 0 (field 1000)"},
	{"\x0a\x02a\xff", fxproto.ErrUTF8, "order.ID: string is not UTF-8 at offset 2 (use []byte, or option raw)"},
	{"\x12\x00\x12\x00\x38\x01\x12\x03\x0a\x01\xff", fxproto.ErrUTF8,
		"order.Items[2].Sku: string is not UTF-8 at offset 10 (use []byte, or option raw)"},
	{"\x1a\x03\x0a\x01\xff", fxproto.ErrUTF8, "order.Labels.key: string is not UTF-8 at offset 4 (use []byte, or option raw)"},
	{"\x7a\x05\x12\x03\x0a\x01\xff", fxproto.ErrUTF8, "order.ByID.value.Sku: string is not UTF-8 at offset 6 (use []byte, or option raw)"},
	{"\x32\x09\x00\x00\x00\x00\x00\x00\xf0\x3f\x00", fxproto.ErrTruncated, "order.Nums: unexpected end of input at offset 10"},
	{"\x62\x01a", fxproto.ErrRange, "order.Key: value does not fit into the Go type at offset 2 (1 bytes for [2]uint8)"},
	{"\x5a\x0b\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", fxproto.ErrRange,
		"order.When: value does not fit into the Go type at offset 2 (google.protobuf.Timestamp of 0 s and -1 ns)"},
	{"\x52\x06\x08\x80\x80\x80\x80\x40", fxproto.ErrRange,
		"order.Took: value does not fit into the Go type at offset 2 (google.protobuf.Duration of 17179869184 s and 0 ns)"},
	{"\x52\x0d\x08\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", fxproto.ErrRange,
		"order.Took: value does not fit into the Go type at offset 2 (google.protobuf.Duration of 1 s and -1 ns)"},
}

func TestRefused(t *testing.T) {
	for _, c := range refused {
		err := fxproto.Unmarshal([]byte(c.bytes), new(order))
		if err == nil || !errors.Is(err, c.is) || err.Error() != "fxproto: unmarshal "+c.want {
			t.Errorf("%x: %v, want fxproto: unmarshal %s", c.bytes, err, c.want)
		}
		if verify := fxproto.Verify([]byte(c.bytes), order{}); !reflect.DeepEqual(verify, err) {
			t.Errorf("%x: Verify: %v, Unmarshal: %v", c.bytes, verify, err)
		}
	}
}

func TestDepth(t *testing.T) {
	for _, c := range []struct {
		limit, levels int
		ok            bool
	}{{3, 3, true}, {3, 4, false}, {0, 10000, true}, {0, 10001, false}} {
		var v *order
		for range c.levels {
			v = &order{Next: v}
		}
		b, err := fxproto.Marshal(v)
		if c.levels > fxproto.DefaultMaxDepth {
			if !errors.Is(err, fxproto.ErrDepth) {
				t.Errorf("%d levels: Marshal: %v", c.levels, err)
			}
			if _, err := fxproto.Size(v); !errors.Is(err, fxproto.ErrDepth) {
				t.Errorf("%d levels: Size: %v", c.levels, err)
			}
			if b, err = fxproto.Marshal(v.Next); err != nil {
				t.Fatal(err)
			}
			b = append([]byte{0x6a, byte(len(b)) | 0x80, byte(len(b)>>7) | 0x80, byte(len(b) >> 14)}, b...)
		}
		o := fxproto.UnmarshalOptions{MaxDepth: c.limit}
		if err := o.Unmarshal(b, new(order)); (err == nil) != c.ok || err != nil && !errors.Is(err, fxproto.ErrDepth) {
			t.Errorf("limit %d, %d levels: %v", c.limit, c.levels, err)
		}
		if err := o.Verify(b, order{}); (err == nil) != c.ok {
			t.Errorf("limit %d, %d levels: Verify: %v", c.limit, c.levels, err)
		}
	}
}

func TestMarshalErrors(t *testing.T) {
	loop := &order{}
	loop.Next = loop
	for _, c := range []struct {
		v    any
		is   error
		want string
	}{
		{order{ID: "\xff"}, fxproto.ErrUTF8, "marshal order.ID: string is not UTF-8 (use []byte, or option raw)"},
		{order{Items: []item{{}, {Sku: "\xff"}}}, fxproto.ErrUTF8, "marshal order.Items[1].Sku: string is not UTF-8 (use []byte, or option raw)"},
		{order{Labels: map[string]string{"k": "\xff"}}, fxproto.ErrUTF8,
			`marshal order.Labels["k"]: string is not UTF-8 (use []byte, or option raw)`},
		{order{Text: p(""), Sub: &item{}}, fxproto.ErrOneof, "marshal order: two arms of a oneof are set (Text and Sub; set one of them to nil)"},
		{loop, fxproto.ErrDepth, "marshal order.Next.Next.Next"},
		{nil, nil, "marshal nil: there is no type; pass a struct or a pointer to one"},
		{1, nil, "marshal int: a message is a struct, not int; wrap it in a struct with one field"},
		{struct{ A int }{}, nil, "marshal struct { A int }: struct { A int } has no field with a struct tag"},
	} {
		dst := []byte("kept")
		b, err := fxproto.Append(dst, c.v)
		if err == nil || !strings.HasPrefix(err.Error(), "fxproto: "+c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if string(b) != "kept" {
			t.Errorf("%s: Append returned %q", c.want, b)
		}
	}
}

func TestUnmarshalTargets(t *testing.T) {
	for _, v := range []any{nil, order{}, (*order)(nil), new(int), new(*order)} {
		var want *fxproto.TypeError
		if err := fxproto.Unmarshal(nil, v); !errors.As(err, &want) {
			t.Errorf("%T: %v, want a TypeError", v, err)
		}
	}
	if b, err := fxproto.Marshal((*order)(nil)); b == nil || len(b) != 0 || err != nil {
		t.Errorf("nil pointer: %v, %v, want an empty message", b, err)
	}
}

func TestResetAndMerge(t *testing.T) {
	v := order{ID: "a", Items: []item{{Sku: "x"}}, Labels: map[string]string{"k": "1"}, Unknown: []byte("\xc8\x3e\x01"), local: 7}
	b := []byte("\x12\x03\x0a\x01y\x1a\x03\x0a\x01l\xc8\x3e\x02")
	merged := v
	merged.Labels = map[string]string{"k": "1"}
	if err := fxproto.Merge(b, &merged); err != nil {
		t.Fatal(err)
	}
	want := order{ID: "a", Items: []item{{Sku: "x"}, {Sku: "y"}}, Labels: map[string]string{"k": "1", "l": ""},
		Unknown: []byte("\xc8\x3e\x01\xc8\x3e\x02"), local: 7}
	if !reflect.DeepEqual(merged, want) {
		t.Errorf("merged %+v, want %+v", merged, want)
	}
	if err := fxproto.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	want = order{Items: []item{{Sku: "y"}}, Labels: map[string]string{"l": ""}, Unknown: []byte("\xc8\x3e\x02"), local: 7}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("unmarshalled %+v, want %+v", v, want)
	}
}

func TestOptions(t *testing.T) {
	labels := map[string]string{"b": "", "a": "", "": "", "ab": ""}
	b, err := fxproto.MarshalOptions{Deterministic: true}.Marshal(order{Labels: labels})
	want := "\x1a\x04\x0a\x00\x12\x00\x1a\x05\x0a\x01a\x12\x00\x1a\x06\x0a\x02ab\x12\x00\x1a\x05\x0a\x01b\x12\x00"
	if string(b) != want || err != nil {
		t.Errorf("%x, %v, want %x", b, err, want)
	}
	var v order
	err = fxproto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal([]byte("\xc8\x3e\x01\x20\x01"), &v)
	if err != nil || v.Unknown != nil || v.Status != 1 {
		t.Errorf("%+v, %v, want no unknown fields", v, err)
	}
	type blob struct {
		B []byte `proto:"1"`
	}
	in := []byte("\x0a\x02ab")
	for _, alias := range []bool{false, true} {
		var v blob
		err := fxproto.UnmarshalOptions{Alias: alias}.Unmarshal(in, &v)
		if err != nil || !bytes.Equal(v.B, in[2:]) || (&v.B[0] == &in[2]) != alias {
			t.Errorf("Alias %v: %q, %v", alias, v.B, err)
		}
	}
}

// TestNil shows that nil messages in lists and maps are empty ones, and that NaN and negative zero
// are written.
func TestNil(t *testing.T) {
	type holder struct {
		L []*item         `proto:"1"`
		M map[int32]*item `proto:"2"`
		F float64         `proto:"3"`
		G float32         `proto:"4"`
	}
	v := holder{L: []*item{nil}, M: map[int32]*item{1: nil}, F: math.Copysign(0, -1), G: float32(math.NaN())}
	b, err := fxproto.Marshal(v)
	if want := "\x0a\x00\x12\x04\x08\x01\x12\x00\x19\x00\x00\x00\x00\x00\x00\x00\x80\x25\x00\x00\xc0\x7f"; string(b) != want || err != nil {
		t.Errorf("%x, %v, want %x", b, err, want)
	}
	if n, err := fxproto.Size(v); n != len(b) || err != nil {
		t.Errorf("size %d, %v, want %d", n, err, len(b))
	}
}
