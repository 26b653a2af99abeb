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

// TestInstance: the functions that are named for an instance are those that are generated.
func TestInstance(t *testing.T) {
	target := labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: "Page[record]"})
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
