package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestInvocation: the command that repeats a run works where it was started.
func TestInvocation(t *testing.T) {
	installed, clone, other := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(installed, "zmy"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(clone, "cmd", "zmy"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(clone, "cmd", "zmy", "go.mod"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	run := []string{"go", "run", "./cmd/zmy"}
	if buildTags != "" {
		run = []string{"go", "run", "-tags", buildTags, "./cmd/zmy"}
	}
	for _, c := range []struct {
		name, path, dir string
		want            []string
	}{
		{"installed", installed, clone, []string{"zmy"}},
		{"in a clone", other, clone, run},
		{"elsewhere", other, other, []string{"zmy"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("PATH", c.path)
			t.Chdir(c.dir)
			if got := invocation(); !slices.Equal(got, c.want) {
				t.Errorf("%s, want %s", strings.Join(got, " "), strings.Join(c.want, " "))
			}
		})
	}
}

// TestQuick: -quick stands for some codecs, and refuses another choice of them.
func TestQuick(t *testing.T) {
	f := &labFlags{quick: true, depth: "quick"}
	f.Values = 1
	if err := f.complete([]string{"."}); err != nil || !slices.Equal(f.Codecs, []string{"few"}) {
		t.Errorf("codecs %v, error %v", f.Codecs, err)
	}
	f = &labFlags{quick: true, codecs: "gob", depth: "quick"}
	f.Values = 1
	if err := f.complete([]string{"."}); err == nil || !strings.Contains(err.Error(), "-codecs gob") {
		t.Errorf("error %v, want one that names -codecs gob", err)
	}
}
