package fory

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes types through the codec. Times come back in the local zone.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds Scalars":             nil,
		"kinds Lists":               nil,
		"kinds Pointers":            {"normalised Time ", "normalised Self."},
		"examples/order-lite Order": {"normalised Timestamp "},
		"examples/sse SSEEvent":     nil,
		"examples/twitter Search":   nil,
	})
}

func TestRefusals(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Lists": "",
		"kinds Wrong": `skipped: Wrong.Done has type chan bool | odd.go:64 | Fory has no form for it | leave it out with struct tag fory:"-"`,
		"kinds Opaque": `skipped: Opaque.Addr has type netip.Addr | kinds.go:168 | it writes itself, which Fory does not know | ` +
			`leave it out with struct tag fory:"-"`,
		"kinds Dynamic": `skipped: Dynamic.Any has type any | kinds.go:181 | what an interface holds has to be registered, and maps of ` +
			`interfaces make Fory panic | leave it out with struct tag fory:"-"`,
	})
}

// TestCode: the adapter measures the functions that a program is told to write.
func TestCode(t *testing.T) {
	files, err := contender.Adapter(Info.Name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(files["adapter/adapter.go"]), code[1:]) {
		t.Error("adapter/adapter.go does not end in the code of Info.Adopt")
	}
}
