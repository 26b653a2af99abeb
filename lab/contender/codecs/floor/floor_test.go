package floor

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip: what the floors make are the values themselves, or a floor
// would leave work out.
func TestRoundTrip(t *testing.T) {
	full := func(t *testing.T, _ string, r *labtest.Result) {
		if r.Bytes == 0 {
			t.Error("the messages are empty")
		}
	}
	labtest.RoundTrips(t, SlabInfo, map[string][]string{
		"kinds Lists":               nil,
		"kinds Scalars":             nil,
		"kinds Pointers":            nil,
		"kinds Embedded":            nil,
		"kinds Opaque":              nil,
		"kinds Page[record]":        nil,
		"kinds/app event":           nil,
		"kinds Dynamic":             nil,
		"examples/order-lite Order": nil,
		"examples/order Order":      nil,
	}, full)
	labtest.RoundTrips(t, MemcpyInfo, map[string][]string{
		"examples/order-lite Order": nil,
		"examples/result Result":    nil,
	}, full)
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, MemcpyInfo, map[string]string{
		"kinds Wrong": `skipped: Wrong.Done has type chan bool | odd.go:64 | it has no content | leave it out with struct tag json:"-"`,
		"kinds Known": "",
		"kinds Lists": "",
	})
}
