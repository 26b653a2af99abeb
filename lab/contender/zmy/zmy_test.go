package zmy

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
		{"examples/order", "Order", nil},
		{"kinds", "Scalars", []string{"normalised Bytes empty → nil"}},
		{"kinds", "Lists", nil},
		{"kinds", "Pointers", nil},
		{"kinds", "Known", nil},
		{"kinds", "Dynamic", nil},
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
		{"kinds", "Wrong", `skipped: field Done chan has no wire type | odd.go:59 |  | use struct tag "-" to skip`},
		{"kinds", "Opaque", `skipped: field Addr netip.Addr has no wire type | kinds.go:168 |  | it has no exported fields, or use struct tag "-" to skip`},
		{"kinds", "Lists", ""},
	} {
		if got := labtest.WhyText(Info.Plan(labtest.Target(t, &labtest.Subject{Dir: c.dir, Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}
