package serve

import (
	"embed"
	"net/http"

	"github.com/zmylab/zmy/web"
)

// files has the page with its style and script, and the schema of orders: examples/order/zmy.lock.
//
//go:embed page.html page.css page.js order.lock
var files embed.FS

// policy is a Content-Security-Policy: the page may load only from this service, and run only
// scripts from its files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'"

func (s *Service) page(mux *http.ServeMux) {
	file := func(name, mediaType string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			data, err := files.ReadFile(name)
			if err != nil {
				http.NotFound(w, r)
				return
			}
			send(w, mediaType, data)
		}
	}
	mux.Handle("GET /{$}", file("page.html", "text/html; charset=utf-8"))
	mux.Handle("GET /page.css", file("page.css", "text/css; charset=utf-8"))
	mux.Handle("GET /page.js", file("page.js", "text/javascript; charset=utf-8"))
	mux.Handle("GET /order.lock", file("order.lock", "text/plain; charset=utf-8"))
	mux.Handle("GET /zmy-sse.js", web.Handler())
}

func send(w http.ResponseWriter, mediaType string, data []byte) {
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	_, _ = w.Write(data) // it fails only if the client has disconnected
}
