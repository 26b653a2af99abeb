package benc

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds Scalars":   {"normalised "},
		"kinds Lists":     {"normalised "},
		"kinds Pointers":  {"normalised "},
		"kinds/app event": {"normalised "},
	})
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Wrong":   `skipped: Wrong.Done has type chan bool | odd.go:64 | benc has no form for it | leave it out with struct tag json:"-"`,
		"kinds Dynamic": `skipped: Dynamic.Any has type any | kinds.go:181 | benc has no dynamic values | leave it out with struct tag json:"-"`,
		"kinds Opaque": `skipped: Opaque.Addr has type netip.Addr | kinds.go:168 | it writes itself, which benc does not know | ` +
			`leave it out with struct tag json:"-"`,
		"kinds Lists": "",
	})
}
