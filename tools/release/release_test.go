package release

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestModules: each released module comes after those that it requires, and those that are not
// released are not among them.
func TestModules(t *testing.T) {
	modules, err := Modules("../..")
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, m := range modules {
		for _, need := range m.Needs {
			if !slices.Contains(seen, need) {
				t.Errorf("%s comes before %s, which it requires", m.Path, need)
			}
		}
		seen = append(seen, m.Path)
	}
	for _, p := range []string{root, root + "/cmd/zmy", root + "/gen", root + "/lab", root + "/adapters/ginx"} {
		if !slices.Contains(seen, p) {
			t.Errorf("%s is not released", p)
		}
	}
	for _, p := range []string{root + "/tools", root + "/bench/ssecompare"} {
		if slices.Contains(seen, p) {
			t.Errorf("%s is released", p)
		}
	}
	if tag := modules[0].Tag("v1.2.3"); tag != "v1.2.3" || modules[0].Path != root {
		t.Errorf("the first module is %s with tag %s", modules[0].Path, tag)
	}
}

// TestUnreleased: a released module may not require one that is not.
func TestUnreleased(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.work":  "go 1.26\n\nuse (\n\t.\n\t./a\n)\n",
		"go.mod":   "module " + root + "\n\ngo 1.26\n\nrequire " + root + "/a v0.0.0\n\nreplace " + root + "/a => ./a\n",
		"a/go.mod": "// Not released: a test.\nmodule " + root + "/a\n\ngo 1.26\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Modules(dir); err == nil || !strings.Contains(err.Error(), root+"/a, which is not released") {
		t.Errorf("error %v", err)
	}
}

func TestChangelog(t *testing.T) {
	name := filepath.Join(t.TempDir(), "CHANGELOG.md")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	date := time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)
	write("# Changelog\n\n## [Unreleased]\n\n- new\n\n## [0.1.0] - 2029-01-01\n\n- old\n")
	if err := dateChangelog(name, "v0.2.0", date); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if want := "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2030-01-02\n\n- new\n\n## [0.1.0] - 2029-01-01\n\n- old\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := dateChangelog(name, "v0.3.0", date); err == nil {
		t.Error("a release without changes")
	}
	write("# Changelog\n")
	if err := dateChangelog(name, "v0.3.0", date); err == nil {
		t.Error("a changelog without a section for what is not released")
	}
}
