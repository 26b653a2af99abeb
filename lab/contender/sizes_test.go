package contender

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
)

var updateSizes = flag.Bool("update-sizes", false, "download the modules of all codecs and write sizes.txt")

// all returns the modules that the codecs require, sorted.
func all(t *testing.T) (mods []module.Version) {
	t.Helper()
	dirs, err := adapters.ReadDir("codecs")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		mods = append(mods, required(d.Name())...)
	}
	slices.SortFunc(mods, func(a, b module.Version) int { return strings.Compare(a.String(), b.String()) })
	if mods = slices.Compact(mods); len(mods) < 20 {
		t.Fatalf("only %d modules: nothing is checked", len(mods))
	}
	return mods
}

// TestSizes: each module has a size, and no other has one. The sizes of those in this machine's module cache are
// those of the files.
func TestSizes(t *testing.T) {
	mods := all(t)
	if *updateSizes {
		var out bytes.Buffer
		for _, m := range mods {
			fmt.Fprintln(&out, m.Path, m.Version, download(t, m))
		}
		if err := os.WriteFile("sizes.txt", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(sizes()) != len(mods) {
		t.Errorf("sizes.txt has %d modules, the codecs require %d: run go test ./contender -run TestSizes -update-sizes", len(sizes()), len(mods))
	}
	cache := modcache(t)
	for _, m := range mods {
		want, ok := sizes()[m]
		if !ok || want <= 0 {
			t.Errorf("no size of %s: run go test ./contender -run TestSizes -update-sizes", m)
			continue
		}
		path, _ := module.EscapePath(m.Path)
		version, _ := module.EscapeVersion(m.Version)
		file := filepath.Join(cache, "cache", "download", filepath.FromSlash(path), "@v", version+".zip")
		if info, err := os.Stat(file); err == nil && info.Size() != want {
			t.Errorf("%s has %d bytes, sizes.txt says %d", m, info.Size(), want)
		}
	}
}

// TestDownloads: an empty cache lacks all, each module once, and a cache that has one lacks the others.
func TestDownloads(t *testing.T) {
	infos := []Info{{Name: "sonic"}, {Name: "protobuf"}, {Name: "sonic"}, {Name: "std-json"}}
	want := Download{}
	seen := map[module.Version]bool{}
	for _, m := range append(required("sonic"), required("protobuf")...) {
		if !seen[m] {
			seen[m] = true
			want.Modules, want.Bytes = want.Modules+1, want.Bytes+sizes()[m]
		}
	}
	if want.Bytes == 0 {
		t.Fatal("sizes are 0")
	}
	cache := t.TempDir()
	if got := Downloads(infos, cache); got != want {
		t.Errorf("an empty cache lacks %+v, want %+v", got, want)
	}
	m := required("sonic")[0]
	dir := filepath.Join(cache, "cache", "download", filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, m.Version+".zip"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	want.Modules, want.Bytes = want.Modules-1, want.Bytes-sizes()[m]
	if got := Downloads(infos, cache); got != want {
		t.Errorf("a cache with %s lacks %+v, want %+v", m, got, want)
	}
}

func modcache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// download returns the size of the module's zip file.
func download(t *testing.T, m module.Version) int64 {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", m.Path+"@"+m.Version)
	cmd.Dir, cmd.Stderr = t.TempDir(), os.Stderr
	out, err := cmd.Output()
	var got struct{ Zip string }
	if err := errors.Join(err, json.Unmarshal(out, &got)); err != nil {
		t.Fatalf("%s: %v", m, err)
	}
	info, err := os.Stat(got.Zip)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
