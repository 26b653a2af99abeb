package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

// TestInBrowser has browser/report.test.mjs drive the page as a reader does, and axe-core
// look at it. It needs node, chromium and, once, `npm ci` in the folder browser.
func TestInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("drives a browser")
	}
	missing := func(what string) {
		t.Helper()
		if os.Getenv("ZMY_REQUIRE_CHROMIUM") == "1" {
			t.Fatal("ZMY_REQUIRE_CHROMIUM=1, and " + what)
		}
		t.Skip(what + ": the report was not driven by Playwright and not looked at by axe; " +
			"install node and chromium and run `npm ci` in lab/report/browser, or set ZMY_REQUIRE_CHROMIUM=1 to make this fail")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		missing("no node in PATH")
	}
	browser := chromiumPath()
	if browser == "" {
		missing("no chromium in PATH")
	}
	for _, m := range []string{"playwright-core", "axe-core"} {
		if _, err := os.Stat(filepath.Join("browser", "node_modules", m)); err != nil {
			missing("no module " + m)
		}
	}
	for _, own := range []string{"report.test.mjs", "package-lock.json"} { // go test runs this anew when they change
		if _, err := os.ReadFile(filepath.Join("browser", own)); err != nil {
			t.Fatal(err)
		}
	}
	r := browsed()
	runtest.Many(r)
	for _, c := range r.Contenders {
		c.Capabilities = []run.Capability{{Name: "evolution", Value: "yes"}, {Name: "any", Value: "partly", Note: "integers become float64"}, {Name: "streaming", Value: "no"}, {Name: "licence", Value: "MIT"}}
	}
	name := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(name, []byte(render(t, r)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "--test", "--test-reporter=spec", "report.test.mjs")
	cmd.Dir = "browser"
	cmd.Env = append(os.Environ(), "ZMY_REPORT="+name, "ZMY_CHROMIUM="+browser)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
