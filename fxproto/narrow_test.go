package fxproto_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/fxproto"
)

type narrow struct {
	A int8            `proto:"1"`
	B []uint16        `proto:"2"`
	C map[int16]uint8 `proto:"3,key:sint"`
	D *uint8          `proto:"4,fixed"`
	E []int8          `proto:"5,sint,unpacked"`
	F *int16          `proto:"6,wrapper"`
	G []uint8         `proto:"7"`
}

// TestNarrow: integers of 8 and 16 bits are those of 32 bits, but others are refused.
func TestNarrow(t *testing.T) {
	d, f := uint8(255), int16(-32768)
	v := narrow{A: -128, B: []uint16{0, 65535}, C: map[int16]uint8{32767: 255}, D: &d, E: []int8{-128, 127}, F: &f, G: []uint8{1}}
	const message = "\x08\x80\xff\xff\xff\xff\xff\xff\xff\xff\x01" + "\x12\x04\x00\xff\xff\x03" + "\x1a\x07\x08\xfe\xff\x03\x10\xff\x01" +
		"\x25\xff\x00\x00\x00" + "\x28\xff\x01\x28\xfe\x01" + "\x32\x0b\x08\x80\x80\xfe\xff\xff\xff\xff\xff\xff\x01" + "\x3a\x01\x01"
	b, err := fxproto.Marshal(v)
	if err != nil || string(b) != message {
		t.Fatalf("%x, %v, want %x", b, err, message)
	}
	var got narrow
	if err := fxproto.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, v) {
		t.Fatalf("%+v, %v", got, err)
	}
	if err := fxproto.Unmarshal([]byte("\x08\x85\x80\x80\x80\x10"), &got); err != nil || got.A != 5 { // 1<<32 + 5, of which 32 bits count
		t.Errorf("%d, %v", got.A, err)
	}
	for _, c := range []struct{ bytes, want string }{
		{"\x08\x80\x01", "A: value does not fit into the Go type at offset 1 (int8)"},
		{"\x08\xff\xfe\xff\xff\xff\xff\xff\xff\xff\x01", "A: value does not fit into the Go type at offset 1 (int8)"},
		{"\x12\x04\x00\x80\x80\x04", "B: value does not fit into the Go type at offset 3 (uint16)"},
		{"\x10\x80\x80\x04", "B: value does not fit into the Go type at offset 1 (uint16)"},
		{"\x1a\x04\x08\x80\x80\x04", "C.key: value does not fit into the Go type at offset 3 (int16)"},
		{"\x1a\x03\x10\x80\x02", "C.value: value does not fit into the Go type at offset 3 (uint8)"},
		{"\x25\x00\x01\x00\x00", "D: value does not fit into the Go type at offset 1 (uint8)"},
		{"\x28\x80\x02", "E: value does not fit into the Go type at offset 1 (int8)"},
		{"\x32\x04\x08\x80\x80\x02", "F: value does not fit into the Go type at offset 3 (int16)"},
	} {
		err := fxproto.Verify([]byte(c.bytes), v)
		if want := "fxproto: unmarshal narrow." + c.want; !errors.Is(err, fxproto.ErrRange) || err.Error() != want {
			t.Errorf("%x: %v, want %s", c.bytes, err, want)
		}
	}
	for x := int64(math.MinInt16) - 1; x <= math.MaxUint16+1; x++ { // each number, as a varint
		b, err := fxproto.Marshal(struct {
			X int32 `proto:"1"`
		}{int32(x)})
		if err != nil {
			t.Fatal(err)
		}
		var to struct {
			X int16 `proto:"1"`
		}
		if err := fxproto.Unmarshal(b, &to); (err == nil) != (x == int64(int16(x))) || err == nil && int64(to.X) != x {
			t.Fatalf("%d: %d, %v", x, to.X, err)
		}
	}
}
