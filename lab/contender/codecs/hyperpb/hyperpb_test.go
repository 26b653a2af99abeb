package hyperpb

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes kinds of types through the codec. Whatever changes is named here, as for
// row protobuf, whose messages these are.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, NativeInfo, map[string][]string{
		"kinds All":                 {"normalised S.Bytes empty → nil"},
		"kinds Opaque":              nil,
		"kinds Odd":                 nil,
		"examples/order-lite Order": nil,
	})
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, NativeInfo, map[string]string{
		"kinds Wrong": `skipped: Wrong.Done has type chan bool, which has no form in proto3 | odd.go:64 |  | leave it out with ` +
			`struct tag json:"-"`,
	})
}
