package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnchor: folders of the repository are the check-out's, however they are named, and
// others the user's.
func TestAnchor(t *testing.T) {
	r := made(t)
	tree := t.TempDir()
	for _, c := range []struct{ path, want string }{
		{"./lib", "./lib"},
		{"../sibling", "$OUTSIDE"},
		{r.top + "/lib", "$TREE/lib"},
		{"/elsewhere/lib", "/elsewhere/lib"},
	} {
		write(t, tree, "go.mod", "module example.com/app\n\ngo 1.24\n\nreplace example.com/lib => "+c.path+
			"\n\nreplace example.com/other v1.2.3 => example.com/fork v1.0.0\n")
		write(t, tree, "go.work", "go 1.24\n\nuse (\n\t.\n\t"+c.path+"\n)\n\nreplace example.com/lib v1.0.0 => "+c.path+"\n")
		warnings, err := r.anchor(tree)
		if err != nil {
			t.Fatal(err)
		}
		outside := filepath.Join(filepath.Dir(r.top), "sibling")
		want := strings.NewReplacer("$TREE", tree, "$OUTSIDE", outside).Replace(c.want)
		for name, lines := range map[string][]string{
			"go.mod":  {"replace example.com/lib => " + want, "replace example.com/other v1.2.3 => example.com/fork v1.0.0"},
			"go.work": {"\t" + want + "\n", "\t.\n", "replace example.com/lib v1.0.0 => " + want},
		} {
			text, err := os.ReadFile(filepath.Join(tree, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range lines {
				if strings.Count(string(text), line) != 1 {
					t.Errorf("%s: %s lacks %q:\n%s", c.path, name, line, text)
				}
			}
		}
		named := strings.Join(warnings, "\n")
		if out := !strings.HasPrefix(want, tree) && !strings.HasPrefix(want, "./"); strings.Contains(named, want+
			" lies outside of the repository") != out || len(warnings) > 1 {
			t.Errorf("%s: warnings %q", c.path, warnings)
		}
	}
	write(t, tree, "go.mod", "no go.mod\n")
	if _, err := r.anchor(tree); err != nil {
		t.Errorf("a broken go.mod is for the go command to refuse: %v", err)
	}
}

// TestSubmodules: a submodule is taken at the commit that is asked for, not as it lies there;
// one that cannot be had is told of.
func TestSubmodules(t *testing.T) {
	inner, r := made(t), made(t)
	do := func(dir string, args ...string) {
		t.Helper()
		args = append([]string{"-c", "protocol.file.allow=always", "-c", "user.name=Test", "-c", "user.email=test@example.com", "-c",
			"commit.gpgsign=false"}, args...)
		if _, err := git(t.Context(), dir, nil, args...); err != nil {
			t.Fatal(err)
		}
	}
	do(r.top, "submodule", "add", "-q", inner.top, "lib")
	do(r.top, "commit", "-q", "-m", "a submodule")
	lib := filepath.Join(r.top, "lib")
	write(t, lib, "a.go", "package app // later\n")
	do(lib, "commit", "-q", "-a", "-m", "later")

	r, err := find(t.Context(), r.top, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	out := func() (string, []string) {
		t.Helper()
		tree := filepath.Join(t.TempDir(), "tree")
		warnings, err := r.checkOut(t.Context(), tree)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(filepath.Join(tree, "lib", "a.go"))
		return string(text), warnings
	}
	if text, warnings := out(); text != "package app\n" || warnings != nil {
		t.Errorf("lib/a.go: %q, warnings %q", text, warnings)
	}
	do(r.top, "submodule", "deinit", "-q", "-f", "lib")
	if text, warnings := out(); text != "" || len(warnings) != 1 || !strings.Contains(warnings[0], "submodule lib is not checked out here") {
		t.Errorf("without it: %q, warnings %q", text, warnings)
	}
}
