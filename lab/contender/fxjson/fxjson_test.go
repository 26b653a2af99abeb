package fxjson

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, c := range []struct {
		dir, typ string
		changes  []string
	}{
		{"kinds", "All", []string{"normalised K.Float", "lossy K.Float", "lossy L.…/reused)"}},
		{"kinds", "Dynamic", []string{"lossy "}},
		{"kinds", "Opaque", nil},
		{"kinds", "Page[record]", nil},
		{"kinds/app", "event", nil},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			labtest.Run(t, Info, &labtest.Subject{Dir: c.dir, Type: c.typ}).Check(t, c.changes)
		})
	}
}
