package plan

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
)

// TestConstants: the lists of values that types of the package and of others declare, by path and
// name; units, limits and single constants are no such list.
func TestConstants(t *testing.T) {
	dir := folder(t)
	write(t, dir, map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.22\n",
		"shop.go": `package shop

import "example.com/shop/kind"

type Order struct {
	Status Status
	By     map[kind.Kind][]*Level
	Flags  Flag
	Size   Size
	Root   ID
	Hidden state
	Code   uint64
}

type Status string

const (
	StatusPaid Status = "paid"
	StatusOpen Status = "open"
	StatusFirst = StatusOpen
	statusOld  Status = "old"
)

type Level int8

const (
	Low Level = iota - 1
	Mid
	High
)

type Flag uint16

const (
	None Flag = 0
	A    Flag = 1 << iota >> 1
	B
	C
)

type Size int64

const (
	KB Size = 1 << (10 * (iota + 1))
	MB
)

type ID string

const Root ID = "root"

type state uint8

const (
	off state = iota
	on
)
`,
		"kind/kind.go": "package kind\n\ntype Kind string\n\nconst (\n\tBook Kind = \"book\"\n\tFood Kind = \"food\"\n)\n",
	})
	s, err := Resolve(t.Context(), Options{Dir: dir, Package: ".", Type: "Order"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"example.com/shop.Status":    {"open", "paid"},
		"example.com/shop/kind.Kind": {"book", "food"},
		"example.com/shop.Level":     {"-1", "0", "1"},
		"example.com/shop.Flag":      {"0", "1", "2", "4"},
		"example.com/shop.state":     {"0", "1"},
	}
	if !reflect.DeepEqual(s.Constants, want) {
		t.Errorf("%q", s.Constants)
	}
}

// TestEnumerates: codes and flags, and no units; drawn lists of numbers, those of one constant
// too, end in an answer.
func TestEnumerates(t *testing.T) {
	values := func(numbers ...int64) (out []ir.Value) {
		for _, n := range numbers {
			out = append(out, ir.Value{Number: n})
		}
		return out
	}
	for _, c := range []struct {
		list []int64
		want bool
	}{
		{nil, false},
		{[]int64{3}, true}, {[]int64{0}, true}, {[]int64{-1}, true}, {[]int64{4096}, true},
		{[]int64{0, 1, 2}, true}, {[]int64{200, 201, 204}, true},
		{[]int64{0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512}, true},
		{[]int64{1 << 10, 1 << 20}, false},
		{[]int64{math.MinInt64, math.MaxInt64}, false}, {[]int64{0, math.MaxInt64}, false},
	} {
		if got := enumerates(values(c.list...)); got != c.want {
			t.Errorf("%v: %v", c.list, got)
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		var list []int64
		for range random.IntN(4) {
			list = append(list, int64(random.Uint64())>>random.IntN(64))
		}
		enumerates(values(list...))
	}
}
