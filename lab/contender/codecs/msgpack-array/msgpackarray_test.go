package msgpackarray

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes types through the codec. Times come back in the local zone. Entries of a used
// map stay, as with encoding/json.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds Lists": {`lossy Dict["b"] missing`, `lossy Counts["b"] missing`, "lossy ByInt[-1] missing", `lossy Deep["b"] missing`,
			`lossy Groups["b"] missing`, `lossy Index["b"] missing`},
		"examples/order-lite Order": {"normalised Timestamp …Local (fresh/fresh)"},
	})
}
