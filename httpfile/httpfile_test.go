package httpfile_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/zmylab/zmy/httpfile"
)

func serve(t testing.TB, content []byte) (url, name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "m.zmy")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(httpfile.Handler(name))
	t.Cleanup(s.Close)
	return s.URL, name
}

func get(t testing.TB, method, url string, header ...string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}

func TestHandler(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789"), 100_000)
	url, name := serve(t, content)
	full, body := get(t, "GET", url)
	if full.StatusCode != 200 || !bytes.Equal(body, content) || full.Header.Get("Content-Type") != httpfile.MediaType ||
		full.ContentLength != 1_000_000 {
		t.Errorf("%s, %d bytes, %v", full.Status, len(body), full.Header)
	}
	etag := full.Header.Get("Etag")
	for _, c := range []struct {
		name, method string
		header       []string
		status       int
		body         string
	}{
		{"head", "HEAD", nil, 200, ""},
		{"range", "GET", []string{"Range", "bytes=999998-"}, 206, "89"},
		{"bad range", "GET", []string{"Range", "bytes=1000000-"}, 416, "invalid range: failed to overlap\n"},
		{"known", "GET", []string{"If-None-Match", etag}, 304, ""},
		{"range of what is gone", "GET", []string{"Range", "bytes=0-1", "If-Range", `"other"`}, 200, string(content)},
		{"post", "POST", nil, 405, "method not allowed\n"},
	} {
		if r, body := get(t, c.method, url, c.header...); r.StatusCode != c.status || string(body) != c.body {
			t.Errorf("%s: %s, %.40q", c.name, r.Status, body)
		}
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if r, _ := get(t, "GET", url); r.StatusCode != 404 {
		t.Error("gone:", r.Status)
	}
	if err := os.Mkdir(name, 0o700); err != nil {
		t.Fatal(err)
	}
	if r, body := get(t, "GET", url); r.StatusCode != 500 || bytes.Contains(body, []byte(name)) {
		t.Errorf("a folder: %s, %s", r.Status, body)
	}
}

// Against reading the file and writing it.
func BenchmarkServe(b *testing.B) {
	content := make([]byte, 8<<20)
	url, name := serve(b, content)
	copying := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		data, err := os.ReadFile(name)
		if err != nil {
			http.Error(w, err.Error(), 500)
			return
		}
		_, _ = w.Write(data) // the client counts
	}))
	defer copying.Close()
	buf := make([]byte, 1<<20)
	for _, c := range []struct{ name, url string }{{"sendfile", url}, {"read", copying.URL}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			b.ReportAllocs()
			for b.Loop() {
				resp, err := http.Get(c.url)
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, resp.Body, buf); err != nil || int(n) != len(content) {
					b.Fatal(n, err)
				}
				_ = resp.Body.Close() // read to its end
			}
		})
	}
}

func ExampleHandler() {
	dir, err := os.MkdirTemp("", "zmy")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "order.zmy")
	if err := os.WriteFile(name, []byte{0, 0, 0, 0}, 0o600); err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/orders/latest", httpfile.Handler(name))

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", "/orders/latest", nil))
	fmt.Println(w.Code, w.Header().Get("Content-Type"), w.Body.Len())
	// Output: 200 application/vnd.zmy 4
}
