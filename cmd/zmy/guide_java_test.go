package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// setUpJava puts a mvn on the PATH that installs into a repository of its own, and builds a copy
// where the page builds the clone's Java sources: other tests may be building those at the same
// time.
func (g *guide) setUpJava(bin string) {
	g.t.Helper()
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		g.t.Fatal(err)
	}
	sources := g.t.TempDir()
	script := fmt.Sprintf(`#!/bin/sh
for a; do
	shift
	case $a in zmy/java) tar -C '%[1]s' -c --exclude=target java | tar -C '%[2]s' -x && a='%[2]s/java' ;; esac
	set -- "$@" "$a"
done
exec '%[3]s' -Dmaven.repo.local='%[4]s' "$@"
`, g.root, sources, mvn, localRepository(g.t))
	if err := os.WriteFile(filepath.Join(bin, "mvn"), []byte(script), 0o755); err != nil {
		g.t.Fatal(err)
	}
}

// localRepository is a repository of Maven's that has what the user's has by links, so that
// nothing is fetched again, but for this project's own artifacts.
func localRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(home, ".m2", "repository")
	for _, real := range []string{"", "io", filepath.Join("io", "github")} {
		if err := os.MkdirAll(filepath.Join(dir, real), 0o777); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(filepath.Join(own, real))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := filepath.Join(real, e.Name())
			if name == "io" || name == filepath.Join("io", "github") || name == filepath.Join("io", "github", "zmylab") {
				continue
			}
			if err := os.Symlink(filepath.Join(own, name), filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}
