package layout

import (
	"fmt"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
)

const shop = `package shop

import "time"

// Order is what is measured.
type Order struct {
	Paid bool // it was paid
	ID   string ` + "`json:\"id\"`" + `
	Open bool
	// Lines are what was ordered.
	Lines []Line
	N     int32
	At    time.Time
	X, Y  int8
	Tail  [3]Line
	Next  *Order
}

type Line struct {
	Gift bool
	Net  float64
	Qty  int16
}

type Tight struct{ A, B int64 }

type Late struct {
	N    int64
	Name *string
}

type End struct {
	N   int32
	Nil struct{}
}

var _ = Order{true, "", false, nil, 0, time.Time{}, 1, 2, [3]Line{{true, 1, 2}}, nil}
var _ = []Line{{Gift: true}, {true, 1, 2}}
var _ = map[string]*Line{"a": {true, 1, 2}}
var _ = Tight{1, 2}
`

// shopType builds a type of the package above.
func shopType(t *testing.T, expr string) *ir.Type {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "shop.go": shop} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(t.Context(), load.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	desc, err := p.Build(expr)
	if err != nil {
		t.Fatal(err)
	}
	return desc.Roots[0]
}

func all(*ir.Type) string { return "" }

func find(list []*Struct, name string) *Struct {
	i := slices.IndexFunc(list, func(s *Struct) bool { return s.Type.Name.Name == name })
	if i < 0 {
		return nil
	}
	return list[i]
}

func TestAnalyse(t *testing.T) {
	found := Analyse(shopType(t, "Order"), all)
	order, line := find(found, "Order"), find(found, "Line")
	if line.Now.Size != 24 || line.Best.Size != 16 || line.Now.Padding != 13 || line.Now.Class != 24 || line.Best.Class != 16 {
		t.Errorf("Line: %+v → %+v", line.Now, line.Best)
	}
	// 1+7 16 1+7 24 4+4 24 2+6 72 8 = 176; reordered 16+24+24+8 + 3·16 + 4 + 4·1 = 128
	if order.Now.Size != 176 || order.Now.Padding != 24 || order.Best.Size != 128 {
		t.Errorf("Order: %+v → %+v", order.Now, order.Best)
	}
	if s := find(Analyse(shopType(t, "Tight"), all), "Tight"); s.Order != nil || s.Gain() != 0 {
		t.Errorf("Tight: order %v", s.Order)
	}
	if s := find(Analyse(shopType(t, "Late"), all), "Late"); !slices.Equal(s.Order, []int{1, 0}) || s.Now.Pointers != 16 ||
		s.Best.Pointers != 8 || s.Gain() != 0 {
		t.Errorf("Late: order %v, pointers %d → %d", s.Order, s.Now.Pointers, s.Best.Pointers)
	}
	if s := find(Analyse(shopType(t, "End"), all), "End"); !slices.Equal(s.Order, []int{1, 0}) || s.Now.Size != 8 || s.Best.Size != 4 {
		t.Errorf("End: order %v, %d → %d", s.Order, s.Now.Size, s.Best.Size)
	}
	fixed := Analyse(shopType(t, "Order"), func(t *ir.Type) string {
		if t.Name.Name == "Line" {
			return "not yours"
		}
		return ""
	})
	if s := find(fixed, "Order"); s.Best.Size != 152 || find(fixed, "Line").Best.Size != 24 {
		t.Errorf("with Line as it is: %d", s.Best.Size)
	}
}

