package msgp

import (
	"slices"
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, c := range []struct {
		dir, typ string
		changes  []string
	}{
		{"kinds", "All", []string{"normalised S.Bytes empty → nil", "normalised K.Num 12.50 → 12.5"}},
		{"kinds", "Dynamic", []string{"normalised "}},
		{"kinds", "Opaque", nil},
		{"kinds", "Lists", nil},
		{"examples/order-lite", "Order", []string{"normalised Items"}},
		{"kinds", "Page[record]", nil},
		{"kinds/app", "event", []string{"normalised Kids"}},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			r := labtest.Run(t, Info, &labtest.Subject{Dir: c.dir, Type: c.typ})
			r.Check(t, c.changes)
			if got, want := slices.Contains(r.Encoders, "append-sorted"), !slices.Contains([]string{"All", "Dynamic", "Opaque", "Page[record]"}, c.typ); got != want {
				t.Errorf("mode append-sorted = %v, want %v", got, want)
			}
		})
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct{ dir, typ, want string }{
		{"kinds", "Wrong", `skipped: Wrong.Done has type chan bool | odd.go:64 | msgp generates no code for it | leave it out with struct tag json:"-"`},
		{"kinds", "Odd", `skipped: Odd.ByFloat has type map[float64]string | odd.go:13 | msgp generates no code for this type of map key | leave it out with struct tag json:"-"`},
		{"kinds", "PtrMap", `skipped: PtrMap.M has type *map[string]int | odd.go:69 | msgp's code for pointers to maps does not compile | leave it out with struct tag json:"-"`},
		{"kinds", "PtrArray", `skipped: PtrArray.A has type *[2]Leaf | odd.go:70 | msgp's code for pointers to arrays does not compile | leave it out with struct tag json:"-"`},
		{"kinds", "PtrHash", ""},
		{"kinds", "Lists", ""},
	} {
		if got := labtest.WhyText(Info.Plan(labtest.Target(t, &labtest.Subject{Dir: c.dir, Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}
