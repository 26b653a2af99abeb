package fxjson_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestBuildTagStd runs the test of the build tag fxjson_std.
func TestBuildTagStd(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	out, err := exec.Command("go", "test", "-tags", "fxjson_std", "-vet=off", "-run", "^TestTagStd$", "-v", ".").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestTagStd") {
		t.Errorf("%v\n%s", err, out)
	}
}
