package release

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/sse"
)

// npm: npm publish to a registry, and programs for a browser and for Node that install the package from
// it and follow a server.
func (p *packages) npm(t *testing.T) {
	need(t, "node", "npm")
	dir, registry := t.TempDir(), newNpm(t)
	token := filepath.Join(t.TempDir(), "npmrc")
	write(t, token, strings.TrimPrefix(registry, "http:")+"/:_authToken=none\n")
	p.run(t, p.clone, append(command(t, "npm publish"), "--silent", "--registry", registry, "--userconfig", token)...)
	if err := os.CopyFS(dir, os.DirFS("testdata/web")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "page.ts"), snippet(t, "sse.md", "ts", `"@zmylab/web"`))
	write(t, filepath.Join(dir, ".npmrc"), "@zmylab:registry="+registry+"\n")
	quiet := []string{"--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"}
	p.run(t, dir, append([]string{"npm", "install"}, quiet...)...)
	if page := text(t, "../../docs/guide/sse.md"); !strings.Contains(page, "`npm install @zmylab/web`") {
		t.Error("docs/guide/sse.md does not say how the package is installed")
	}
	p.run(t, dir, append([]string{"npm", "install", "@zmylab/web"}, quiet...)...)
	if about := text(t, filepath.Join(dir, "package.json")); !strings.Contains(about, `"@zmylab/web": "^0.1.0"`) {
		t.Errorf("npm install has written %s", about)
	}
	p.run(t, dir, "node", "exports.mjs")
	p.run(t, dir, "node_modules/.bin/tsc", "-p", "tsconfig.page.json")
	p.run(t, dir, "node_modules/.bin/tsc", "-p", "tsconfig.node.json")
	bundle := []string{"node_modules/.bin/esbuild", "--bundle", "--format=esm", "--log-level=warning"}
	p.run(t, dir, append(bundle, "page.ts", "--outfile=page.js")...)
	p.run(t, dir, append(bundle, "node.ts", "--outfile=node.mjs", "--platform=node")...)

	t.Run("node", func(t *testing.T) {
		s := newShop(t, dir)
		message, err := zmy.Marshal(&line{"A-0", 0.5})
		if err != nil {
			t.Fatal(err)
		}
		out := p.run(t, dir, "node", "node.mjs", s.URL, base64.StdEncoding.EncodeToString(message))
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if lines[0] != `{"ID":"A-0","Total":0.5}` {
			t.Errorf("the message was read as %s", lines[0])
		}
		s.check(t, lines[1:])
	})
	t.Run("browser", func(t *testing.T) {
		need(t, "chromium")
		s, profile := newShop(t, dir), newProfile(t)
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
		cmd := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
			"--disable-sync", "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0",
			"--user-data-dir="+profile, s.URL+"/")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer stop()
		select {
		case lines := <-s.shown:
			s.check(t, lines)
		case <-ctx.Done():
			t.Fatalf("the page has shown fewer than ten orders within 2 minutes, on %d streams", s.streams.Load())
		}
	})
}

// newProfile returns a folder for Chromium, whose children write there for a moment after it has ended.
func newProfile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "zmy-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 50 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Errorf("%s could not be removed", dir)
	})
	return dir
}

// line is the Order of docs/guide/sse.md.
type line struct {
	ID    string  `zmy:"0"`
	Total float64 `zmy:"1"`
}

// shop is a server that publishes an order every 50 ms and ends every stream after 200 ms, so that a
// client has to come back for ten of them.
type shop struct {
	*httptest.Server
	shown   chan []string
	streams atomic.Int32
}

func newShop(t *testing.T, dir string) *shop {
	hub, err := sse.Open(t.Context(), nil, sse.WithRetry(30*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{shown: make(chan []string, 1)}
	mux := http.NewServeMux()
	for path, name := range map[string]string{"/{$}": "page.html", "/page.js": "page.js"} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(dir, name)) })
	}
	mux.HandleFunc("GET /native", func(w http.ResponseWriter, r *http.Request) {
		s.streams.Add(1)
		ctx, cut := context.WithTimeout(r.Context(), 200*time.Millisecond)
		defer cut()
		_ = hub.Serve(w, r.WithContext(ctx), "native")
	})
	mux.HandleFunc("POST /shown", func(w http.ResponseWriter, r *http.Request) {
		var lines []string
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &lines)
		}
		if err != nil {
			t.Error(err)
		}
		s.shown <- lines
	})
	s.Server = httptest.NewServer(mux)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for n := 1; ctx.Err() == nil; n++ {
			o := line{fmt.Sprintf("A-%d", n), float64(n) / 2}
			if _, err := hub.PublishValue(ctx, "native", sse.Message{Type: "order"}, codec.ZMY{}, &o); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		_ = hub.Close()
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// check checks ten lines of a client: consecutive orders, over more than one stream.
func (s *shop) check(t *testing.T, lines []string) {
	t.Helper()
	var first int
	if _, err := fmt.Sscanf(strings.Join(lines, "\n"), "A-%d", &first); err != nil {
		t.Fatalf("the client has shown %q: %v", lines, err)
	}
	var want []string
	for n := first; n < first+10; n++ {
		want = append(want, fmt.Sprintf("A-%d %g", n, float64(n)/2))
	}
	if !slices.Equal(lines, want) {
		t.Errorf("the client has shown %q, want %q", lines, want)
	}
	if n := s.streams.Load(); n < 2 {
		t.Errorf("%d streams; the client had to come back", n)
	}
}

// newNpm starts a registry for npm: the part that npm publish and npm install use
// (https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md).
func newNpm(t *testing.T) (url string) {
	var mu sync.Mutex
	files := map[string][]byte{} // by the path in the registry: descriptions of packages, and archives
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodPut {
			published, err := npmFiles(r.Body)
			if err != nil {
				t.Error(err)
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			maps.Copy(files, published)
			_, _ = io.WriteString(w, "{}")
			return
		}
		data, ok := files[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.Error(w, "{}", http.StatusNotFound)
			return
		}
		_, _ = w.Write(data)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// npmFiles returns the files of the registry that a request to publish makes. Its body is the description
// of the package and, among it, the archive.
func npmFiles(body io.Reader) (map[string][]byte, error) {
	var about map[string]any
	if err := json.NewDecoder(body).Decode(&about); err != nil {
		return nil, err
	}
	name, _ := about["name"].(string)
	archives, _ := about["_attachments"].(map[string]any)
	if name == "" || len(archives) != 1 || about["access"] != "public" {
		return nil, fmt.Errorf("package %q with %d archives and access %v; want one, public", name, len(archives), about["access"])
	}
	delete(about, "_attachments")
	files := map[string][]byte{}
	for file, archive := range archives {
		text, _ := archive.(map[string]any)["data"].(string)
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, err
		}
		files[name+"/-/"+file] = data
	}
	description, err := json.Marshal(about)
	files[name] = description
	return files, err
}
