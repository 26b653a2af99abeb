package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestSelftest runs the quick form: nothing fails, and of the rows that no noise can break
// none is missing.
func TestSelftest(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	cmd := exec.Command(zmyCommand(t), "lab", "selftest", "-quick")
	cmd.Env = os.Environ()
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`pass +\+1 allocation of 4096 B`, `pass +a codec that panics:`, `pass +a codec that never returns`, `pass +a codec that allocates 10 GiB`,
		`pass +a codec that does nothing, fast`, `pass +A/A, simulated`, `(pass|INCONCLUSIVE) +A/A, live`, `(pass|INCONCLUSIVE) +\+20% work, live`,
		`pass +the user's tree after Ctrl-C`, `pass +the user's tree after SIGKILL`, `(pass|INCONCLUSIVE) +go test -bench, Nested decode`,
		`(pass|skipped) +the HTML report under file://`,
	} {
		if !regexp.MustCompile(`(?m)^` + want).Match(out) {
			t.Errorf("no row %s", want)
		}
	}
	t.Log("\n" + string(out))
}

func TestSelftestUsage(t *testing.T) {
	for _, c := range []struct {
		args  []string
		holds string
	}{
		{[]string{"-only", "clock"}, "did you mean clocks?"},
		{[]string{"."}, "takes no arguments"},
	} {
		out, err := exec.Command(zmyCommand(t), append([]string{"lab", "selftest"}, c.args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.holds) {
			t.Errorf("%q: %v\n%s", c.args, err, out)
		}
	}
}
