package pbwire

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"testing"
)

// slowVarint reads a varint by the specification: groups of seven bits, the lowest first, of a
// number of 64 bits in at most 10 bytes.
func slowVarint(b []byte) (uint64, int, error) {
	sum := new(big.Int)
	for i, c := range b {
		sum.Add(sum, new(big.Int).Lsh(big.NewInt(int64(c&0x7f)), uint(7*i)))
		switch last := c < 0x80; {
		case sum.BitLen() > 64, i == 9 && !last:
			return 0, 0, ErrVarint
		case last:
			return sum.Uint64(), i + 1, nil
		}
	}
	return 0, 0, ErrTruncated
}

var varints = []struct {
	bytes string
	want  uint64
	err   error
}{
	{"\x00", 0, nil},
	{"\x7f", 127, nil},
	{"\x80\x01", 128, nil},
	{"\x96\x01", 150, nil},
	{"\x80\x00", 0, nil}, // longer than it has to be
	{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", math.MaxUint64, nil},
	{"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 0, nil},
	{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 0, ErrVarint},
	{"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 0, ErrVarint},
	{"", 0, ErrTruncated},
	{"\x80\x80\x80\x80\x80\x80\x80\x80\x80", 0, ErrTruncated},
}

func TestVarint(t *testing.T) {
	for _, c := range varints {
		v, n := ConsumeVarint([]byte(c.bytes))
		switch {
		case c.err != nil && (n >= 0 || !errors.Is(Error(n), c.err)):
			t.Errorf("%x: %d, %d, want %v", c.bytes, v, n, c.err)
		case c.err == nil && (v != c.want || n != len(c.bytes)):
			t.Errorf("%x: %d, %d, want %d", c.bytes, v, n, c.want)
		}
	}
	for shift := range 64 {
		for _, v := range []uint64{1<<shift - 1, 1 << shift, math.MaxUint64 - 1<<shift} {
			b := AppendVarint(nil, v)
			if got, n, err := slowVarint(b); got != v || n != len(b) || err != nil || SizeVarint(v) != n {
				t.Errorf("%d: %x is %d, %v, size %d", v, b, got, err, SizeVarint(v))
			}
		}
	}
}

func TestZigZag(t *testing.T) {
	for _, c := range []struct {
		v    int64
		want uint64
	}{{0, 0}, {-1, 1}, {1, 2}, {-2, 3}, {math.MaxInt64, math.MaxUint64 - 1}, {math.MinInt64, math.MaxUint64}} {
		if got := ZigZag(c.v); got != c.want || UnZigZag(got) != c.v {
			t.Errorf("%d: %d and back %d, want %d", c.v, got, UnZigZag(got), c.want)
		}
	}
}

func TestTag(t *testing.T) {
	for _, c := range []struct {
		bytes string
		num   int32
		typ   Type
		err   error
	}{
		{"\x08", 1, VarintType, nil},
		{"\xaa\x06", 101, BytesType, nil},
		{"\xfd\xff\xff\xff\x0f", MaxNumber, Fixed32Type, nil},
		{"\x8d\x00", 1, Fixed32Type, nil}, // longer than it has to be
		{"\x0f", 1, 7, nil},               // the wire type is not checked
		{"\x07", 0, 0, ErrNumber},
		{"\x80\x80\x80\x80\x10", 0, 0, ErrNumber}, // one above MaxNumber
		{"\xf8\xff\xff\xff\x7f", 0, 0, ErrNumber},
		{"\x80", 0, 0, ErrTruncated},
	} {
		num, typ, n := ConsumeTag([]byte(c.bytes))
		switch {
		case c.err != nil && (n >= 0 || Error(n) != c.err):
			t.Errorf("%x: %d, %d, %d, want %v", c.bytes, num, typ, n, c.err)
		case c.err == nil && (num != c.num || typ != c.typ || n != len(c.bytes)):
			t.Errorf("%x: %d, %d, %d, want %d, %d", c.bytes, num, typ, n, c.num, c.typ)
		}
	}
	for _, num := range []int32{1, 15, 16, 2047, 2048, MaxNumber} {
		b := AppendTag(nil, num, BytesType)
		if got, typ, n := ConsumeTag(b); got != num || typ != BytesType || n != SizeTag(num) {
			t.Errorf("%d: %x is %d, %d, %d bytes, want %d", num, b, got, typ, n, SizeTag(num))
		}
	}
}

func TestFixedAndBytes(t *testing.T) {
	b := AppendFixed64(AppendFixed32(nil, 0x01020304), 0x05060708090a0b0c)
	if want := "\x04\x03\x02\x01\x0c\x0b\x0a\x09\x08\x07\x06\x05"; string(b) != want {
		t.Errorf("%x, want %x", b, want)
	}
	if v, n := ConsumeFixed32(b); v != 0x01020304 || n != 4 {
		t.Errorf("%x, %d", v, n)
	}
	if v, n := ConsumeFixed64(b[4:]); v != 0x05060708090a0b0c || n != 8 {
		t.Errorf("%x, %d", v, n)
	}
	if _, n := ConsumeFixed32(b[:3]); Error(n) != ErrTruncated {
		t.Error(Error(n))
	}
	if _, n := ConsumeFixed64(b[:7]); Error(n) != ErrTruncated {
		t.Error(Error(n))
	}
	long := bytes.Repeat([]byte("x"), 300)
	for _, v := range [][]byte{{}, []byte("abc"), long} {
		b := AppendBytes(nil, v)
		if got, n := ConsumeBytes(append(b, 1)); !bytes.Equal(got, v) || n != len(b) || SizeBytes(len(v)) != n {
			t.Errorf("%x, %d", got, n)
		}
		if _, n := ConsumeBytes(b[:len(b)-1]); Error(n) != ErrTruncated {
			t.Errorf("%d", n)
		}
	}
	if _, n := ConsumeBytes([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")); Error(n) != ErrTruncated {
		t.Error("a length that does not fit into an int is not truncated input")
	}
}

// nested returns n groups with number 1, one within the other, without the first tag.
func nested(n int) []byte {
	return append(bytes.Repeat([]byte{0x0b}, n-1), bytes.Repeat([]byte{0x0c}, n)...)
}

func TestSkip(t *testing.T) {
	for _, c := range []struct {
		name  string
		typ   Type
		bytes string
		want  int
		err   error
	}{
		{"varint", VarintType, "\x80\x01\x00", 2, nil},
		{"fixed32", Fixed32Type, "abcde", 4, nil},
		{"fixed64", Fixed64Type, "abcdefghi", 8, nil},
		{"bytes", BytesType, "\x02abc", 3, nil},
		{"empty group", StartGroupType, "\x0c", 1, nil},
		{"end with a long tag", StartGroupType, "\x8c\x80\x00", 3, nil},
		{"group", StartGroupType, "\x10\x01\x13\x1a\x01a\x14\x0c\xff", 8, nil},
		{"number above the limit in a group", StartGroupType, "\x80\x80\x80\x80\x10\x00\x0c", 7, nil},
		{"group without end", StartGroupType, "\x10\x01", 0, ErrTruncated},
		{"end of another group", StartGroupType, "\x14", 0, ErrGroup},
		{"number 0 in a group", StartGroupType, "\x00\x00\x0c", 0, ErrNumber},
		{"end without a start", EndGroupType, "", 0, ErrGroup},
		{"wire type 6", 6, "\x00", 0, ErrType},
		{"wire type 7 in a group", StartGroupType, "\x0f\x0c", 0, ErrType},
		{"deep", StartGroupType, string(nested(MaxDepth + 1)), 2*MaxDepth + 1, nil},
		{"too deep", StartGroupType, string(nested(MaxDepth + 2)), 0, ErrDepth},
	} {
		n := ConsumeValue(1, c.typ, []byte(c.bytes), MaxDepth)
		switch {
		case c.err != nil && (n >= 0 || Error(n) != c.err):
			t.Errorf("%s: %d, want %v", c.name, n, c.err)
		case c.err == nil && n != c.want:
			t.Errorf("%s: %d, want %d", c.name, n, c.want)
		}
	}
}

func FuzzVarint(f *testing.F) {
	for _, c := range varints {
		f.Add([]byte(c.bytes))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, n := ConsumeVarint(b)
		want, length, err := slowVarint(b)
		if err != nil {
			if n >= 0 || Error(n) != err {
				t.Fatalf("%x: %d, want %v", b, n, err)
			}
			return
		}
		if v != want || n != length {
			t.Fatalf("%x: %d, %d, want %d, %d", b, v, n, want, length)
		}
		if CountVarints(b[:n]) != 1 {
			t.Fatalf("%x: %d varints", b[:n], CountVarints(b[:n]))
		}
	})
}
