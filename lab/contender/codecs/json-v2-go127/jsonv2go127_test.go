package jsonv2go127

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes types through the codec. Entries of a used map stay, and nil slices and maps
// are [] and {} by version 2's own options.
func TestRoundTrip(t *testing.T) {
	if err := Installed(); err != nil {
		t.Skip(err)
	}
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds Lists": {`lossy Dict["b"] missing`, `lossy Counts["b"] missing`, "lossy ByInt[-1] missing", `lossy Deep["b"] missing`,
			`lossy Groups["b"] missing`, `lossy Index["b"] missing`},
		"examples/order-lite Order": {"normalised Items[…].Attrs nil → empty (fresh/fresh)"},
	})
}

// TestRefusals: what JSON cannot carry is refused with or without the toolchain.
func TestRefusals(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Wrong": `skipped: Wrong.Done has type chan bool | odd.go:64 | a channel has no wire form | leave it out with struct tag json:"-"` +
			", or give its type marshal methods",
	})
	if err := Installed(); err != nil && !strings.Contains(err.Error(), Toolchain) {
		t.Errorf("the reason does not name the toolchain: %v", err)
	}
}