// shape agrees with go/types about every struct of random fields, and best is as small
// as the smallest of all orders.
func TestShapeAgainstGoTypes(t *testing.T) {
	sizes := types.SizesFor("gc", "amd64")
	kinds := []struct {
		typ      types.Type
		pointers int64
	}{
		{types.Typ[types.Bool], 0}, {types.Typ[types.Int16], 0}, {types.Typ[types.Int32], 0}, {types.Typ[types.Float64], 0},
		{types.Typ[types.String], 8},
		{types.NewStruct(nil, nil), 0}, {types.NewSlice(types.Typ[types.Int]), 8}, {types.NewArray(types.Typ[types.Int8], 3), 0},
		{types.NewInterfaceType(nil, nil), 16},
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var vars []*types.Var
		var blocks []block
		for i := range 1 + r.IntN(6) {
			k := kinds[r.IntN(len(kinds))]
			vars = append(vars, types.NewField(0, nil, fmt.Sprint("F", i), k.typ, false))
			blocks = append(blocks, block{sizes.Sizeof(k.typ), sizes.Alignof(k.typ), k.pointers})
		}
		sizeOf := func(order []int) int64 {
			list := make([]*types.Var, len(order))
			for i, j := range order {
				list[i] = vars[j]
			}
			return sizes.Sizeof(types.NewStruct(list, nil))
		}
		now := identity(len(vars))
		if got, want := shape(blocks, now).Size, sizeOf(now); got != want {
			t.Fatalf("%v: size %d, go/types says %d", vars, got, want)
		}
		least := sizeOf(now)
		permute(now, func(order []int) { least = min(least, sizeOf(order)) })
		if got := sizeOf(best(blocks)); got != least {
			t.Fatalf("%v: best order takes %d, another %d", vars, got, least)
		}
	}
}

// permute calls f with every order.
func permute(list []int, f func([]int)) {
	var rec func(k int)
	rec = func(k int) {
		if k == len(list) {
			f(list)
		}
		for i := k; i < len(list); i++ {
			list[k], list[i] = list[i], list[k]
			rec(k + 1)
			list[k], list[i] = list[i], list[k]
		}
	}
	rec(0)
}

// The allocator at hand is asked whether it hands out what the table says.
func TestAllocated(t *testing.T) {
	if allocated(0, false) != 0 || allocated(1, false) != 8 || allocated(33, false) != 48 || allocated(1<<20+1, false) != 1<<20+8192 {
		t.Errorf("%d %d %d %d", allocated(0, false), allocated(1, false), allocated(33, false), allocated(1<<20+1, false))
	}
	type wide struct {
		p *int
		_ [504]byte
	}
	type wider struct {
		p *int
		_ [512]byte
	}
	for name, got := range map[string][2]int64{
		"512 bytes with pointers": {allocated(int64(unsafe.Sizeof(wide{})), true), perObject(func() any { return new(wide) })},
		"520 bytes with pointers": {allocated(int64(unsafe.Sizeof(wider{})), true), perObject(func() any { return new(wider) })},
		"520 bytes without":       {allocated(520, false), perObject(func() any { return new([520]byte) })},
		"100 bytes":               {allocated(100, false), perObject(func() any { return new([100]byte) })},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: table %d, allocator %d", name, got[0], got[1])
		}
	}
}

var hold any

// perObject is what the heap grows by for each of many objects.
func perObject(alloc func() any) int64 {
	const n = 10_000
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	for range n {
		hold = alloc()
	}
	runtime.ReadMemStats(&m1)
	return int64(m1.TotalAlloc-m0.TotalAlloc) / n
}

