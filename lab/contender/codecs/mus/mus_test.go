package mus

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds Scalars":             {"normalised "},
		"kinds Lists":               {"normalised "},
		"kinds Pointers":            nil,
		"kinds record":              nil,
		"kinds Foreign":             nil,
		"examples/order-lite Order": {"normalised "},
		"examples/result Result":    nil,
		"examples/sse SSEEvent":     {"normalised "},
	})
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Wrong": `skipped: Wrong.Done has type chan bool | odd.go:64 | musgen generates no code for it | leave it out ` +
			`with struct tag json:"-"`,
		"kinds Dynamic": `skipped: Dynamic.Any has type any | kinds.go:181 | musgen needs to know every type that an interface ` +
			`may hold | leave it out with struct tag json:"-"`,
		"kinds Page[record]": `skipped: Page[record] has type Page[record] | odd.go:34 | musgen takes no instantiated generic types ` +
			`here | leave this contender out: it is the type itself that it cannot carry`,
		"kinds/app event": `skipped: event.Flag has type v | main.go:38 | musgen's code has a variable of that name | rename the ` +
			`type, or leave this contender out`,
		"kinds Opaque": `skipped: Opaque.Addr has type netip.Addr | kinds.go:168 | it writes itself, which musgen does not know | ` +
			`leave it out with struct tag json:"-"`,
		"kinds Odd": `skipped: Odd.PP has type **int | odd.go:15 | musgen generates no code for pointers to pointers | leave it ` +
			`out with struct tag json:"-"`,
		"kinds Lists": "",
	})
}
