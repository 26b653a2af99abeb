package report

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/zmylab/zmy/internal/browsertest"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

// TestInBrowser has browser/report.test.mjs drive the page as a reader does, and axe-core
// look at it. It needs node, chromium and, once, `npm ci` in the folder browser.
func TestInBrowser(t *testing.T) {
	browser := browsertest.Find(t, "browser", "axe-core")
	r := browsed()
	runtest.Many(r)
	for _, c := range r.Contenders {
		c.Capabilities = []run.Capability{{Name: "evolution", Value: "yes"},
			{Name: "any", Value: "partly", Note: "integers become float64"}, {Name: "streaming", Value: "no"}, {Name: "licence", Value: "MIT"}}
	}
	name := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(name, []byte(render(t, r)), 0o644); err != nil {
		t.Fatal(err)
	}
	browser.Run(t, "report.test.mjs", "ZMY_REPORT="+name)
}
