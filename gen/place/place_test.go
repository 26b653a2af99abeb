package place

import (
	"errors"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tree makes folders, and empty files for the names that end in .txt.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		name = filepath.Join(root, name)
		dir := name
		if filepath.Ext(name) == ".txt" {
			dir = filepath.Dir(name)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir != name {
			if err := os.WriteFile(name, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func TestCheck(t *testing.T) {
	root := tree(t,
		"mod/cache/download", "mod/example.org/m@v1.2.0/sub", "mod/example.org/plain",
		"go/src/cmd/go", "go/src/runtime", "go/src/net/http", "go/bin",
		"app/vendor/modules.txt", "app/vendor/example.org/m", "app/order",
		"shop/vendor/order", // a package of one's own that happens to have this name
		"work/cache/download/mine", "work/user@v2",
		"locked")
	if err := os.Chmod(filepath.Join(root, "locked"), 0o555); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "mod/example.org/m@v1.2.0"), filepath.Join(root, "app/link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dir, why, tree string }{
		{"mod/example.org/m@v1.2.0", "is in the module cache", "mod"},
		{"mod/example.org/m@v1.2.0/sub", "is in the module cache", "mod"},
		{"mod/example.org/m@v1.2.0/sub/new/er", "is in the module cache", "mod"},
		{"mod/cache/download", "is in the module cache", "mod"},
		{"app/link/sub", "is in the module cache", "mod"},
		{"go/src/net/http", "is in the Go installation", "go"},
		{"app/vendor/example.org/m", "is in the vendor folder", "app/vendor"},
		{"app/vendor", "is in the vendor folder", "app/vendor"},
		{"locked", "is read-only", ""},
		{"locked/new", "is read-only", ""},
		{"mod/example.org/plain", "", ""},
		{"app/order", "", ""},
		{"app/order/new", "", ""},
		{"shop/vendor/order", "", ""},
		{"work/user@v2/x", "is in the module cache", "work"}, // it looks like one, and is told so
		{"go/bin", "", ""},
	} {
		err := Check(filepath.Join(root, c.dir))
		var got *Error
		switch {
		case c.why == "" && err != nil:
			t.Errorf("%s: %v", c.dir, err)
		case c.why == "":
		case !errors.As(err, &got) || got.Why != c.why:
			t.Errorf("%s: %v, want %s", c.dir, err, c.why)
		case c.tree != "" && got.Tree != filepath.Join(root, c.tree):
			t.Errorf("%s: tree %s, want %s", c.dir, got.Tree, c.tree)
		case !strings.Contains(err.Error(), "type Order other.Order"):
			t.Errorf("%s: no way out: %v", c.dir, err)
		}
	}
}

// TestCheckReal asks about the folders that the go command names on this machine.
func TestCheckReal(t *testing.T) {
	text, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/mod").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{strings.TrimSpace(string(text)), filepath.Join(build.Default.GOROOT, "src", "net", "url")} {
		if err := Check(dir); !errors.As(err, new(*Error)) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if err := Check("."); err != nil {
		t.Error(err)
	}
}
