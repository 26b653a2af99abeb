package msgp

import (
	"slices"
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	sorted := func(t *testing.T, typ string, r *labtest.Result) {
		if got, want := slices.Contains(r.Encoders, "append-sorted"),
			!slices.Contains([]string{"All", "Dynamic", "Opaque", "Page[record]"}, typ); got != want {
			t.Errorf("mode append-sorted = %v, want %v", got, want)
		}
	}
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds All":                 {"normalised S.Bytes empty → nil", "normalised K.Num 12.50 → 12.5"},
		"kinds Dynamic":             {"normalised "},
		"kinds Opaque":              nil,
		"kinds Lists":               nil,
		"examples/order-lite Order": {"normalised Items"},
		"kinds Page[record]":        nil,
		"kinds/app event":           {"normalised Kids"},
	}, sorted)
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Wrong": `skipped: Wrong.Done has type chan bool | odd.go:64 | msgp generates no code for it | leave it out with ` +
			`struct tag json:"-"`,
		"kinds Odd": `skipped: Odd.ByFloat has type map[float64]string | odd.go:13 | msgp generates no code for this type of ` +
			`map key | leave it out with struct tag json:"-"`,
		"kinds PtrMap": `skipped: PtrMap.M has type *map[string]int | odd.go:69 | msgp's code for pointers to maps does not ` +
			`compile | leave it out with struct tag json:"-"`,
		"kinds PtrArray": `skipped: PtrArray.A has type *[2]Leaf | odd.go:70 | msgp's code for pointers to arrays does not compile ` +
			`| leave it out with struct tag json:"-"`,
		"kinds PtrHash": "",
		"kinds Lists":   "",
	})
}
