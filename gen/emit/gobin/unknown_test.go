package gobin_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/carriers"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/versions"
)

var wideRead = zmy.UnmarshalOptions{MaxWire: 1 << 24}

func mustMarshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := wideOpen.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustUnmarshal(t *testing.T, b []byte, v any) {
	t.Helper()
	if err := wideRead.Unmarshal(b, v); err != nil {
		t.Fatalf("%v\n%x", err, b)
	}
}

func randomV3(r *rand.Rand) *versions.V3 {
	v := new(versions.V3)
	fill(r, reflect.ValueOf(v).Elem(), 6)
	return v
}

// A type that carries what it does not know gives a newer message back as it
// was, at every place where a struct can stand.
func TestUnknownComesBack(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	carried := 0
	for range 3000 {
		b := mustMarshal(t, randomV3(r))
		var v1 carriers.V1
		mustUnmarshal(t, b, &v1)
		if again := mustMarshal(t, &v1); !bytes.Equal(b, again) {
			t.Fatalf("read by V1 and written again:\n%x\n%x", b, again)
		}
		var v2 carriers.V2
		mustUnmarshal(t, b, &v2)
		if again := mustMarshal(t, &v2); !bytes.Equal(b, again) {
			t.Fatalf("read by V2 and written again:\n%x\n%x", b, again)
		}
		if len(v1.Parts) > 0 && len(v1.Index) > 0 && len(v1.Spots) > 0 {
			carried++
		}
		// Another message in the same target leaves nothing behind.
		mustUnmarshal(t, mustMarshal(t, &versions.V1{ID: 7}), &v1)
		if again := mustMarshal(t, &v1); !bytes.Equal(again, mustMarshal(t, &versions.V1{ID: 7})) {
			t.Fatalf("an older message after a newer one: %x", again)
		}
	}
	if carried < 100 {
		t.Errorf("only %d messages had newer structs in lists and maps", carried)
	}
}

// Without a field for them the unknown parts are dropped.
func TestUnknownDropped(t *testing.T) {
	b := mustMarshal(t, &versions.V3{ID: 1, Rate: 2})
	var v1 versions.V1
	mustUnmarshal(t, b, &v1)
	if again := mustMarshal(t, &v1); !bytes.Equal(again, mustMarshal(t, &versions.V1{ID: 1})) {
		t.Errorf("%x", again)
	}
}

// An old program edits what it knows; a new one then finds the rest as it was,
// also when the edit makes the containers around it wide, or narrow again.
func TestUnknownUnderEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	long := strings.Repeat("x", 70_000)
	for i := range 600 {
		v3 := randomV3(r)
		b := mustMarshal(t, v3)
		var v1 carriers.V1
		mustUnmarshal(t, b, &v1)
		for round := range 2 {
			text := long
			if round == 1 {
				text = "short"
			}
			v1.Name, v3.Name = text, text
			switch n := len(v3.Parts); {
			case n > 0 && i%3 == 0:
				v1.Parts[i%n].Sku, v3.Parts[i%n].Sku = text, text
			case n > 1 && i%3 == 1:
				v1.Parts, v3.Parts = v1.Parts[1:], v3.Parts[1:]
			case len(v3.Spots) > 1:
				v1.Spots[0], v1.Spots[1] = v1.Spots[1], v1.Spots[0]
				v3.Spots[0], v3.Spots[1] = v3.Spots[1], v3.Spots[0]
			}
			if got, want := mustMarshal(t, &v1), mustMarshal(t, v3); !bytes.Equal(got, want) {
				t.Fatalf("edited by V1: %d bytes, want %d", len(got), len(want))
			}
			mustUnmarshal(t, mustMarshal(t, &v1), &v1)
		}
	}
}

// Elements of different versions in one list, as after an append by the old
// program, are padded with zeros.
func TestUnknownPadded(t *testing.T) {
	var v1 carriers.V1
	mustUnmarshal(t, mustMarshal(t, &versions.V3{
		Parts: []versions.Part3{{Sku: "a", Due: 5, Tags: []string{"t"}, Unit: 9}}, Spots: []versions.Spot3{{X: 1, Name: "n"}},
	}), &v1)
	v1.Parts = append([]carriers.Part1{{Sku: "new"}}, v1.Parts...)
	v1.Spots = append(v1.Spots, carriers.Spot1{Y: 2})
	var v3 versions.V3
	mustUnmarshal(t, mustMarshal(t, &v1), &v3)
	want := versions.V3{
		Parts: []versions.Part3{{Sku: "new"}, {Sku: "a", Due: 5, Tags: []string{"t"}, Unit: 9}},
		Spots: []versions.Spot3{{X: 1, Name: "n"}, {Y: 2}},
	}
	if !reflect.DeepEqual(v3, want) {
		t.Errorf("%+v\nwant %+v", v3, want)
	}
}

