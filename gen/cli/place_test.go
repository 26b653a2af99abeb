package cli

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// treeSum is a hash of the names and contents of all files below a folder.
func treeSum(t *testing.T, root string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintln(h, name)
		if d.Type().IsRegular() {
			text, err := os.ReadFile(name)
			h.Write(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// No command writes into the module cache, a vendor folder, a Go installation or a
// folder that is read-only, whoever asks it to; all of them say what to do instead.
func TestForeignFolders(t *testing.T) {
	const source = "package m\n\nimport \"context\"\n\ntype T struct {\n\tA int `zmy:\"0\"`\n}\n\ntype S interface " +
		"{\n\tGet(context.Context, *T) (*T, error)\n}\n"
	for _, tree := range []struct {
		why, dir, extra string
		mode            os.FileMode
	}{
		{"is in the module cache", "mod/example.org/m@v1.2.0", "mod/cache/download/x.txt", 0o755},
		{"is in the vendor folder", "app/vendor/example.org/m", "app/vendor/modules.txt", 0o755},
		{"is read-only", "m", "x.txt", 0o555},
	} {
		t.Run(tree.why, func(t *testing.T) {
			root := t.TempDir()
			t.Setenv("GOWORK", "off")
			t.Setenv("GOFLAGS", "-mod=mod")
			dir := filepath.Join(root, tree.dir)
			for name, text := range map[string]string{
				filepath.Join(dir, "go.mod"): "module example.org/m\n\ngo 1.25\n", filepath.Join(dir, "m.go"): source,
				filepath.Join(root, tree.extra): "",
			} {
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(dir, tree.mode); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
			before := treeSum(t, root)
			for _, c := range []struct {
				name string
				run  func(*bytes.Buffer, ...string) int
				args []string
			}{
				{"fxjson", func(w *bytes.Buffer, a ...string) int { return FXJSON(a, w, w) }, []string{"-type=T"}},
				{"fxjson -all", func(w *bytes.Buffer, a ...string) int { return FXJSON(a, w, w) }, []string{"-all"}},
				{"zmy gen", func(w *bytes.Buffer, a ...string) int { return ZMY(a, w, w) }, []string{"-type=T"}},
				{"zmy gen -lock", func(w *bytes.Buffer, a ...string) int { return ZMY(a, w, w) }, []string{"-type=T", "-lock"}},
				{"zmy gen -derive", func(w *bytes.Buffer, a ...string) int { return ZMY(a, w, w) }, []string{"-type=T", "-derive"}},
				{"zmy gen -grpc", func(w *bytes.Buffer, a ...string) int { return ZMY(a, w, w) }, []string{"-type=S", "-grpc"}},
				{"zmy gen -lang=java", func(w *bytes.Buffer, a ...string) int { return ZMY(a, w, w) },
					[]string{"-type=T", "-lang=java", "-package=org.example", "-o=" + filepath.Join(dir, "java")}},
				{"zmy gen -lang=rust", func(w *bytes.Buffer, a ...string) int { return ZMY(a, w, w) },
					[]string{"-type=T", "-lang=rust", "-o=" + filepath.Join(dir, "rust", "src")}},
				{"zmy lock", func(w *bytes.Buffer, a ...string) int { return Lock(a, w, w) }, nil},
				{"zmy lock -force", func(w *bytes.Buffer, a ...string) int { return Lock(a, w, w) }, []string{"-force"}},
			} {
				var said bytes.Buffer
				if code := c.run(&said, append(c.args, dir)...); code != exitFail {
					t.Errorf("%s: exit %d", c.name, code)
				}
				if !strings.Contains(said.String(), tree.why) || !strings.Contains(said.String(), "type Order other.Order") {
					t.Errorf("%s says %s", c.name, &said)
				}
				if treeSum(t, root) != before {
					t.Fatalf("%s changed the tree", c.name)
				}
			}
		})
	}
}