func TestReorder(t *testing.T) {
	order := find(Analyse(shopType(t, "Order"), all), "Order")
	file, decl, err := Reorder("shop.go", []byte(shop), "Order", order.Order)
	if err != nil {
		t.Fatal(err)
	}
	want := "type Order struct {\n\tID string `json:\"id\"`\n\t// Lines are what was ordered.\n\tLines []Line\n\tNext  " +
		"*Order\n\tAt    time.Time\n\tTail  [3]Line\n\tN     int32\n" +
		"\tPaid  bool // it was paid\n\tOpen  bool\n\tX, Y  int8\n}"
	if sortedLines(string(decl)) != sortedLines(want) {
		t.Errorf("got\n%s\nwant these lines\n%s", decl, want)
	}
	if !strings.Contains(string(file), string(decl)) || !strings.Contains(string(file), "type Line struct {\n\tGift bool") {
		t.Errorf("the file:\n%s", file)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n",
		"shop.go": string(file[:strings.Index(string(file), "var _ =")])} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(t.Context(), load.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.Build("Order")
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Roots[0].Size; got != 152 { // Line is as it was
		t.Errorf("the reordered file makes it %d bytes", got)
	}
	for typ, order := range map[string][]int{"Nothing": {0}, "Line": {0, 1}} {
		if _, _, err := Reorder("shop.go", []byte(shop), typ, order); err == nil {
			t.Errorf("%s: no error", typ)
		}
	}
}

func sortedLines(s string) string {
	lines := strings.Fields(s)
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

func TestUnkeyed(t *testing.T) {
	got := Unkeyed("shop.go", []byte(shop), map[string]bool{"Order": true, "Line": true})
	var s []string
	for _, l := range got {
		s = append(s, fmt.Sprintf("%d %s", l.Line, l.Type))
	}
	if want := []string{"37 Order", "37 Line", "38 Line", "39 Line"}; !slices.Equal(s, want) {
		t.Errorf("got %q, want %q", s, want)
	}
}

func TestKey(t *testing.T) {
	src := "package p\n\nvar a = []Line{{true, 1, f(2, 3)}, {Gift: true}}\nvar b = Line{false, Line{1}.N, 2}\nvar c = Other{1, 2, 3}\n"
	want := "package p\n\nvar a = []Line{{Gift: true, Net: 1, Qty: f(2, 3)}, {Gift: true}}\nvar b = Line{Gift: false, Net: " +
		"Line{1}.N, Qty: 2}\nvar c = Other{1, 2, 3}\n"
	if got := string(Key("p.go", []byte(src), map[string][]string{"Line": {"Gift", "Net", "Qty"}})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The whole of it: a package with generated code that knows the order of the fields and
// with literals that go by it is built both ways and timed.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	o := experimenttest.Options(t, 2*time.Second)
	generated := "// Code generated by fxjson -type=Msg; DO NOT EDIT.\npackage subject\n\nvar _ = Msg(struct {\n\tOpen bool\n\tN " +
		"int64\n\tPaid bool\n\tLegs [4]Leg\n\tDone bool\n}{})\n"
	source := "package subject\n\ntype Msg struct {\n\tOpen bool\n\tN int64\n\tPaid bool\n\tLegs [4]Leg\n\tDone bool\n}\n\n" +
		"type Leg struct {\n\tUp bool\n\tNet float64\n\tDown bool\n}\n\nvar _ = Leg{true, 1, false}\n"
	for name, text := range map[string]string{"msg.go": source, "msg_json.go": generated} {
		if err := os.WriteFile(filepath.Join(o.Dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, e, err := experiment.Run(t.Context(), Experiment{}, o, experimenttest.UI())
	if err != nil {
		t.Fatal(err)
	}
	experimenttest.Check(t, e)
	all := strings.Join(append(e.Findings, e.Warnings...), "\n")
	for _, want := range []string{"subject.Msg takes 128 bytes, 21 of them padding; in another order of its fields it takes 80",
		"subject.Leg takes 24 bytes, 14 of them padding",
		"Copying a list of 10,000 values takes", "msg.go:17: a literal of Leg without field names"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in\n%s", want, all)
		}
	}
	if text, err := os.ReadFile(filepath.Join(o.Out, "layout.txt")); err != nil ||
		!strings.Contains(string(text), "type Leg struct {\n\tNet  float64\n") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestWalkSource(t *testing.T) {
	src := string(walkSource("shop", "example.com/shop", shopType(t, "Order")))
	for _, want := range []string{"if v.Paid {", "sum += uint64(len(v.ID))", "sum += uint64(v.N)", "if v.Tail[0].Gift {",
		"if v.Next != nil {", "v.At.Nanosecond()"} {
		if !strings.Contains(src, want) {
			t.Errorf("%s is missing in\n%s", want, src)
		}
	}
}
