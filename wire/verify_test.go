package wire

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// orderTypes describes the worked vector of spec/FORMAT.md, with an optional
// struct of its own type around it.
var orderTypes = []Desc{
	0: {Shape: ShapeStruct, Head: 0xc00c, Older: []uint32{0x4000, 0x8000, 0xc000}, Fields: []int{1, 2, 7, 8}},
	1: {Shape: ShapeString},
	2: {Shape: ShapeDense, Elem: 3},
	3: {Shape: ShapeStruct, Head: 0x800c, Older: []uint32{0x4000, 0x4008, 0x400c}, Fields: []int{1, 4, 5, 6}},
	4: {Shape: ShapeFixed, Size: 8},
	5: {Shape: ShapeFixed, Size: 4},
	6: {Shape: ShapeBytes},
	7: {Shape: ShapeMap, Key: 1, Elem: 1},
	8: {Shape: ShapeFixed, Domain: TimeBytes, Size: 12},
	9: {Shape: ShapeStruct, Head: 0x8000, Older: []uint32{0x4000}, Fields: []int{0, 10}},

	10: {Shape: ShapePtrStruct, Elem: 0},
}

// The fast verifier and the fast way to open a view against the general ones, on
// damage of every kind.
func TestVerifyForms(t *testing.T) {
	order, err := hex.DecodeString("0cc0000000f791770e0000000000000018003100" + "3d0041310c8000000800190000000000" +
		"0000f83f020000001100110078070004" + "0005006b0400050076")
	if err != nil {
		t.Fatal(err)
	}
	both := append([]byte{0, 0x80, 0, 0, byte(8 + len(order)), 0, byte(8 + 2*len(order)), 0}, slices.Concat(order, order)...)
	r := rand.New(rand.NewPCG(9, 10))
	for _, c := range []struct {
		root int
		msg  []byte
	}{{0, order}, {9, both}} {
		if err := Verify(orderTypes, c.root, c.msg, 64); err != nil {
			t.Fatal(err)
		}
		for n := range c.msg {
			sameVerify(t, c.root, c.msg[:n], 64)
			for bit := range 8 {
				b := slices.Clone(c.msg)
				b[n] ^= 1 << bit
				sameVerify(t, c.root, b, 64)
				b[r.IntN(len(b))] = byte(r.Uint32())
				sameVerify(t, c.root, b, 64)
			}
		}
		for depth := range 5 {
			sameVerify(t, c.root, c.msg, depth)
		}
	}
	sameVerify(t, 0, append(slices.Clone(order), make([]byte, 70000)...), 64)
}

func sameVerify(t *testing.T, root int, b []byte, depth int) {
	t.Helper()
	d, v := &orderTypes[root], verifier{orderTypes}
	if h, err := Head(b); err == nil {
		if got, want := v.plain(d, b, h, headLen, depth), v.body(d, b, h, headLen, depth); got != (want == nil) {
			t.Fatalf("%x at depth %d: %v, want %v", b, depth, got, want)
		}
	}
	got, err := View(d, b)
	want, wantErr := view(d, b)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || got.m != want.m || string(got.b) != string(want.b) {
		t.Fatalf("%x: %+v, %v; want %+v, %v", b, got, err, want, wantErr)
	}
}
