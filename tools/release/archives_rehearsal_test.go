package release

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestArchives builds the archives of a release in a clone of HEAD, as make snapshot does, and looks at
// each: programs, completions, manual pages, licences, lists of modules, checksums. It runs the
// programs of the archive for this machine.
func TestArchives(t *testing.T) {
	if !*rehearse {
		t.Skip("run with -rehearse: make rehearse-archives")
	}
	need(t, "git", "make", "tar", "unzip", "sha256sum")
	clone := filepath.Join(t.TempDir(), "clone")
	cloneTo(t, clone)
	start := time.Now()
	output(t, clone, append(os.Environ(), "GOFLAGS=", "GOWORK="), "make", "snapshot")
	t.Logf("%4.0f s  make snapshot", time.Since(start).Seconds())

	dist := filepath.Join(clone, "bin/dist")
	commit := strings.TrimSpace(output(t, clone, nil, "git", "rev-parse", "HEAD"))
	sums := output(t, dist, nil, "sha256sum", "--check", "checksums.txt")
	archives := 0
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			name := archive(t, dist, system, arch)
			if name == "" {
				continue
			}
			archives++
			if !strings.Contains(sums, name+": OK\n") {
				t.Errorf("%s has no checksum:\n%s", name, sums)
			}
			dir := unpack(t, filepath.Join(dist, name))
			checkArchive(t, dir, system)
			checkModules(t, dist, system, arch)
			if system == runtime.GOOS && arch == runtime.GOARCH {
				runArchive(t, dir, commit)
			}
		}
	}
	if archives != 6 {
		t.Errorf("%d archives, want 6", archives)
	}
}

// archive returns the name of the archive for a platform.
func archive(t *testing.T, dist, system, arch string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dist, fmt.Sprintf("zmy_*_%s_%s.*", system, arch)))
	if err != nil {
		t.Fatal(err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, ".json") })
	if len(names) != 1 {
		t.Errorf("archives for %s on %s: %q, want one", system, arch, names)
		return ""
	}
	if zip := strings.HasSuffix(names[0], ".zip"); zip != (system == "windows") {
		t.Errorf("the archive for %s is %s", system, filepath.Base(names[0]))
	}
	return filepath.Base(names[0])
}

// unpack unpacks an archive into a folder, and returns the only folder in it.
func unpack(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if strings.HasSuffix(name, ".zip") {
		output(t, dir, nil, "unzip", "-q", name)
	} else {
		output(t, dir, nil, "tar", "-xzf", name)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || !entries[0].IsDir() {
		t.Fatalf("%s holds %v, want one folder", filepath.Base(name), entries)
	}
	return filepath.Join(dir, entries[0].Name())
}

// checkArchive: both programs with their completions for three shells and their manual pages, and the
// texts that a reader of them must have.
func checkArchive(t *testing.T, dir, system string) {
	t.Helper()
	end := ""
	if system == "windows" {
		end = ".exe"
	}
	for name, words := range map[string]string{
		"zmy" + end:               "",
		"fxjson" + end:            "",
		"completions/zmy.bash":    "complete ",
		"completions/_zmy":        "#compdef zmy",
		"completions/zmy.fish":    "complete ",
		"completions/fxjson.bash": "complete ",
		"completions/_fxjson":     "#compdef fxjson",
		"completions/fxjson.fish": "complete ",
		"man/zmy.1":               ".TH",
		"man/fxjson.1":            ".TH",
		"LICENSE":                 "Apache License",
		"README.md":               "# ZMY",
		"CHANGELOG.md":            "## [Unreleased]",
		"THIRD_PARTY_NOTICES.txt": "golang.org/x/tools ",
	} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		} else if len(data) == 0 || !strings.Contains(string(data), words) {
			t.Errorf("%s of %s: %d bytes without %q", name, filepath.Base(dir), len(data), words)
		}
	}
}

// checkModules: the lists of modules of both programs for a platform name what they contain.
func checkModules(t *testing.T, dist, system, arch string) {
	t.Helper()
	for _, program := range []string{"zmy", "fxjson"} {
		names, err := filepath.Glob(filepath.Join(dist, fmt.Sprintf("%s*_%s_%s.cdx.json", program, system, arch)))
		if err != nil || len(names) != 1 {
			t.Errorf("lists of the modules of %s for %s on %s: %q, %v", program, system, arch, names, err)
			continue
		}
		var list struct {
			BOMFormat  string
			Components []struct{ Name string }
		}
		if err := json.Unmarshal([]byte(text(t, names[0])), &list); err != nil {
			t.Errorf("%s: %v", filepath.Base(names[0]), err)
		}
		have := false
		for _, c := range list.Components {
			have = have || c.Name == "golang.org/x/tools"
		}
		if list.BOMFormat != "CycloneDX" || !have {
			t.Errorf("%s: format %q, %d modules, golang.org/x/tools: %v", filepath.Base(names[0]), list.BOMFormat, len(list.Components), have)
		}
	}
}

// runArchive: the programs say from which commit and with which Go they were built, and generate code
// in a module without a clone of this repository.
func runArchive(t *testing.T, dir, commit string) {
	t.Helper()
	for program, args := range map[string]string{"zmy": "version", "fxjson": "-version"} {
		out := output(t, dir, nil, filepath.Join(dir, program), args)
		for _, want := range []string{program + " (devel), commit " + commit[:12] + " of ", ", go1.", runtime.GOOS + "/" + runtime.GOARCH} {
			if !strings.Contains(out, want) || strings.Contains(out, "with changes") {
				t.Errorf("%s %s prints %q, want %q in it", program, args, out, want)
			}
		}
		t.Log(out)
	}
	shop := t.TempDir()
	write(t, filepath.Join(shop, "go.mod"), "module example.org/shop\n\ngo 1.26\n")
	write(t, filepath.Join(shop, "order.go"), order)
	output(t, shop, append(os.Environ(), "GOWORK=off"), filepath.Join(dir, "zmy"), "gen", "-type", "Order")
	if code := text(t, filepath.Join(shop, "order_zmy.go")); !strings.Contains(code, "DO NOT EDIT") {
		t.Errorf("zmy gen has written\n%s", code)
	}
}
