package dynamic_test

import (
	"testing"
	"time"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dynamic"
	"github.com/zmylab/zmy/wire"
)

// Kinds that no type of the tests has: options of times, structs inline, methods,
// reserved fields, scalars of all sizes.
func TestForms(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	var types []schema.Type
	var fields []schema.Field
	var scalars, tails []byte
	var ends []int
	add := func(name string, t schema.Type, scalar, tail []byte) {
		types = append(types, t)
		fields = append(fields, schema.Field{Number: uint32(len(fields)), Type: uint32(len(types)), Name: name})
		scalars = append(scalars, scalar...)
		if scalar == nil {
			tails = append(tails, tail...)
			ends = append(ends, len(tails))
		}
	}
	bytesOf := func(n int, put func(b []byte)) []byte {
		b := make([]byte, n)
		put(b)
		return b
	}
	add("Zone", schema.Type{Kind: schema.TimeZone}, bytesOf(16, func(b []byte) { wire.PutZoneTime(b, at) }), nil)
	add("Nano", schema.Type{Kind: schema.TimeUnixNano}, bytesOf(8, func(b []byte) { wire.PutUnixNano(b, at) }), nil)
	add("Complex", schema.Type{Kind: schema.Complex64}, bytesOf(8, func(b []byte) { wire.PutC64(b, 1+2i) }), nil)
	add("F32", schema.Type{Kind: schema.Float32}, bytesOf(4, func(b []byte) { wire.PutF32(b, 0.1) }), nil)
	add("I8", schema.Type{Kind: schema.Int8}, []byte{0xff}, nil)
	add("U16", schema.Type{Kind: schema.Uint16}, []byte{0xff, 0xff}, nil)
	add("D", schema.Type{Kind: schema.Duration}, bytesOf(8, func(b []byte) { wire.PutU64(b, 7) }), nil)
	add("Gone", schema.Type{Kind: schema.Reserved, Name: "int16", Len: 2}, []byte{9, 9}, nil)
	add("In", schema.Type{Kind: schema.Struct, Name: "In"}, []byte{5, 1}, nil)
	in := len(types)
	add("Text", schema.Type{Kind: schema.OwnText}, nil, []byte("t"))
	add("Bin", schema.Type{Kind: schema.OwnBinary}, nil, []byte{1})
	add("Own", schema.Type{Kind: schema.OwnZMY}, nil, []byte{2})
	add("Raw", schema.Type{Kind: schema.JSON}, nil, []byte(`{ "a": 1 }`))
	add("Bad", schema.Type{Kind: schema.JSON}, nil, []byte(`{`))
	add("Tail", schema.Type{Kind: schema.Reserved, Name: "string"}, nil, []byte{0xff})
	i8, boolean := uint32(len(types)+1), uint32(len(types)+2)
	types = append(types, schema.Type{Kind: schema.Int8}, schema.Type{Kind: schema.Bool})
	types[in-1].Fields = []schema.Field{{Type: i8, Name: "A"}, {Number: 1, Type: boolean, Name: "B"}}
	fields[in-1].Inline = true
	fields[7].Reserved, fields[len(fields)-1].Reserved = true, true

	msg := wire.Extend(nil, 4)
	wire.PutU32(msg, wire.Header(len(scalars), len(ends)))
	msg = append(msg, scalars...)
	for _, end := range ends {
		end += 4 + len(scalars) + 2*len(ends)
		msg = append(msg, byte(end), byte(end>>8))
	}
	msg = append(msg, tails...)

	c, err := dynamic.New(&schema.Schema{Types: append([]schema.Type{{Kind: schema.Struct, Name: "T", Fields: fields}}, types...)})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.JSON(msg)
	const want = `{"Zone":"2024-01-02T03:04:05.000000006+01:00","Nano":"2024-01-02T02:04:05.000000006Z","Complex":"(1+2i)","F32":0.1,"I8":-1,"U16":65535,"D":7,` +
		`"In":{"A":5,"B":true},"Text":"t","Bin":"AQ==","Own":"Ag==","Raw":{"a":1},"Bad":"ew=="}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}
