package jsonwire

import (
	"math/rand/v2"
	"testing"
)

// short is how many times fewer random checks run under -short, which tests of further
// toolchains and build tags use. Each kind of check stays.
const short = 12

// runs returns n, the number of random checks, or a share of it under -short.
func runs(n int) int {
	if testing.Short() {
		return (n + short - 1) / short
	}
	return n
}

// skipped reports whether a combination is left out, which happens under -short only.
func skipped(r *rand.Rand) bool { return testing.Short() && r.IntN(short) > 0 }
