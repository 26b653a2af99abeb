package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestSelftest runs the rows that measure nothing; make selftest-quick runs all, with no
// other test beside them.
func TestSelftest(t *testing.T) {
	out, err := exec.Command(zmyCommand(t), "lab", "selftest", "-quick", "-only", "simulated").Output()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, want := range []string{`pass +A/A, simulated`, `pass +\+20% work, simulated`} {
		if !regexp.MustCompile(`(?m)^` + want).Match(out) {
			t.Errorf("no row %s in\n%s", want, out)
		}
	}
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