// V1 writes, V3 adds, V2 passes on, V1 passes on, V3 reads: nothing is lost, and
// what a codec has read never changes what it writes next.
func TestUnknownChains(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	next := mustMarshal(t, &carriers.V3{ID: 9, Rate: 1.5})
	for range 1000 {
		full := randomV3(r)
		var old versions.V1
		mustUnmarshal(t, mustMarshal(t, full), &old)
		var v3 carriers.V3
		mustUnmarshal(t, mustMarshal(t, &old), &v3)
		v3.Done, v3.Extra, v3.Rate = true, []string{"e"}, 2.5
		v3.Parts = append(v3.Parts, carriers.Part3{Sku: "p", Tags: []string{"t"}, Unit: 1})
		want := mustMarshal(t, &v3)
		var v2 carriers.V2
		mustUnmarshal(t, want, &v2)
		var v1 carriers.V1
		mustUnmarshal(t, mustMarshal(t, &v2), &v1)
		if got := mustMarshal(t, &v1); !bytes.Equal(got, want) {
			t.Fatalf("after V2 and V1:\n%x\n%x", got, want)
		}
		if got := mustMarshal(t, &carriers.V3{ID: 9, Rate: 1.5}); !bytes.Equal(got, next) {
			t.Fatalf("the next record is written otherwise:\n%x\n%x", got, next)
		}
	}
}

// carriersAgree holds on any bytes: the verifier and the decoder give the same
// verdict; what is accepted is written so that it is read and written the same;
// and a newer reader finds in it what it finds in the original.
func carriersAgree(t *testing.T, b []byte) bool {
	t.Helper()
	var v1 carriers.V1
	o := zmy.UnmarshalOptions{MaxWire: 1 << 24, Budget: 1 << 40}
	err := o.Unmarshal(b, &v1)
	_, verr := carriers.ViewV1Options(b, o)
	sameVerdict(t, b, err, verr)
	if err != nil {
		return false
	}
	again := mustMarshal(t, &v1)
	var back carriers.V1
	mustUnmarshal(t, again, &back)
	if third := mustMarshal(t, &back); !bytes.Equal(third, again) {
		t.Fatalf("not the same when written again:\n%x\n%x\n%x", b, again, third)
	}
	var new1, new2 versions.V3
	if o.Unmarshal(b, &new1) == nil {
		if err := o.Unmarshal(again, &new2); err != nil {
			t.Fatalf("a newer reader refuses: %v\n%x\n%x", err, b, again)
		}
		if x, y := mustMarshal(t, &new1), mustMarshal(t, &new2); !bytes.Equal(x, y) {
			t.Fatalf("a newer reader finds another value:\n%x\n%x", x, y)
		}
	}
	return true
}

func carrierSamples(n int) (out [][]byte) {
	r := rand.New(rand.NewPCG(37, 38))
	for i := range n {
		var v any = randomV3(r)
		if i%4 == 3 {
			v1 := new(versions.V1)
			fill(r, reflect.ValueOf(v1).Elem(), 5)
			v = v1
		}
		b, err := wideOpen.Marshal(v)
		if err != nil {
			panic(err)
		}
		out = append(out, b)
	}
	return out
}

func TestUnknownTruncated(t *testing.T) {
	for _, b := range carrierSamples(12) {
		for n := range b {
			if carriersAgree(t, b[:n:n]) {
				t.Fatalf("accepted the first %d of %d bytes", n, len(b))
			}
		}
	}
}

func TestUnknownDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	all, accepted := carrierSamples(100), 0
	for i := range 15_000 {
		if carriersAgree(t, damaged(r, all[i%len(all)])) {
			accepted++
		}
	}
	if accepted < 300 {
		t.Errorf("only %d were accepted", accepted)
	}
}

func FuzzUnknown(f *testing.F) {
	for _, b := range carrierSamples(30) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { carriersAgree(t, b) })
}

// A small message must not make a large value out of what it carries.
func TestUnknownBudget(t *testing.T) {
	b := mustMarshal(t, &versions.V3{Extra: []string{strings.Repeat("x", 1000)}})
	var v1 carriers.V1
	if err := (zmy.UnmarshalOptions{Budget: 50}).Unmarshal(b, &v1); err == nil {
		t.Error("unknown parts were not charged")
	}
}
