package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// setUpJava puts a mvn on the PATH that installs into a repository of its own, and lets git
// clone a copy of the Java sources: the page builds them, as other tests may do at the same time.
func (g *guide) setUpJava(root, bin string) {
	g.t.Helper()
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		g.t.Fatal(err)
	}
	for name, script := range map[string]string{
		"mvn": fmt.Sprintf("exec '%s' -Dmaven.repo.local='%s' \"$@\"\n", mvn, localRepository(g.t)),
		"git": fmt.Sprintf(`[ "$*" = 'clone https://github.com/zmylab/zmy' ] || exit 1
mkdir zmy && ln -s '%[1]s'/* zmy && rm zmy/java && cd '%[1]s' && tar -c --exclude=target java | tar -x -C "$OLDPWD/zmy"
`, root),
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			g.t.Fatal(err)
		}
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
