package zmy_test

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
	"github.com/zmylab/zmy/wire"
)

func TestErrorTexts(t *testing.T) {
	order := zmycase.Order{ID: "A", Items: make([]zmycase.Item, 4)}
	for i := range order.Items {
		order.Items[i].Sku = "sku"
	}
	good, err := zmy.Marshal(&order)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(good)
	bad[bytes.LastIndex(bad, []byte("sku"))] = 0xff
	order.Items[2].Sku = "\xff"
	chain := chainOf(65)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"utf8", zmy.Unmarshal(bad, &zmycase.Order{}), "zmy: unmarshal Order.Items[3].Sku: invalid UTF-8 at offset 110"},
		{"short", zmy.Unmarshal(good[:3], &zmycase.Order{}), "zmy: unmarshal Order: unexpected end of input at offset 3 (need 4 bytes, have 3)"},
		{"empty", zmy.Unmarshal(nil, &zmycase.Order{}), "zmy: unmarshal Order: unexpected end of input at offset 0 (need 4 bytes, have 0)"},
		{"marshal", second(zmy.Marshal(&order)), "zmy: marshal Order.Items[2].Sku: invalid UTF-8"},
		{"large", second(zmy.Marshal(&zmycase.SSE{Data: strings.Repeat("x", 200_000)})),
			"zmy: marshal SSE.Data: larger than the limit (200021 bytes, MaxWire is 131072)"},
		{"nil element", second(zmy.Marshal(&zmycase.Node{Kids: []*zmycase.Node{nil}})), "zmy: marshal Node.Kids[0]: nil has no place here"},
		{"any", second(zmy.Marshal(&zmycase.Node{Any: map[string]any{"k": make(chan int)}})),
			`zmy: marshal Node.Any["k"]: type has no wire form inside any: chan int`},
		{"depth", second(zmy.Marshal(chain)), "zmy: marshal Node.Next.Next.Next.Next … 60 more: nested deeper than the limit"},
		{"no numbers", second(zmy.Marshal(struct{ A int }{})),
			`zmy: marshal struct { A int }: field A: no struct tag zmy; number it, as in zmy:"0", or use struct tag zmy:"-" to leave ` +
				`it out; or generate code with zmy gen -derive, which numbers a struct without tags`},
		{"no pointer", zmy.Unmarshal(good, zmycase.Order{}), "zmy: unmarshal zmycase.Order: not a pointer; pass &v"},
		{"nil pointer", second(zmy.Marshal((*zmycase.Order)(nil))), "zmy: marshal *zmycase.Order: nil pointer"},
		{"max wire", zmy.UnmarshalOptions{MaxWire: 8}.Unmarshal(good, &zmycase.Order{}),
			"zmy: unmarshal Order: larger than the limit at offset 0 (113 bytes, MaxWire is 8)"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.name, c.err, c.want)
		}
	}
}

func second(_ []byte, err error) error { return err }

// chainOf is a chain of n nodes.
func chainOf(n int) *zmycase.Node {
	head := &zmycase.Node{}
	for ; n > 1; n-- {
		head = &zmycase.Node{Next: head}
	}
	return head
}

func TestDepth(t *testing.T) {
	b, err := zmy.Marshal(chainOf(64))
	if err != nil {
		t.Fatal("64 levels:", err)
	}
	if err := zmy.Unmarshal(b, &zmycase.Node{}); err != nil {
		t.Fatal("64 levels:", err)
	}
	b, err = zmy.MarshalOptions{MaxDepth: 65}.Marshal(chainOf(65))
	if err != nil {
		t.Fatal(err)
	}
	if err := zmy.Unmarshal(b, &zmycase.Node{}); !errors.Is(err, zmy.ErrDepth) {
		t.Error("65 levels:", err)
	}
	if _, err := zmycase.ViewNode(b); !errors.Is(err, zmy.ErrDepth) {
		t.Error("65 levels, verify:", err)
	}
	ring := &zmycase.Node{}
	ring.Next = ring
	if _, err := zmy.Marshal(ring); !errors.Is(err, zmy.ErrDepth) {
		t.Error("a ring of pointers:", err)
	}
	loop := []any{nil}
	loop[0] = loop
	if _, err := zmy.Marshal(&zmycase.Node{Any: loop}); !errors.Is(err, zmy.ErrDepth) {
		t.Error("a list that holds itself:", err)
	}
}

