package fxproto

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes kinds of types through the codec. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds/app event":              nil,
		"examples/order-lite Order":    nil,
		"examples/session UserSession": {"lossy Attrs[…fresh)"}, // numbers in an any are float64
		"examples/result Result":       nil,
		"examples/sse SSEEvent":        nil,
		"examples/user User":           nil,
	})
}

// TestRefusals: what protobuf has no form for is refused at its field.
func TestRefusals(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds All": `skipped: All.L.Nested []int has no form in protobuf | kinds.go:63 |  | put a struct between, or leave it out with proto:"-"`,
	})
}
