package easyjson

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		dir, typ string
		fallback bool
		changes  []string
	}{
		{"examples/result", "Result", false, nil},
		{"examples/sse", "SSEEvent", false, []string{"lossy Meta…/reused)"}},
		{"examples/order", "Order", true, []string{"lossy Metadata["}},
		{"kinds", "Scalars", false, nil},
		{"kinds", "Lists", false, []string{"lossy …/reused)"}},
		{"kinds", "Pointers", false, nil},
		{"kinds", "Known", false, []string{"normalised Float", "lossy Float"}},
		{"kinds", "Opaque", false, nil},
		{"kinds", "Embedded", false, []string{"lossy hidden.Rank"}},
		{"kinds", "record", false, nil},
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
		{"kinds", "Wrong", `skipped: Wrong.Done has type chan | odd.go:59 | easyjson generates no code for it | leave it out with struct tag json:"-"`},
		{"kinds", "Page[Leaf]", `skipped: Page[Leaf].Meta has type Box[Leaf] | odd.go:34 | easyjson misspells instantiated generic types | leave it out with struct tag json:"-"`},
		{"kinds", "Odd", `skipped: Odd.ByFloat has type map[float64]string | odd.go:10 | easyjson generates no code for this type of map key | leave it out with struct tag json:"-"`},
		{"kinds", "Lists", ""},
	} {
		if got := labtest.WhyText(Info.Plan(labtest.Target(t, &labtest.Subject{Dir: c.dir, Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}
