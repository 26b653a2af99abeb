package shamatonarray

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes types through the codec. Byte slices point into the message, which the test
// overwrites. Entries of a used map stay, as with encoding/json, if it is a map of a kind that the
// library reads by reflection.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds Lists": {"lossy Blobs[0] …(fresh/fresh)", `lossy Deep["b"] missing`, `lossy Groups["b"] missing`,
			`lossy Index["b"] missing`},
		"examples/order-lite Order": {"lossy Items[0].Attrs …(fresh/fresh)"},
	})
}
