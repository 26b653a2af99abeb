// Package httpfile serves files of ZMY messages over HTTP without reading them into the program.
// Where the kernel can send a file by itself (sendfile), the bytes never enter the program's
// memory: a request for 8 MiB takes 10 KB of memory, one with os.ReadFile takes 8.4 MB
// (BenchmarkServe). Range and conditional requests are answered.
package httpfile

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
)

// MediaType is the media type of bare messages.
const MediaType = "application/vnd.zmy"

// Serve answers r with the contents of f, a regular file that is open for reading. It moves the
// offset of f, so concurrent requests must not share a file. sendfile needs a connection without
// TLS; under TLS the bytes are copied through the program. An error means that nothing was written.
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
		h.Set("Content-Type", MediaType) // without a type, net/http would read 512 bytes to guess one
	}
	if h.Get("Etag") == "" {
		h.Set("Etag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	}
	http.ServeContent(w, r, "", info.ModTime(), f)
	return nil
}

// Handler returns a handler that serves the file called name. It opens the file anew for each
// request, so a file renamed into its place is served from then on.
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
		if err != nil { // nothing has been written; clients are not told the reason
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		}
	})
}
