package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// chatter matches lines in which a package manager tells its progress. Whether they appear depends
// on the caches of the machine, so a page is compared without them. Errors are no chatter.
var chatter = regexp.MustCompile(`(?m)^(?:` + strings.Join([]string{
	`go: (?:downloading|extracting|finding|found|added|upgraded|downgraded|removed|copying requirements from) .*`,
	`go: creating new go\.mod: .*`,
	`go: to add module requirements and sums:\n\tgo mod tidy`,
	`go: .*; switching to go[\d.]+`,
	cargoVerbs("Updating", "Locking", "Adding", "Downloading", "Downloaded", "Compiling", "Checking", "Documenting", "Fresh",
		"Finished", "Running", "Blocking"),
	`npm (?:warn|notice|http|info|timing)\b.*`,
	`(?:added|changed|removed) \d+ packages?.*|up to date,? .*\bpackages? in .*`, // npm
	`\d+ packages are looking for funding|  run ` + "`npm fund`" + ` for details`,
	`(?:Downloading|Downloaded)(?: from \S+)?: .*`, // Maven
	`Progress \(\d+\): .*`,
	`\[INFO\].*`,
}, "|") + `)[ \r]*(?:\n|\z)`)

// cargoVerbs matches cargo's lines of progress: they begin with a verb that ends in column 12.
func cargoVerbs(verbs ...string) string {
	for i, v := range verbs {
		verbs[i] = fmt.Sprintf("%12s", v)
	}
	return "(?:" + strings.Join(verbs, "|") + ") .*"
}

// withoutChatter returns what a reader compares with a page.
func withoutChatter(out []byte) []byte { return chatter.ReplaceAll(out, nil) }

func TestChatter(t *testing.T) {
	for _, line := range []string{
		"go: downloading github.com/json-iterator/go v1.1.12",
		"go: downloading go1.27.1 (linux/amd64)",
		"go: finding module for package github.com/a/b",
		"go: found github.com/a/b in github.com/a/b v1.0.0",
		"go: added golang.org/x/sys v0.1.0",
		"go: upgraded golang.org/x/sys v0.1.0 => v0.2.0",
		"go: creating new go.mod: module example.org/shop",
		"go: to add module requirements and sums:\n\tgo mod tidy",
		"go: example.org/a@v1.0.0 requires go >= 1.27; switching to go1.27.1",
		"    Updating crates.io index",
		"     Locking 12 packages to latest compatible versions",
		"  Downloaded serde v1.0.1 (registry `crates-io`)",
		"   Compiling zmy v0.1.0 (zmy/rust/zmy)",
		"    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.20s",
		"    Blocking waiting for file lock on package cache",
		"npm warn deprecated glob@7.2.3: old",
		"npm notice New major version of npm available!",
		"added 12 packages, and audited 13 packages in 2s",
		"Downloading from central: https://repo.example/a.pom",
		"Downloaded from central: https://repo.example/a.pom (2.0 kB at 20 kB/s)",
		"Progress (1): 1.2/2.0 kB",
		"[INFO] BUILD SUCCESS",
	} {
		for _, out := range []string{line, line + "\n", line + "\r\n", line + "\nanswer\n", "answer\n" + line + "\n", "answer\n" + line} {
			want := ""
			if strings.Contains(out, "answer") {
				want = "answer"
			}
			if got := strings.TrimSpace(string(withoutChatter([]byte(out)))); got != want {
				t.Errorf("%q becomes %q, want %q", out, got, want)
			}
		}
	}
	for _, line := range []string{
		"go: go.mod file not found in current directory or any parent directory; see 'go help modules'",
		"go: updates to go.mod needed",
		"go: github.com/a/b@v1.0.0: reading https://proxy.example/a: 404 Not Found",
		"go: errors parsing go.mod:",
		"error[E0308]: mismatched types",
		"error: could not compile `shop`",
		"warning: unused variable: `x`",
		"npm error code E404",
		"[ERROR] COMPILATION ERROR",
		"[WARNING] deprecated",
		"order.go:14:2: undefined: x",
		"added a field to Order",
		"added 2 fields",
		"go 1.26",
		"downloading go: later",
		" go: downloading x",
		"  Running late",
		"{\"go\": \"go: downloading x\"}",
	} {
		if got := string(withoutChatter([]byte(line + "\n"))); got != line+"\n" {
			t.Errorf("%q becomes %q: it is no chatter", line, got)
		}
	}
}

// newReader is the page that is followed with an empty module cache, as by a reader whose Go is
// new.
const newReader = "migrate-jsoniter.md"

// emptyModules gives the page a module cache that is empty, once its tools are installed. Modules
// that the machine has come from its own cache, which is a proxy as it lies there, so that nothing
// is fetched twice.
func (g *guide) emptyModules() {
	g.t.Helper()
	cache, proxies := g.goEnv("GOMODCACHE"), g.goEnv("GOPROXY")
	g.env = append(g.env, "GOMODCACHE="+filepath.Join(g.t.TempDir(), "mod"), "GOFLAGS=-buildvcs=false -modcacherw", "GOSUMDB=off",
		"GOPROXY=file://"+filepath.ToSlash(filepath.Join(cache, "cache", "download"))+"|"+proxies)
	g.t.Cleanup(func() {
		if !g.downloaded && !g.t.Failed() {
			g.t.Error("no module was downloaded: the cache was not empty")
		}
	})
}

func (g *guide) goEnv(name string) string {
	g.t.Helper()
	cmd := exec.Command("go", "env", name)
	cmd.Dir = g.root
	out, err := cmd.Output()
	if err != nil {
		g.t.Fatalf("go env %s: %v", name, err)
	}
	return string(bytes.TrimSpace(out))
}