// A list of one-byte elements, as an older version wrote them, becomes structs
// of 481 bytes: 60 MB from 128 KiB unless the budget stops it, and before the
// memory is taken.
func TestBudget(t *testing.T) {
	b := append([]byte{0, 0x40, 0, 0}, 0, 0, 0, 0, 1, 0, 0, 0)
	b = append(b, bytes.Repeat([]byte{7}, 120_000)...)
	wire.PutU32(b[4:], uint32(len(b)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := zmy.Unmarshal(b, &zmycase.Fat{})
	runtime.ReadMemStats(&after)
	if !errors.Is(err, zmy.ErrBudget) {
		t.Fatal(err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("%d bytes were allocated before the refusal", got)
	}
	var v zmycase.Fat
	if err := (zmy.UnmarshalOptions{Budget: 1 << 30}).Unmarshal(b, &v); err != nil || len(v.List) != 120_000 || v.List[9].B != 7 {
		t.Error("with a larger budget:", err, len(v.List))
	}
}

// Fields without a number take memory that no unit of the budget is charged for: 131,040
// bytes would take 512 MB. Memory has an error of its own, before it is taken.
func TestMemoryLimit(t *testing.T) {
	type item struct {
		A     uint8      `zmy:"0"`
		Cache [4096]byte `zmy:"-"`
	}
	type list struct {
		Items []item `zmy:"0"`
	}
	type pointers struct {
		Items []*item `zmy:"0"`
	}
	type pairs struct {
		Items map[uint16]item `zmy:"0"`
	}
	all := map[uint16]item{}
	for i := range 10_000 {
		all[uint16(i)] = item{A: 1}
	}
	byKey, err := zmy.Marshal(&pairs{all})
	if err != nil {
		t.Fatal(err)
	}
	b := append([]byte{0, 0x40, 0, 0}, 0, 0, 0, 0, 1, 0, 0, 0)
	b = append(b, bytes.Repeat([]byte{1}, 131_000)...)
	wire.PutU32(b[4:], uint32(len(b)))
	for _, c := range []struct {
		msg []byte
		v   any
	}{{b, &list{}}, {b, &pointers{}}, {byKey, &pairs{}}} {
		if err := zmy.Unmarshal(c.msg, c.v); !errors.Is(err, zmy.ErrMemory) || !strings.Contains(err.Error(), "raise UnmarshalOptions.Budget") {
			t.Errorf("%T: %v", c.v, err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_ = zmy.Unmarshal(c.msg, c.v)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("%T: %d bytes were allocated before the refusal", c.v, got)
		}
		if err := (zmy.UnmarshalOptions{Budget: 1 << 30}).Unmarshal(c.msg, c.v); err != nil {
			t.Errorf("%T, with a larger budget: %v", c.v, err)
		}
	}
}

// Around 65,535 bytes words change their width: each length has one encoding.
func TestWidths(t *testing.T) {
	o := zmy.MarshalOptions{MaxWire: 1 << 20}
	u := zmy.UnmarshalOptions{MaxWire: 1 << 20, Exact: true}
	check := func(v zmycase.Order) {
		t.Helper()
		b, err := o.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		var back zmycase.Order
		if err := u.Unmarshal(b, &back); err != nil {
			t.Fatalf("%d bytes: %v", len(b), err)
		}
		if again, err := o.Marshal(&back); err != nil || !bytes.Equal(b, again) {
			t.Fatalf("%d bytes: marshalled again: %v", len(b), err)
		}
		if _, err := zmycase.ViewOrderOptions(b, u); err != nil {
			t.Fatalf("%d bytes: verify: %v", len(b), err)
		}
	}
	text := strings.Repeat("x", 1<<17)
	for n := 65535 - 120; n < 65535+20; n++ {
		check(zmycase.Order{ID: text[:n]})
		check(zmycase.Order{Items: []zmycase.Item{{Sku: "a"}, {Sku: text[:n]}, {Sku: "b"}}})
		check(zmycase.Order{Items: []zmycase.Item{{Sku: text[:n/2]}, {Sku: text[:n-n/2]}}})
		check(zmycase.Order{Metadata: map[string]string{"a": text[:n-1], text[:n]: "", "b": "c"}})
	}
}

func TestWidthGap(t *testing.T) {
	b, err := zmy.MarshalOptions{MaxWire: 1 << 20}.Marshal(&zmycase.SSE{Data: strings.Repeat("x", 65536)})
	if err != nil {
		t.Fatal(err)
	}
	// The same struct, shortened so that two-byte ends would have done.
	cut := 65536 - (65535 - 4 - 1 - 4*2)
	b = b[:len(b)-cut]
	for i := 2; i < 4; i++ {
		wire.PutU32(b[5+4*i:], uint32(len(b)))
	}
	if err := zmy.Unmarshal(b, &zmycase.SSE{}); !errors.Is(err, zmy.ErrWidth) {
		t.Errorf("%d bytes with wide ends: %v", len(b), err)
	}
}

func TestAppendOnError(t *testing.T) {
	dst := append(make([]byte, 0, 100), "keep"...)
	got, err := zmy.Append(dst, &zmycase.SSE{ID: "\xff"})
	if err == nil || string(got) != "keep" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Strings of one message share one copy of it.
func TestAllocations(t *testing.T) {
	order := sampleOrder()
	b, err := zmy.Marshal(&order)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 0, 4096)
	var reused zmycase.Result
	result, _ := zmy.Marshal(&zmycase.Result{Data: make([]float64, 1024)})
	for _, c := range []struct {
		name string
		max  float64
		f    func()
	}{
		{"append", 0, func() { buf, _ = order.AppendZMY(buf[:0]) }},
		{"marshal", 1, func() { _, _ = zmy.Marshal(&order) }},
		{"unmarshal", unmarshalAllocs, func() { var v zmycase.Order; _ = v.UnmarshalZMY(b) }},
		{"view", 0, func() { v, _ := zmycase.ViewOrder(b); _ = v.Items(1).Sku() }},
		{"lazy view", 0, func() { v, _ := zmycase.ViewOrderLazy(b); _ = v.ID() }},
		{"reuse", 0, func() { _ = reused.UnmarshalZMYOptions(result, zmy.UnmarshalOptions{Reuse: true}) }},
	} {
		if got := testing.AllocsPerRun(100, c.f); got > c.max {
			t.Errorf("%s: %v allocations, want at most %v", c.name, got, c.max)
		}
	}
}

func TestViews(t *testing.T) {
	order := sampleOrder()
	b, err := zmy.Marshal(&order)
	if err != nil {
		t.Fatal(err)
	}
	v, err := zmycase.ViewOrder(b)
	if err != nil {
		t.Fatal(err)
	}
	if v.ID() != order.ID || !v.Timestamp().Equal(order.Timestamp) || v.ItemsLen() != len(order.Items) ||
		v.MetadataLen() != len(order.Metadata) {
		t.Error("fields of the view differ")
	}
	for i, it := range order.Items {
		if x := v.Items(i); x.Sku() != it.Sku || x.Qty() != it.Qty || x.Price() != it.Price || !bytes.Equal(x.Attrs(), it.Attrs) {
			t.Errorf("item %d differs", i)
		}
	}
	for k, want := range order.Metadata {
		if got, ok := v.Metadata(k); !ok || got != want {
			t.Errorf("key %s: %q, %v", k, got, ok)
		}
	}
	if _, ok := v.Metadata("none"); ok {
		t.Error("a key that is not there was found")
	}
	// Unverified views over every truncation and many damages: never a panic.
	for n := range b {
		walk(b[:n:n])
		for bit := range 8 {
			c := bytes.Clone(b)
			c[n] ^= 1 << bit
			walk(c)
		}
	}
}

func walk(b []byte) {
	v, err := zmycase.ViewOrderLazy(b)
	if err != nil {
		return
	}
	_, _ = v.ID(), v.Timestamp()
	_, _ = v.Metadata("currency")
	for i := range v.ItemsLen() {
		x := v.Items(i)
		_, _, _ = x.Sku(), x.Price(), x.Attrs()
	}
}

func TestFloatBits(t *testing.T) {
	in := zmycase.Result{Data: []float64{math.Copysign(0, -1), math.Float64frombits(0x7ff0000000000001), math.Inf(-1)}}
	b, err := zmy.Marshal(&in)
	if err != nil {
		t.Fatal(err)
	}
	var out zmycase.Result
	if err := zmy.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	for i := range in.Data {
		if math.Float64bits(in.Data[i]) != math.Float64bits(out.Data[i]) {
			t.Errorf("%d: %x became %x", i, math.Float64bits(in.Data[i]), math.Float64bits(out.Data[i]))
		}
	}
}
