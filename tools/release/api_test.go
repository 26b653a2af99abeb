package release_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/tools/release"
)

// TestCompareAPI: a repository without a release has nothing to compare with. After one, removed and
// changed declarations of importable packages are found, and no others.
func TestCompareAPI(t *testing.T) {
	dir := t.TempDir()
	write := func(files map[string]string) {
		t.Helper()
		for name, text := range files {
			name = filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	compare := func() *release.API {
		t.Helper()
		a, err := release.CompareAPI(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
		return string(out)
	}
	t.Setenv("GOWORK", "")
	write(map[string]string{
		"go.work":         "go 1.25\n\nuse (\n\t.\n\t./sse\n\t./tools\n)\n",
		"go.mod":          "module github.com/zmylab/zmy\n\ngo 1.25\n",
		"a.go":            "package zmy\n\nfunc Marshal(v any) []byte { return nil }\n\nfunc Size(v any) int { return 0 }\n",
		"internal/x/x.go": "package x\n\nfunc X() {}\n",
		"sse/go.mod":      "module github.com/zmylab/zmy/sse\n\ngo 1.25\n",
		"sse/sse.go":      "package sse\n\ntype File struct{ Path string }\n",
		"sse/cmd/c.go":    "package main\n\nfunc Main() {}\n\nfunc main() {}\n",
		"tools/go.mod":    "// Not released: for maintainers.\nmodule github.com/zmylab/zmy/tools\n\ngo 1.25\n",
		"tools/t.go":      "package tools\n\nfunc T() {}\n",
	})
	git("init", "--quiet")
	git("add", "-A")
	git("commit", "--quiet", "-m", "first")
	if a := compare(); a.Since != "" || a.Incompatible != nil {
		t.Errorf("without a tag: %+v", a)
	}
	for _, tag := range []string{"v0.2.0", "v0.10.0", "sse/v0.10.0", "verify"} {
		git("tag", tag)
	}
	if a := compare(); a.Since != "v0.10.0" || a.Incompatible != nil || a.Compatible != 0 {
		t.Errorf("nothing has changed: %+v", a)
	}
	write(map[string]string{
		"a.go":            "package zmy\n\nfunc Marshal(v any) ([]byte, error) { return nil, nil }\n\nfunc Unmarshal() {}\n",
		"internal/x/x.go": "package x\n",
		"sse/sse.go":      "package sse\n\ntype File struct{ Path string; Src string }\n",
		"sse/cmd/c.go":    "package main\n\nfunc main() {}\n",
		"tools/t.go":      "package tools\n",
	})
	a := compare()
	got := strings.Join(a.Incompatible, "\n")
	want := "github.com/zmylab/zmy: Marshal: changed from func(any) []byte to func(any) ([]byte, error)\n" +
		"github.com/zmylab/zmy: Size: removed"
	if got != want || a.Compatible != 2 {
		t.Errorf("%d compatible, and\n%s\nwant\n%s", a.Compatible, got, want)
	}
	if list := git("worktree", "list"); strings.Count(list, "\n") != 1 {
		t.Errorf("left behind: %s", list)
	}
	for next, may := range map[string]bool{"v0.10.1": false, "v0.11.0": true, "v1.0.0": true} {
		if a.Break(next) != may {
			t.Errorf("%s after %s: %v", next, a.Since, !may)
		}
	}
}
