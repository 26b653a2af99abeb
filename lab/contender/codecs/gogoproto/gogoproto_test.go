package gogoproto

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes kinds of types through the codec, some through each row: the conversions are
// the family's. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{"kinds Dynamic": nil})
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Pointers": "skipped: Pointers.Int is a pointer to a scalar | kinds.go:109 | gogo/protobuf knows nothing of proto3's " +
			"optional | hold the scalar itself, or leave this contender out",
		"kinds Odd": "skipped: a list or map holds pointers to scalars |  | gogo/protobuf knows nothing of proto3's optional | " +
			"hold the scalar itself, or leave this contender out",
		"kinds Dynamic": "",
	})
}
