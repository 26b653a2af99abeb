// Package browsertest runs tests in a real browser: scripts of node that drive Chromium by
// Playwright, whose module `npm ci` in lab/report/browser fetches.
package browsertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Required is the environment variable that makes tests fail, by the value 1, where something is
// missing. They skip otherwise.
const Required = "ZMY_REQUIRE_CHROMIUM"

// Browser drives a Chromium.
type Browser struct {
	node, chromium, modules string
}

// Find returns what is needed, or skips the test and says what is missing. modules is the folder
// lab/report/browser as the test's own folder sees it, and named are the modules that the script
// needs beside playwright-core. Short tests skip.
func Find(t testing.TB, modules string, named ...string) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("drives a browser")
	}
	b := &Browser{chromium: Chromium(t)}
	var err error
	if b.node, err = exec.LookPath("node"); err != nil {
		missing(t, "node in PATH")
	}
	if b.modules, err = filepath.Abs(modules); err != nil {
		t.Fatal(err)
	}
	for _, m := range append(named, "playwright-core") {
		if _, err := os.Stat(filepath.Join(b.modules, "node_modules", m)); err != nil {
			missing(t, "module "+m)
		}
	}
	return b
}

// Chromium is the path of a browser, or skips the test.
func Chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	missing(t, "chromium in PATH")
	return ""
}

func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv(Required) == "1" {
		t.Fatalf("%s=1, and no %s", Required, what)
	}
	t.Skipf("no %s: NO BROWSER HAS LOOKED; install node and chromium and run `npm ci` in lab/report/browser, or set %s=1 to make "+
		"this fail", what, Required)
}

// Run has node run the tests of browser/SCRIPT. They find the browser in ZMY_CHROMIUM, the folder
// of modules in ZMY_MODULES, and what env adds.
func (b *Browser) Run(t testing.TB, script string, env ...string) {
	t.Helper()
	for _, own := range []string{filepath.Join("browser", script), filepath.Join(b.modules, "package-lock.json")} {
		if _, err := os.ReadFile(own); err != nil { // go test runs this anew when they change
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), b.node, "--test", "--test-reporter=spec", script)
	cmd.Dir = "browser"
	cmd.Env = append(append(os.Environ(), "ZMY_CHROMIUM="+b.chromium, "ZMY_MODULES="+b.modules), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
