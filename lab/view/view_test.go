package view

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run/runtest"
	"github.com/zmylab/zmy/lab/stats"
)

// folder is a report with a profile, broken profiles, and files that are not the report's.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	r := runtest.Order(runtest.Options{Launches: 1, Rounds: 2})
	stats.Fill(r)
	if err := report.WriteDir(dir, r); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(dir, "profiles")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(sub, "zmy.heap.pb.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := pprof.Lookup("goroutine").WriteTo(f, 0); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"profiles/broken.pprof": "no profile", ".secret": "x", "notes.txt": "x",
		"a&b.trace": "no trace", "-x.pprof": "no profile"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func serve(t *testing.T, dir string) (*Server, *httptest.Server) {
	t.Helper()
	s, err := New(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(func() { h.Close(); s.Close() })
	return s, h
}

func get(t *testing.T, url, host, site string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	if site != "" {
		req.Header.Set("Sec-Fetch-Site", site)
	}
	res, err := http.DefaultTransport.RoundTrip(req) // redirects are an answer
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if to := res.Header.Get("Location"); to != "" {
		return res.StatusCode, to
	}
	return res.StatusCode, string(body)
}

func TestServe(t *testing.T) {
	_, h := serve(t, folder(t))
	for _, c := range []struct {
		path, host, site string
		code             int
		want             string
	}{
		{"/", "", "", 200, `<a href="/profile/profiles/zmy.heap.pb.gz"`},
		{"/", "", "", 200, `href="/profile/a&amp;b.trace"`},
		{"/run.json", "", "", 200, `"schema"`},
		{"/bench.txt", "localhost:1", "", 200, "BenchmarkLab"},
		{"/", "[::1]:80", "", 200, "order.Order"},
		{"/", "evil.example", "", 403, "this machine only"},
		{"/run.json", "", "cross-site", 403, "this machine only"},
		{"/", "", "cross-site", 200, "order.Order"},
		{"/report.md", "", "", 200, "zmy lab"},
		{"/.secret", "", "", 404, ""},
		{"/notes.txt", "", "", 404, ""},
		{"/profiles/zmy.heap.pb.gz", "", "", 404, ""},
		{"/profiles/", "", "", 404, ""},
		{"/%2e%2e/view.go", "", "", 404, ""},
		{"/profile/run.json", "", "", 404, ""},
		{"/profile/..%2f..%2fetc/passwd.pprof", "", "", 404, ""},
		{"/profile/none.pprof", "", "", 404, ""},
	} {
		code, body := get(t, h.URL+c.path, c.host, c.site)
		if code != c.code || !strings.Contains(body, c.want) {
			t.Errorf("GET %s (host %q, site %q): %d, want %d with %q", c.path, c.host, c.site, code, c.code, c.want)
		}
	}
}

// TestProfileOpens: pprof is started on the loopback once, answers, and is gone after Close.
func TestProfileOpens(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs go tool pprof")
	}
	for _, tool := range []string{"pprof", "trace"} { // built on first use, which is not what is tried here
		if out, err := exec.Command("go", "tool", "-n", tool).CombinedOutput(); err != nil {
			t.Fatalf("go tool -n %s: %v\n%s", tool, err, out)
		}
	}
	s, err := New(t.Context(), folder(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := httptest.NewServer(s)
	defer h.Close()
	code, url := get(t, h.URL+"/profile/profiles/zmy.heap.pb.gz", "", "")
	if code != http.StatusSeeOther || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("%d %s", code, url)
	}
	if _, again := get(t, h.URL+"/profile/profiles/zmy.heap.pb.gz", "", ""); again != url {
		t.Errorf("a second viewer of one profile: %s and %s", url, again)
	}
	if code, body := get(t, url, "", ""); code != 200 || !strings.Contains(body, "goroutine") {
		t.Errorf("pprof answers %d", code)
	}
	if code, body := get(t, h.URL+"/profile/profiles/broken.pprof", "", ""); code != http.StatusBadGateway ||
		!strings.Contains(body, "go tool pprof ended on profiles/broken.pprof") {
		t.Errorf("a broken profile: %d %s", code, body)
	}
	if code, body := get(t, h.URL+"/profile/-x.pprof", "", ""); code != http.StatusBadGateway || !strings.Contains(body, "/-x.pprof: ") {
		t.Errorf("a profile named like a flag: %d %s", code, body)
	}
	if code, body := get(t, h.URL+"/profile/a&b.trace", "", ""); code != http.StatusBadGateway ||
		!strings.Contains(body, "go tool trace ended on a&b.trace") {
		t.Errorf("a broken trace: %d %s", code, body)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	at := strings.Split(strings.TrimPrefix(url, "http://"), "/")[0]
	patience.Until(t, 2*time.Second, "pprof to end after Close", func() bool {
		c, err := net.Dial("tcp", at)
		if err == nil {
			c.Close()
		}
		return err != nil
	})
}

func TestNotAReport(t *testing.T) {
	if _, err := New(context.Background(), filepath.Join(t.TempDir(), "none")); err == nil ||
		!strings.Contains(err.Error(), "there is no such folder") {
		t.Error(err)
	}
	if _, err := New(context.Background(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no index.html") {
		t.Error(err)
	}
}

func TestListen(t *testing.T) {
	l, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		t.Errorf("listens on %v", l.Addr())
	}
}

// TestTakenPort: another program that answers at a viewer's port is not the viewer.
func TestTakenPort(t *testing.T) {
	l, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	x := &tool{url: "http://" + l.Addr().String() + "/", gone: make(chan struct{}), out: &said{}}
	fmt.Fprintln(x.out, "failed to parse trace")
	close(x.gone)
	if err := x.wait(t.Context(), "a.trace"); err == nil || !strings.Contains(err.Error(), "failed to parse trace") {
		t.Errorf("%v", err)
	}
}
