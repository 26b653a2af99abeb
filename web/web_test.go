package web_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/zmylab/zmy/web"
)

// TestScript has node hold zmy-sse.js against the vectors of the format.
func TestScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node in PATH: zmy-sse.js was not tested; install node 20")
	}
	// go test runs this anew when they change
	for _, own := range []string{"zmy-sse.test.mjs", "../spec/vectors/manifest.txt", "../spec/vectors/schemas.txt"} {
		if _, err := os.ReadFile(own); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), node, "--test", "--test-reporter=tap", "zmy-sse.test.mjs")
	cmd.Env = append(os.Environ(), "ZMY_LOCKS="+writeLocks(t))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestHandler(t *testing.T) {
	w := httptest.NewRecorder()
	web.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/zmy-sse.js", nil))
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") ||
		!strings.Contains(w.Body.String(), "export class EventStream") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}
