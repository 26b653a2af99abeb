// Package httpfile serves files of ZMY messages over HTTP without reading them:
// where the kernel can send a file by itself (sendfile), the bytes never enter
// the program: a request for 8 MiB takes 10 KB of memory, against 8.4 MB by
// os.ReadFile (BenchmarkServe). Ranges and conditional requests are answered.
package httpfile

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
)

// MediaType of bare messages.
const MediaType = "application/vnd.zmy"

// Serve answers with the contents of f, which must be a regular file that was
// opened for reading. It moves the offset of f, so requests must not share one.
// The connection must be plain for sendfile; under TLS bytes are copied.
func Serve(w http.ResponseWriter, r *http.Request, f *os.File) error {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		return fmt.Errorf("httpfile: %s: %w", f.Name(), err)
	}
	h := w.Header()
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", MediaType) // known, or 512 bytes would be read to guess
	}
	if h.Get("Etag") == "" {
		h.Set("Etag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	}
	http.ServeContent(w, r, "", info.ModTime(), f)
	return nil
}

// Handler serves one file by name, opened anew for each request, so that a file
// renamed into its place is served from then on.
func Handler(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			http.NotFound(w, r)
			return
		}
		if err == nil {
			err = Serve(w, r, f)
			_ = f.Close() // it was only read
		}
		if err != nil { // nothing has been written; the reason is the server's own business
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		}
	})
}
