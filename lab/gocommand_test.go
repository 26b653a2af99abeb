package lab

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A go command that fails behind a package that loads is no mistake in what was asked for, and its
// words are in the error.
func TestGoCommandFails(t *testing.T) {
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(dir, "go.mod"): "module example.org/m\n\ngo 1.24\n",
		filepath.Join(dir, "a.go"):   "package m\n\ntype T struct{ A int }\n",
		filepath.Join(bin, "go"): "#!/bin/sh\nif [ \"$1 $2 $3\" = 'list -e -deps' ]; then\n" +
			"\techo 'go: the disk is on fire' >&2\n\texit 1\nfi\nexec '" + real + "' \"$@\"\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("GOWORK", "off")
	_, err = Open(t.Context(), Options{Dir: dir, Package: ".", Type: "T"}, &quiet{})
	var usage *UsageError
	if err == nil || errors.As(err, &usage) || !strings.Contains(err.Error(), "exit status 1: go: the disk is on fire") {
		t.Errorf("usage %v, error %v", usage != nil, err)
	}
}
