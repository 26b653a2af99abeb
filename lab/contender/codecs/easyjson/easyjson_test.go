package easyjson

import (
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
		fallback bool
		changes  []string
	}{
		{"kinds", "All", false, []string{"normalised K.Float", "lossy K.Float", "lossy L.…/reused)", "lossy E.hidden.Rank"}},
		{"kinds", "Dynamic", true, []string{"lossy "}},
		{"kinds", "Opaque", false, nil},
		{"kinds", "record", false, nil},
		{"kinds/app", "event", false, nil},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			s := &labtest.Subject{Dir: c.dir, Type: c.typ}
			target := labtest.Target(t, s)
			target.AllowFallback = c.fallback
			r := labtest.RunTarget(t, Info, s, target)
			r.Check(t, c.changes)
		})
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct{ dir, typ, want string }{
		{"examples/order", "Order", "skipped: Order.Metadata[*] has type any | order.go:27 | it would fall back to encoding/json | -allow-fallback"},
		{"kinds", "Wrong", `skipped: Wrong.Done has type chan bool | odd.go:64 | easyjson generates no code for it | leave it out with struct tag json:"-"`},
		{"kinds", "Page[record]", `skipped: Page[record].Meta has type Box[record] | odd.go:37 | easyjson misspells instantiated generic types | leave it out with struct tag json:"-"`},
		{"kinds", "Odd", `skipped: Odd.ByFloat has type map[float64]string | odd.go:13 | easyjson generates no code for this type of map key | leave it out with struct tag json:"-"`},
		{"kinds", "PtrHash", `skipped: PtrHash.H has type *[4]uint8 | odd.go:71 | easyjson's code for pointers to arrays of bytes does not compile | leave it out with struct tag json:"-"`},
		{"kinds", "Lists", ""},
	} {
		if got := labtest.WhyText(Info.Plan(labtest.Target(t, &labtest.Subject{Dir: c.dir, Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}
