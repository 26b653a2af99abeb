package serve

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestPageInBrowser has browser/page.test.mjs look at the page in a real browser. It needs node,
// chromium and, once, `npm ci` in lab/report/browser.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("drives a browser")
	}
	missing := func(what string) {
		t.Helper()
		if os.Getenv("ZMY_REQUIRE_CHROMIUM") == "1" {
			t.Fatal("ZMY_REQUIRE_CHROMIUM=1, and " + what)
		}
		t.Skip(what + ": no browser has looked at the page; install node and chromium and run `npm ci` in lab/report/browser, " +
			"or set ZMY_REQUIRE_CHROMIUM=1 to make this fail")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		missing("no node in PATH")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		missing("no chromium in PATH")
	}
	modules, err := filepath.Abs("../../../lab/report/browser")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, "node_modules", "playwright-core")); err != nil {
		missing("no module playwright-core")
	}
	if _, err := os.ReadFile("browser/page.test.mjs"); err != nil { // go test runs this anew when it changes
		t.Fatal(err)
	}
	s, err := New(t.Context(), Options{Seed: 1, Every: 50 * time.Millisecond, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); s.produce(ctx) }()
	mux := http.NewServeMux()
	mux.Handle("/", s)
	srv := httptest.NewServer(mux)
	mux.HandleFunc("POST /test/cut", func(http.ResponseWriter, *http.Request) { srv.CloseClientConnections() })
	defer func() {
		stop()
		<-ended
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		srv.CloseClientConnections()
		srv.Close()
	}()
	cmd := exec.CommandContext(t.Context(), node, "--test", "--test-reporter=spec", "page.test.mjs")
	cmd.Dir = "browser"
	cmd.Env = append(os.Environ(), "ZMY_URL="+srv.URL, "ZMY_CHROMIUM="+chromium, "ZMY_MODULES="+modules)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
