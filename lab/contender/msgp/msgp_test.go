package msgp

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		dir, typ string
		changes  []string
	}{
		{"examples/result", "Result", nil},
		{"examples/sse", "SSEEvent", nil},
		{"examples/order", "Order", []string{"normalised Metadata["}},
		{"kinds", "Scalars", []string{"normalised Bytes empty → nil"}},
		{"kinds", "Lists", nil},
		{"kinds", "Pointers", nil},
		{"kinds", "Known", []string{"lossy Num "}},
		{"kinds", "Dynamic", []string{"normalised "}},
		{"kinds", "Opaque", nil},
		{"kinds", "Embedded", nil},
		{"kinds", "Page[Leaf]", nil},
		{"kinds", "record", nil},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			labtest.Run(t, Info, &labtest.Subject{Dir: c.dir, Type: c.typ}).Check(t, c.changes)
		})
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct{ dir, typ, want string }{
		{"kinds", "Wrong", `skipped: Wrong.Done has type chan | odd.go:59 | msgp generates no code for it | leave it out with struct tag json:"-"`},
		{"kinds", "Odd", `skipped: Odd.ByFloat has type map[float64]string | odd.go:10 | msgp generates no code for this type of map key | leave it out with struct tag json:"-"`},
		{"kinds", "Lists", ""},
	} {
		if got := labtest.WhyText(Info.Plan(labtest.Target(t, &labtest.Subject{Dir: c.dir, Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}
