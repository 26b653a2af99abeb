// Package longtest marks tests that take minutes of processor time and rarely find what shorter
// tests miss. `make long` runs them, and `make test` skips them.
package longtest

import (
	"os"
	"testing"
)

// Env is the environment variable that enables long tests, with any value except "".
const Env = "ZMY_LONG"

// Asked reports whether long tests are enabled.
func Asked() bool { return os.Getenv(Env) != "" }

// Only skips t unless long tests are enabled. does says what takes so long: "builds forty
// programs".
func Only(t testing.TB, does string) {
	t.Helper()
	if !Asked() {
		t.Skip(does + ": make long")
	}
}
