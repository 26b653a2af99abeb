package ffjson

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes types through the codec. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, c := range []struct {
		dir, typ string
		fallback bool
		changes  []string
	}{
		{"kinds/app", "event", true, nil},
		{"kinds", "record", false, nil},
		{"kinds", "Dynamic", true, []string{"lossy "}},
		{"examples/nested16", "Node", false, nil},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			s := &labtest.Subject{Dir: c.dir, Type: c.typ}
			target := labtest.Target(t, s)
			target.AllowFallback = c.fallback
			labtest.RunTarget(t, Info, s, target).Check(t, c.changes)
		})
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct{ dir, typ, want string }{
		{"examples/order", "Order", `skipped: Order.Items[].Price has type *big.Float | order.go:34 | ffjson knows no text methods | leave it out with struct tag json:"-"`},
		{"examples/order-lite-any", "Order", "skipped: Order.Metadata has type map[string]any | order.go:19 | it would fall back to encoding/json | -allow-fallback"},
		{"kinds", "Wrong", `skipped: Wrong.Done has type chan bool | odd.go:64 | ffjson generates no code for it | leave it out with struct tag json:"-"`},
		{"kinds", "Names", `skipped: Names has type Names | kinds.go:19 | ffjson generates code for structs only | leave this contender out: it is the type itself that it cannot carry`},
		{"examples/sse", "SSEEvent", ""},
		{"examples/result", "Result", ""},
	} {
		if got := labtest.WhyText(Info.Plan(labtest.Target(t, &labtest.Subject{Dir: c.dir, Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}
