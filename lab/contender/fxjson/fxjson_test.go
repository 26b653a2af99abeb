package fxjson

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		dir, typ string
		changes  []string
	}{
		{"examples/result", "Result", nil},
		{"examples/sse", "SSEEvent", []string{"lossy Meta…/reused)"}},
		{"examples/order", "Order", []string{"lossy Metadata["}},
		{"kinds", "Scalars", nil},
		{"kinds", "Lists", []string{"lossy …/reused)"}},
		{"kinds", "Pointers", nil},
		{"kinds", "Known", []string{"normalised Float", "lossy Float"}},
		{"kinds", "Dynamic", []string{"lossy "}},
		{"kinds", "Opaque", nil},
		{"kinds", "Embedded", nil},
		{"kinds", "Page[Leaf]", nil},
		{"kinds", "record", nil},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			labtest.Run(t, Info, &labtest.Subject{Dir: c.dir, Type: c.typ}).Check(t, c.changes)
		})
	}
}
