package protobuf

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes kinds of types through the codec, some through each row: the conversions are
// the family's. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds All":    {"normalised S.Bytes empty → nil"},
		"kinds Opaque": nil,
	})
	labtest.RoundTrips(t, NativeInfo, map[string][]string{"kinds Odd": nil})
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Wrong": `skipped: Wrong.Done has type chan bool, which has no form in proto3 | odd.go:64 |  | leave it out with ` +
			`struct tag json:"-"`,
	})
}
