package fxproto

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes kinds of types through the codec. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds All":                    nil,
		"kinds/app event":              nil,
		"examples/order-lite Order":    nil,
		"examples/session UserSession": nil,
		"examples/result Result":       nil,
		"examples/sse SSEEvent":        nil,
		"examples/user User":           nil,
	})
}
