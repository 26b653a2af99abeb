package gate

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// made is a repository with a module in it.
func made(t *testing.T) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NO GIT IN PATH: install git")
	}
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/app\n\ngo 1.24\n")
	write(t, dir, "a.go", "package app\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."},
		{"-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "a package"}} {
		if _, err := git(t.Context(), dir, nil, args...); err != nil {
			t.Fatal(err)
		}
	}
	r, err := find(t.Context(), dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWorkspace: the commit is built with the go.work that it holds, and the user is told
// where it holds none.
func TestWorkspace(t *testing.T) {
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	r := made(t)
	for _, c := range []struct {
		name          string
		here, there   bool
		set           bool // GOWORK names the file
		env, warnings string
	}{
		{"none", false, false, false, "", ""},
		{"untracked", true, false, false, "GOWORK=off", "not in the commit"},
		{"untracked and named", true, false, true, "GOWORK=off", "not in the commit"},
		{"tracked", true, true, false, "", ""},
		{"tracked and named", true, true, true, "GOWORK=$TREE/go.work", ""},
	} {
		tree := t.TempDir()
		if c.here {
			write(t, r.top, "go.work", "go 1.24\n\nuse .\n")
		}
		if c.there {
			write(t, tree, "go.work", "go 1.24\n\nuse .\n")
		}
		t.Setenv("GOWORK", "")
		if c.set {
			t.Setenv("GOWORK", filepath.Join(r.top, "go.work"))
		}
		env, warnings, err := r.workspace(t.Context(), tree)
		got := strings.ReplaceAll(strings.Join(env, " "), tree+string(filepath.Separator), "$TREE/")
		if err != nil || got != c.env || strings.Contains(strings.Join(warnings, ""), "not in the commit") != (c.warnings != "") {
			t.Errorf("%s: %q, %q, %v; want %q, %q", c.name, got, warnings, err, c.env, c.warnings)
		}
	}
}

// TestHooks: a hook of another repository, which git tells by the environment where it is,
// changes nothing; nor does a split index, which would leave a file beside the user's.
func TestHooks(t *testing.T) {
	r := made(t)
	if _, err := git(t.Context(), r.top, nil, "config", "core.splitIndex", "true"); err != nil {
		t.Fatal(err)
	}
	files := func() (names []string) {
		list, err := os.ReadDir(filepath.Join(r.top, ".git"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			names = append(names, f.Name())
		}
		return names
	}
	before := files()
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "elsewhere"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "index"))
	tree := filepath.Join(t.TempDir(), "tree")
	again, err := find(t.Context(), r.top, "HEAD")
	if err != nil || again.commit != r.commit {
		t.Fatalf("%+v, %v", again, err)
	}
	if warnings, err := again.checkOut(t.Context(), tree); err != nil || warnings != nil {
		t.Fatal(warnings, err)
	}
	if _, err := os.Stat(filepath.Join(tree, "a.go")); err != nil {
		t.Error(err)
	}
	if after := files(); !slices.Equal(before, after) {
		t.Errorf("files of .git: %q, before %q", after, before)
	}
}
