package buildinfo

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestInfo(t *testing.T) {
	checkout := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0123456789abcdef0123"},
		{Key: "vcs.time", Value: "2026-11-24T01:02:03Z"}, {Key: "vcs.modified", Value: "false"}}
	changed := append(checkout[:3:3], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	end := ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	for _, c := range []struct {
		name         string
		main, linked string
		settings     []debug.BuildSetting
		want         string
	}{
		{"go install module@version", "v0.1.0", "", nil, "v0.1.0"},
		{"go install module@main", "v0.1.1-0.20261124010203-0123456789ab", "", nil, "v0.1.1-0.20261124010203-0123456789ab"},
		{"go build in a clone", "v0.1.1-0.20261124010203-0123456789ab", "", checkout,
			"(devel), commit 0123456789ab of 2026-11-24T01:02:03Z"},
		{"go build in a clone with changes", "v0.1.0+dirty", "", changed, "(devel), commit 0123456789ab with changes of 2026-11-24T01:02:03Z"},
		{"a clone without stamps", "(devel)", "", nil, "(devel)"},
		{"binary of a release", "v0.1.0", "v0.1.0", checkout, "v0.1.0, commit 0123456789ab of 2026-11-24T01:02:03Z"},
	} {
		b := &debug.BuildInfo{Main: debug.Module{Version: c.main}, Settings: c.settings}
		if got := of(b, c.linked).String(); got != c.want+end {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want+end)
		}
	}
	if got := of(nil, "").String(); got != "(devel)"+end {
		t.Errorf("without information: %s", got)
	}
}

// TestLinked: the linker's flag in .goreleaser.yaml sets the version.
func TestLinked(t *testing.T) {
	config, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const flag = "-X github.com/zmylab/zmy/internal/buildinfo.version="
	if !strings.Contains(string(config), flag) {
		t.Errorf(".goreleaser.yaml does not have %s", flag)
	}
	dir := t.TempDir()
	source := "package main\n\nimport \"github.com/zmylab/zmy/internal/buildinfo\"\n\nfunc main() { println(buildinfo.Read().Version()) }\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs("main.go")
	if err != nil {
		t.Fatal(err)
	}
	// Only a package in this module may import buildinfo, so the overlay puts the source there.
	overlay := filepath.Join(dir, "overlay.json")
	text := `{"Replace": {"` + filepath.ToSlash(filepath.Join(filepath.Dir(here), "main", "main.go")) + `": "` +
		filepath.ToSlash(filepath.Join(dir, "main.go")) + `"}}`
	if err := os.WriteFile(overlay, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", "-overlay", overlay, "-ldflags", flag+"v1.2.3", "./main").CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "v1.2.3" {
		t.Errorf("got %q, %v", got, err)
	}
}
