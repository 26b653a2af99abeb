// Package longtest marks tests that take minutes of processor time and rarely find what shorter
// ones do not. `make long` runs them; `make test` passes over them.
package longtest

import (
	"os"
	"testing"
)

// Env is the environment variable that asks for long tests, by any value but "".
const Env = "ZMY_LONG"

// Asked reports whether long tests are to run.
func Asked() bool { return os.Getenv(Env) != "" }

// Only skips t unless long tests are to run. does says what takes so long: "builds forty programs".
func Only(t testing.TB, does string) {
	t.Helper()
	if !Asked() {
		t.Skip(does + ": make long")
	}
}
