package wire

import (
	"math"
	"testing"
	"unsafe"
)

// The limits of a view are those asked for, rounded up to a power of two.
func TestUnder(t *testing.T) {
	for _, c := range []struct {
		depth, wantDepth   int
		budget, wantBudget int64
	}{
		{64, 64, 16 << 20, 16 << 20},
		{1, 1, 1, 1},
		{65, 128, 16<<20 + 1, 32 << 20},
		{math.MaxInt32, 1 << 30, math.MaxInt64, 1 << 62},
	} {
		d, left := Struct{m: sectionsOf(MaxScalars, MaxTails, headLen, 4)}.Under(c.depth, c.budget).Decoder()
		if left != c.wantDepth || d.Budget != c.wantBudget || !d.NoCopy {
			t.Errorf("%d, %d: %d, %d", c.depth, c.budget, left, d.Budget)
		}
	}
	if d, left := (Struct{}).Decoder(); left != 64 || d.Budget != 16<<20 {
		t.Errorf("the zero struct has %d, %d", left, d.Budget)
	}
	s := Struct{m: sectionsOf(MaxScalars, MaxTails, headLen, 4)}
	in := s.In(Struct{}.Under(7, 7)).Under(9, 9).m
	if s.m != in&^limitBits || in.scalars() != MaxScalars || in.tails() != MaxTails || in.at() != headLen || in.err() != OK {
		t.Errorf("limits changed %x to %x", s.m, in)
	}
	if f := failed(ErrSparse).Under(1, 1); f.Err() != ErrSparse {
		t.Errorf("limits changed an error to %v", f.Err())
	}
	if size := unsafe.Sizeof(s); unsafe.Sizeof(int(0)) == 8 && size != 32 {
		t.Errorf("a view has %d bytes: it would leave registers", size)
	}
}

// A key is found in every map that has it, whatever else is wrong.
func TestFindAny(t *testing.T) {
	const good = "\x0a\x00" + "\x06\x00\x07\x00\x08\x00" + "jk" + "\x06\x00\x07\x00\x09\x00" + "\x02" + "\x09v"
	for _, c := range []struct {
		name, tail, key string
		found           bool
		code            Code
	}{
		{"found", good, "k", true, OK},
		{"no such key", good, "z", false, OK},
		{"empty", "", "k", false, OK},
		{"cut", good[:1], "k", false, ErrTruncated},
		{"no end of keys", "\x40\x00" + good[2:], "k", false, ErrEnds},
		{"values cut", good[:10], "k", true, ErrTruncated},
		{"one value", good[:10] + "\x04\x00\x06\x00\x09v", "k", true, ErrCount},
		{"boundaries", good[:12] + "\xff\xff" + good[14:], "k", true, ErrEnds},
		{"no such kind", good[:17] + "\x00v", "k", true, ErrDomain},
	} {
		v, found, err := Struct{}.FindAny([]byte(c.tail), c.key)
		code := OK
		if err != nil {
			code = err.Code
		}
		if found != c.found || code != c.code || (v == "v") != (found && code == OK) {
			t.Errorf("%s: %v, %v, %v", c.name, v, found, err)
		}
	}
}
