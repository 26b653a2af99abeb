package easyjson

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds All":       {"normalised K.Float", "lossy K.Float", "lossy L.…/reused)", "lossy E.hidden.Rank"},
		"kinds Dynamic":   {"lossy "},
		"kinds Opaque":    nil,
		"kinds record":    nil,
		"kinds/app event": nil,
	})
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"examples/order Order": "skipped: Order.Metadata[*] has type any | order.go:27 | it would fall back to encoding/json | -allow-fallback",
		"kinds Wrong": `skipped: Wrong.Done has type chan bool | odd.go:64 | easyjson generates no code for it | leave it ` +
			`out with struct tag json:"-"`,
		"kinds Page[record]": `skipped: Page[record].Meta has type Box[record] | odd.go:37 | easyjson misspells instantiated ` +
			`generic types | leave it out with struct tag json:"-"`,
		"kinds Odd": `skipped: Odd.ByFloat has type map[float64]string | odd.go:13 | easyjson generates no code for this type ` +
			`of map key | leave it out with struct tag json:"-"`,
		"kinds PtrHash": `skipped: PtrHash.H has type *[4]uint8 | odd.go:71 | easyjson's code for pointers to arrays of bytes does ` +
			`not compile | leave it out with struct tag json:"-"`,
		"kinds Status": "skipped: Status is no struct | kinds.go:16 | easyjson generates code for structs, lists and maps only | " +
			"leave this contender out: it is the type itself that it cannot carry",
		"kinds Names": "",
		"kinds Lists": "",
	})
}
