package dissect_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dissect"
)

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	b, err := zmy.MarshalOptions{MaxWire: 1 << 20}.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func describe[T any](t testing.TB) *schema.Schema {
	t.Helper()
	s, err := schema.For[T]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// full has something in each field.
func full() *zmycase.Case {
	num, text := int32(7), "opt"
	return &zmycase.Case{
		Bool: true, Time: time.Unix(1e9, 0).UTC(), Text: "text", Ints: []int16{1, -2}, Texts: []string{"a", "bc", ""},
		Any: map[string]any{"list": []any{1, nil, 2.5, []string{"x"}}, "raw": zmy.RawStruct{ID: 1, Data: []byte("d")},
			"d": zmy.Decimal{Unscaled: big.NewInt(5), Scale: 1}, "m": map[string]string{"k": "v"}, "f": []float64{1}},
		Index: map[string]zmycase.Point2{"k": {X: 1}, "l": {}}, Codes: map[int8]string{-1: "m", 5: "p"}, Flags: map[bool]bool{true: false},
		Set: map[string]struct{}{"s": {}}, Inner: zmycase.Point2{Y: 7}, Ptr: &zmycase.Point2{}, Num: &num, Opt: &text, List: []string{},
		Big: big.NewInt(-300), Real: big.NewFloat(1.5), Pair: [2]string{"", "z"}, Spots: [2]zmycase.Point2{{}, {X: 1}},
	}
}

// The worked vector of the spec, part by part.
func TestWorkedVector(t *testing.T) {
	b := marshal(t, &zmycase.Order{ID: "A1", Items: []zmycase.Item{{Sku: "x", Price: 1.5, Qty: 2}},
		Metadata: map[string]string{"k": "v"}, Timestamp: time.Unix(0, 0)})
	var got strings.Builder
	for p := range (dissect.Options{}).Message(describe[zmycase.Order](t), b) {
		fmt.Fprintf(&got, "%d+%d %s %s|%s|%s\n", p.Offset, p.Len, p.Role, p.Path, p.Type, p.Text)
	}
	const want = `0+61 group |Order|
0+4 header ||S = 12 bytes of scalars, N = 3 tails
4+12 scalar Timestamp|time|1970-01-01T00:00:00Z
16+2 end ||ID ends at 24 (offset 0x18)
18+2 end ||Items ends at 49 (offset 0x31)
20+2 end ||Metadata ends at 61 (offset 0x3d)
22+2 value ID|string|"A1"
24+25 group Items|[]Item|1 element
24+4 header Items||each has S = 12 bytes of scalars, N = 2 tails
28+2 end Items||elements start at 8: there are 1
30+2 end Items||[0] ends at 25 (offset 0x31)
32+17 group Items[0]|Item|
32+8 scalar Items[0].Price|float64|1.5
40+4 scalar Items[0].Qty|int32|2
44+2 end Items[0]||Sku ends at 17 (offset 0x31)
46+2 end Items[0]||Attrs ends at 17 (offset 0x31)
48+1 value Items[0].Sku|string|"x"
49+0 value Items[0].Attrs|bytes|nil
49+12 group Metadata|map[string]string|1 entry
49+2 end Metadata||keys ends at 7 (offset 0x38)
51+2 end Metadata||elements start at 4: there are 1
53+2 end Metadata||[0] ends at 5 (offset 0x38)
55+1 value Metadata["k"]|key|"k"
56+2 end Metadata||elements start at 4: there are 1
58+2 end Metadata||[0] ends at 5 (offset 0x3d)
60+1 value Metadata["k"]|string|"v"
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
}

// covered holds the parts to stand side by side from the first byte to the last.
func covered(t *testing.T, o dissect.Options, s *schema.Schema, b []byte) {
	t.Helper()
	at := 0
	for p := range o.Message(s, b) {
		if p.Offset < 0 || p.Len < 0 || p.Offset+p.Len > len(b) {
			t.Fatalf("beyond %d bytes: %+v", len(b), p)
		}
		if p.Role == dissect.Group {
			continue
		}
		if p.Offset != at {
			t.Fatalf("%d bytes are covered, then comes %+v\n%x", at, p, b)
		}
		at += p.Len
	}
	if at != len(b) {
		t.Fatalf("%d of %d bytes are covered\n%x", at, len(b), b)
	}
}

// Every byte is shown once, also of damaged messages, with a schema and without.
func TestCovered(t *testing.T) {
	s := describe[zmycase.Case](t)
	b := marshal(t, full())
	for _, s := range []*schema.Schema{s, nil} {
		for _, o := range []dissect.Options{{}, {MaxElems: 1}} {
			covered(t, o, s, b)
			for n := range b {
				covered(t, o, s, b[:n])
				for _, c := range []byte{0, 1, 0x7f, 0xff} {
					bad := append([]byte(nil), b...)
					bad[n] ^= c
					covered(t, o, s, bad)
				}
			}
		}
	}
	for _, v := range []any{&zmycase.Thin{A: 1, Kids: []zmycase.Thin{{B: "x"}}},
		&zmycase.Drawing{Shapes: []zmycase.Shape{zmycase.Line{Name: "n"}}}, &zmycase.Node{Next: &zmycase.Node{}}} {
		covered(t, dissect.Options{}, nil, marshal(t, v))
		covered(t, dissect.Options{}, s, marshal(t, v)) // of another type
	}
}

// A newer version shows what the schema does not know, an older one what is there.
func TestVersions(t *testing.T) {
	newer := marshal(t, &zmycase.Point3List{Points: []zmycase.Point3{{X: 1, Name: "n"}}})
	older := marshal(t, &zmycase.Point2List{Points: []zmycase.Point2{{X: 1}}})
	covered(t, dissect.Options{}, describe[zmycase.Point2List](t), newer)
	covered(t, dissect.Options{}, describe[zmycase.Point3List](t), older)
	var unknown, old int
	for p := range (dissect.Options{}).Message(describe[zmycase.Point2List](t), newer) {
		if p.Role == dissect.Unknown && p.Len == 1 {
			unknown++
		}
	}
	for p := range (dissect.Options{}).Message(describe[zmycase.Point3List](t), older) {
		if strings.Contains(p.Text, "older version, with 2 of 3 fields") {
			old++
		}
	}
	if unknown != 1 || old != 1 {
		t.Errorf("%d unknown parts, %d old structs", unknown, old)
	}
}

// A field asked for is shown alone, within what it stands in; long lists are cut.
func TestOptions(t *testing.T) {
	v := &zmycase.Order{ID: "id"}
	for i := range 100 {
		v.Items = append(v.Items, zmycase.Item{Sku: fmt.Sprint("sku", i)})
	}
	s, b := describe[zmycase.Order](t), marshal(t, v)
	count := func(o dissect.Options) (n, elided int, last string) {
		for p := range o.Message(s, b) {
			if p.Role != dissect.Group {
				n, last = n+1, p.Text
			}
			if p.Role == dissect.Elided {
				elided++
			}
		}
		return n, elided, last
	}
	if n, _, last := count(dissect.Options{Field: "Items[42].Sku"}); n != 1 || last != `"sku42"` {
		t.Errorf("%d parts, the last says %s", n, last)
	}
	if n, elided, _ := count(dissect.Options{MaxElems: 3}); elided != 2 || n > 60 {
		t.Errorf("%d parts, %d elided", n, elided)
	}
	covered(t, dissect.Options{MaxElems: 3}, s, b)
	for range (dissect.Options{}).Message(s, b) {
		break // whoever has enough may stop
	}
}

func FuzzMessage(f *testing.F) {
	f.Add(marshal(f, full()), 0)
	f.Add(marshal(f, &zmycase.Thin{B: "x"}), 2)
	s := describe[zmycase.Case](f)
	f.Fuzz(func(t *testing.T, b []byte, elems int) {
		covered(t, dissect.Options{MaxElems: elems}, s, b)
		covered(t, dissect.Options{MaxElems: elems}, nil, b)
	})
}
