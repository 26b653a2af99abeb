package fxjson

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/emit/gojson"
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
	target := labtest.Target(t, "kinds Page[record]")
	pkg, plan, err := json(target)
	if err != nil {
		t.Fatal(err)
	}
	code, err := gojson.Emit(pkg, plan, gojson.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := Info.AdoptFor(target)
	for _, call := range []string{a.Marshal, a.Unmarshal} {
		if name, _, _ := strings.Cut(call, "("); !strings.Contains(string(code), "func "+name+"(") {
			t.Errorf("%s is not generated", call)
		}
	}
}
