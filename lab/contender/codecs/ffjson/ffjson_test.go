package ffjson

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes types through the codec. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds/app event":        nil,
		"kinds record":           nil,
		"kinds Dynamic":          {"lossy "},
		"examples/nested16 Node": nil,
	})
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"examples/order Order": `skipped: Order.Items[].Price has type *big.Float | order.go:34 | ffjson knows no text ` +
			`methods | leave it out with struct tag json:"-"`,
		"examples/order-lite-any Order": "skipped: Order.Metadata has type map[string]any | order.go:19 | it would fall back to " +
			"encoding/json | -allow-fallback",
		"kinds Wrong": `skipped: Wrong.Done has type chan bool | odd.go:64 | ffjson generates no code for it | leave it ` +
			`out with struct tag json:"-"`,
		"kinds Names": `skipped: Names is no struct | kinds.go:19 | ffjson generates code for structs only | leave ` +
			`this contender out: it is the type itself that it cannot carry`,
		"examples/sse SSEEvent":  "",
		"examples/result Result": "",
	})
}
