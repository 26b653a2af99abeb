package flatbuffers

import (
	"os/exec"
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// needs skips what flatc is missing for.
func needs(t *testing.T) {
	if _, err := exec.LookPath(Compiler); err != nil {
		t.Skip("flatc is not installed: apt-get install flatbuffers-compiler")
	}
}

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	needs(t)
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds Scalars":             {"normalised Bytes empty → nil"},
		"kinds Lists":               nil,
		"kinds Pointers":            nil,
		"kinds Foreign":             nil,
		"kinds Page[record]":        nil,
		"kinds/app event":           nil,
		"examples/order-lite Order": nil,
		"examples/result Result":    nil,
		"examples/sse SSEEvent":     nil,
		"examples/nested16 Node":    nil,
	})
	labtest.RoundTrips(t, NativeInfo, map[string][]string{ // the conversions are shared
		"kinds Scalars":             {"normalised Bytes empty → nil"},
		"kinds Lists":               nil,
		"kinds/app event":           nil,
		"examples/order-lite Order": nil,
	})
}

// TestLeaf: op access reads where tables lead to the leaf, and only there.
func TestLeaf(t *testing.T) {
	needs(t)
	labtest.Leaves(t, Info, "kinds Lists", "zz_flatbuffers.go", "Leaf:",
		map[string]bool{"": false, "Strings[0]": true, "Structs[0].Name": true, "Refs[0].Name": true, "Nested[0][0]": false, "Dict": false})
}

func TestPlan(t *testing.T) {
	needs(t)
	labtest.Refusals(t, Info, map[string]string{
		"kinds Wrong": `skipped: Wrong.Done has type chan bool | odd.go:64 | FlatBuffers has no form for it | leave it out with ` +
			`struct tag json:"-"`,
		"kinds Dynamic": `skipped: Dynamic.Any has type any | kinds.go:181 | a schema has no dynamic values | leave it out with ` +
			`struct tag json:"-"`,
		"kinds Opaque": `skipped: Opaque.Addr has type netip.Addr | kinds.go:168 | it writes itself, which a schema does not know | ` +
			`leave it out with struct tag json:"-"`,
		"kinds Odd": `skipped: Odd.PP has type **int | odd.go:15 | FlatBuffers has no form for pointers to pointers | leave it ` +
			`out with struct tag json:"-"`,
		"kinds Lists": "",
	})
}

// TestWithout: without flatc the plan says how to get it.
func TestWithout(t *testing.T) { labtest.Without(t, Info, "kinds Lists", "flatbuffers-compiler,") }
