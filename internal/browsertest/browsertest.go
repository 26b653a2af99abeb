// Package browsertest runs tests in a real browser. The tests are scripts for node that drive
// Chromium with Playwright. Run `npm ci` in lab/report/browser to install the modules.
package browsertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Required is an environment variable. If it is 1, tests fail if node, Chromium or a module is
// missing; otherwise they are skipped.
const Required = "ZMY_REQUIRE_CHROMIUM"

// Browser runs tests in Chromium.
type Browser struct {
	node, chromium, modules string
}

// Find returns a Browser. If something is missing it skips the test and says what. modules is the
// path of lab/report/browser relative to the test's folder. named are the modules that the script
// needs, in addition to playwright-core. In short mode the test is skipped.
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

// Chromium returns the path of a Chromium. If there is none it skips the test.
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

// Run runs the tests in browser/SCRIPT with node. The environment variable ZMY_CHROMIUM is the path
// of the browser, and ZMY_MODULES the folder of modules. env adds further variables.
func (b *Browser) Run(t testing.TB, script string, env ...string) {
	t.Helper()
	for _, own := range []string{filepath.Join("browser", script), filepath.Join(b.modules, "package-lock.json")} {
		if _, err := os.ReadFile(own); err != nil { // go test repeats a cached test if files that it has read change
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
