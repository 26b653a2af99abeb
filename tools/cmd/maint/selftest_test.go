package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestSelftest runs the rows that measure nothing; make selftest-quick runs all, with no
// other test beside them.
func TestSelftest(t *testing.T) {
	var out, stderr bytes.Buffer
	if code := dispatch(t.Context(), []string{"selftest", "-quick", "-only", "simulated"}, &out, &stderr); code != exitOK {
		t.Errorf("exit %d\n%s%s", code, &out, &stderr)
	}
	for _, want := range []string{`pass +A/A, simulated`, `pass +\+20% work, simulated`} {
		if !regexp.MustCompile(`(?m)^` + want).Match(out.Bytes()) {
			t.Errorf("no row %s in\n%s", want, &out)
		}
	}
}

// TestZmy: the rows that start zmy are not skipped where there is one in PATH.
func TestZmy(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "zmy")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	if got := zmy(); got != path {
		t.Errorf("zmy = %q, want %q", got, path)
	}
	t.Setenv("PATH", "")
	if got := zmy(); got != "" {
		t.Errorf("zmy = %q without one", got)
	}
}
