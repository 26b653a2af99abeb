package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHistory adds recorded runs of the lab to a history and shows it.
func TestHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	result, err := filepath.Abs("../../docs/results/order/run.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	zmy := func(args ...string) (string, int) {
		cmd := exec.Command(zmyCommand(t), append([]string{"lab", "history"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	for _, commit := range []string{"aaa1111", "bbb2222"} {
		if out, code := zmy("-add", result, "-commit", commit); code != exitOK {
			t.Fatalf("exit %d\n%s", code, out)
		}
	}
	out, code := zmy("-format", "md")
	for _, want := range []string{"2 runs from ", "0 changes in ", "| 2 | bbb2222 |"} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("exit %d, want %q\n%s", code, want, out)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, ".zmylab", "history.html"))
	if err != nil || !strings.Contains(string(page), "zmy: time") {
		t.Errorf("%v, a page of %d bytes", err, len(page))
	}
	for _, c := range []struct{ args, want string }{
		{"other.ndjson", "there is no history yet"},
		{"a b", "one history at a time"},
		{"-least x", "such as 5%"},
		{"-last -1", "or 0 for all"},
		{"-commit abc", "-add"},
		{"-add nowhere", "-add: "},
	} {
		if out, code := zmy(strings.Fields(c.args)...); code != exitUsage || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d\n%s", c.args, code, out)
		}
	}
}
