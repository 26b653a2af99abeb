package fxjson

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds All":          {"normalised K.Float", "lossy K.Float", "lossy L.…/reused)"},
		"kinds Dynamic":      {"lossy "},
		"kinds Opaque":       nil,
		"kinds Page[record]": nil,
		"kinds/app event":    nil,
	})
}

// TestInstance: the functions that are named for an instance are those that are generated.
func TestInstance(t *testing.T) {
	labtest.Calls(t, Info, "kinds Page[record]")
}
