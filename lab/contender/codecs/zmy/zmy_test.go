package zmy

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds All":          {"normalised S.Bytes empty → nil"},
		"kinds Dynamic":      nil,
		"kinds Opaque":       nil,
		"kinds Page[record]": nil,
		"kinds/app event":    nil,
		"kinds Carried":      {"normalised Last[].Token left out", "normalised Nested.Token left out", "normalised Secret left out"},
	})
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Wrong": `skipped: field Done chan bool has no wire type | odd.go:64 |  | use struct tag zmy:"-" to leave it out`,
		"kinds Lists": "",
	})
}

// TestAccessors reads through views where they lead to the leaf, and only there.
func TestAccessors(t *testing.T) {
	want := map[string]bool{"": false, "S.String": true, "L.Strings[0]": true, "L.Structs[0].Name": true, "P.Leaf.Name": true,
		"P.String": true, "L.Nested[0][0]": false}
	for _, mark := range []string{"Accessors:", "zzworker"} {
		labtest.Leaves(t, Info, "kinds All", "zz_zmy_bind.go", mark, want)
	}
}

// TestInstance: the functions that are named for an instance are those that are generated.
func TestInstance(t *testing.T) {
	labtest.Calls(t, Info, "kinds Page[record]")
	if a := Info.AdoptFor(labtest.Target(t, "kinds Dynamic")); a != Info.Adopt {
		t.Errorf("a plain type: %+v", a)
	}
}
