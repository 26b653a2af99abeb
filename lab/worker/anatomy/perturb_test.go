package anatomy

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

type pair struct {
	Sku string
	Qty int
}

// mixed is a struct with structs in a list and behind a pointer.
type mixed struct {
	ID    string
	Items []pair
	Tags  map[string]string
	Next  *pair
	F     float64
}

func newMixed(i int) mixed {
	id := strings.Repeat(string(rune('a'+i%26)), 12+i%7)
	return mixed{ID: id, Items: []pair{{"s" + id, i + 2}, {"t" + id, i + 3}}, Tags: map[string]string{"k": id},
		Next: &pair{"n" + id, 7 + i}, F: 1.5 + float64(i)}
}

// TestPerturb: a changed value is another one, in every struct, and as long.
func TestPerturb(t *testing.T) {
	r := newRand(1)
	for i := range 20 {
		v, was := newMixed(i), newMixed(i)
		if !Perturb(&v, r, EveryPart) {
			t.Fatal("nothing changed")
		}
		if v.F == was.F && v.ID == was.ID || v.Items[0] == was.Items[0] || v.Items[1] == was.Items[1] || *v.Next == *was.Next {
			t.Errorf("a struct stayed as it was: %+v, was %+v", v, was)
		}
		x, errX := json.Marshal(v)
		y, errY := json.Marshal(was)
		if errX != nil || errY != nil || len(x) < len(y)-3 || len(x) > len(y)+3 {
			t.Errorf("%s became %s, %v, %v", y, x, errX, errY)
		}
	}
	for _, f := range []float64{12.34, 1e21, 1.5e-9, 3, -7.25} {
		if g, ok := otherDigit(f, 64, r); !ok || g == f || math.Signbit(g) != math.Signbit(f) {
			t.Errorf("%v became %v", f, g)
		}
	}
	for _, s := range []string{"", "ä—…", "-- "} {
		if g, ok := otherLetter(s, r); ok {
			t.Errorf("%q became %q", s, g)
		}
	}
}

// TestPerturbAll: every number, time and long text of a value becomes another one, also in
// lists, maps and interfaces.
func TestPerturbAll(t *testing.T) {
	type all struct {
		F    []float64
		At   time.Time
		Text string
		Any  map[string]any
		Bits [3]uint8
	}
	long := strings.Repeat("a long text ", 4)
	value := func() all {
		return all{[]float64{1.5, 2.5}, time.Unix(1700000000, 5).UTC(), long,
			map[string]any{"n": 12.5, "s": long, "deep": map[string]any{"m": 7}, "list": []any{1.25, "x"}}, [3]uint8{7, 8, 9}}
	}
	r := newRand(3)
	v, was := value(), value()
	if !Perturb(&v, r, EveryPart) {
		t.Fatal("nothing changed")
	}
	deep := func(m map[string]any) any { return m["deep"].(map[string]any)["m"] }
	list := func(m map[string]any) any { return m["list"].([]any)[0] }
	if v.F[0] == was.F[0] || v.F[1] == was.F[1] || v.At.Equal(was.At) || v.Text == was.Text || v.Any["n"] == was.Any["n"] ||
		v.Any["s"] == was.Any["s"] ||
		deep(v.Any) == deep(was.Any) || list(v.Any) == list(was.Any) || v.Bits == was.Bits {
		t.Errorf("%+v\nwas %+v", v, was)
	}
	one := value()
	if !Perturb(&one, r, OnePart) || one.F[0] != was.F[0] && one.F[1] != was.F[1] {
		t.Errorf("more than one number of a list changed: %+v", one.F)
	}
	if x := (struct{ On []bool }{[]bool{true}}); Perturb(&x, r, EveryPart) {
		t.Errorf("%+v was changed", x)
	}
}
