package vtprotobuf

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes kinds of types through the codec, some through each row: the conversions are
// the family's. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds Dynamic":      nil,
		"kinds Page[record]": nil,
		"kinds Names":        nil, // no struct
	})
	labtest.RoundTrips(t, NativeInfo, map[string][]string{
		"kinds All":       {"normalised S.Bytes empty → nil"},
		"kinds/app event": nil,
	})
}
