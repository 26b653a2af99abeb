package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBadSource: a package that Go refuses is refused by each command that reads one, with
// every error's place and what to do.
func TestBadSource(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	for name, src := range map[string]string{
		"go.mod":       "module example.org/bad\n\ngo 1.26\n",
		"types/in.go":  "package types\n\ntype T struct {\n\tA Missing `zmy:\"0\"`\n}\n",
		"syntax/in.go": "package syntax\n\ntype T struct {\n\tA string `zmy:\"0\"`\n}\n\nfunc f() { x := }\n",
		"import/in.go": "package imports\n\nimport \"example.org/nowhere/at/all\"\n\ntype T struct {\n\tA all.T `zmy:\"0\"`\n}\n",
		"two/in.go":    "package two\n\ntype T struct {\n\tA string `zmy:\"0\"`\n}\n",
		"two/other.go": "package other\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, pkg := range []string{"types", "syntax", "import", "two"} {
		for _, args := range [][]string{
			{"gen", "-type=T", "./" + pkg}, {"gen", "-grpc", "-type=T", "./" + pkg}, {"gen", "-type=T", "-lang=rust", "./" + pkg},
			{"lock", "./" + pkg}, {"breaking", "./" + pkg}, {"lint", "./" + pkg}, {"lab", "./" + pkg, "-type", "T"},
			{"inspect", "file", "-type", "./" + pkg + ".T"}, {"convert", "file", "-from", "zmy", "-to", "json", "-type", "./" + pkg + ".T"},
		} {
			var out, errs bytes.Buffer
			if code := dispatch(t.Context(), &console{&out, &errs}, args); code == 0 {
				t.Errorf("zmy %v: exit 0", args)
			}
			for line := range strings.Lines(errs.String()) {
				if strings.Contains(line, ".go:") && !strings.Contains(line, "; ") {
					t.Errorf("zmy %v does not say what to do: %s", args, line)
				}
			}
			if !strings.Contains(errs.String(), "; ") {
				t.Errorf("zmy %v does not say what to do:\n%s", args, &errs)
			}
		}
	}
}
