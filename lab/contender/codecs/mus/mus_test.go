package mus

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
		changes  []string
	}{
		{"kinds", "Scalars", []string{"normalised "}},
		{"kinds", "Lists", []string{"normalised "}},
		{"kinds", "Pointers", nil},
		{"kinds", "record", nil},
		{"kinds", "Foreign", nil},
		{"examples/order-lite", "Order", []string{"normalised "}},
		{"examples/result", "Result", nil},
		{"examples/sse", "SSEEvent", []string{"normalised "}},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			labtest.Run(t, Info, &labtest.Subject{Dir: c.dir, Type: c.typ}).Check(t, c.changes)
		})
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct{ dir, typ, want string }{
		{"kinds", "Wrong", `skipped: Wrong.Done has type chan bool | odd.go:64 | musgen generates no code for it | leave it out with struct tag json:"-"`},
		{"kinds", "Dynamic", `skipped: Dynamic.Any has type any | kinds.go:181 | musgen needs to know every type that an interface may hold | leave it out with struct tag json:"-"`},
		{"kinds", "Page[record]", `skipped: Page[record] has type Page[record] | odd.go:34 | musgen takes no instantiated generic types here | leave this contender out: it is the type itself that it cannot carry`},
		{"kinds/app", "event", `skipped: event.Flag has type v | main.go:38 | musgen's code has a variable of that name | rename the type, or leave this contender out`},
		{"kinds", "Opaque", `skipped: Opaque.Addr has type netip.Addr | kinds.go:168 | it writes itself, which musgen does not know | leave it out with struct tag json:"-"`},
		{"kinds", "Odd", `skipped: Odd.PP has type **int | odd.go:15 | musgen generates no code for pointers to pointers | leave it out with struct tag json:"-"`},
		{"kinds", "Lists", ""},
	} {
		if got := labtest.WhyText(Info.Plan(labtest.Target(t, &labtest.Subject{Dir: c.dir, Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}
