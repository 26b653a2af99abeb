package gocmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A go.work counts by where it lies: not in a module cache, everywhere else.
func TestEnv(t *testing.T) {
	root := t.TempDir()
	for _, f := range []string{
		"mod/cache/download/x", "mod/example.org/m@v1.0.0/go.work", "mod/example.org/m@v1.0.0/sub/a.go",
		"mod/example.org/plain@v1.0.0/a.go", "home/go.work", "home/sub/a.go", "odd@v1/go.work", "odd@v1/a.go",
	} {
		f = filepath.Join(root, filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(f), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		dir string
		env []string
		off bool
	}{
		{"mod/example.org/m@v1.0.0", nil, true},
		{"mod/example.org/m@v1.0.0/sub", []string{"A=b"}, true},
		{"mod/example.org/m@v1.0.0", []string{"GOWORK=/mine/go.work"}, false},
		{"mod/example.org/m@v1.0.0", []string{"GOWORK=/mine/go.work", "GOWORK="}, true},
		{"mod/example.org/plain@v1.0.0", nil, false},
		{"home/sub", nil, false}, {"odd@v1", nil, false},
	} {
		t.Setenv("GOWORK", "")
		dir := filepath.Join(root, filepath.FromSlash(c.dir))
		got := Env(dir, c.env)
		if slices.Contains(got, "GOWORK=off") != c.off || got[len(got)-1] != "PWD="+dir {
			t.Errorf("%s with %v: %v", c.dir, c.env, got[max(0, len(got)-3):])
		}
	}
}

func TestOutput(t *testing.T) {
	var failed *Error
	if _, err := Output(t.Context(), "", nil, "tool", "no-such-tool"); !errors.As(err, &failed) ||
		failed.Stderr != `go: no such tool "no-such-tool"` ||
		err.Error() != `go tool no-such-tool: exit status 2: go: no such tool "no-such-tool"` {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Output(ctx, "", nil, "version"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
