package capture

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"sync"
)

// Handler serves what was learned so far as fit.json. Serve it where only you can reach it, like
// net/http/pprof: it tells the names and sizes of your program's types.
func (c *Capture) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "capture: the fit is only read: use GET", http.StatusMethodNotAllowed)
			return
		}
		text, err := c.Fit().Marshal()
		if err != nil {
			http.Error(w, "capture: "+err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Disposition", `attachment; filename="fit.json"`)
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(text) // the client has gone
	})
}

// Types names the Go types of a handler's JSON bodies. Without a type, the keys of a body are
// content. The subject is then the route's pattern, as it is for a struct type without a name.
type Types struct{ Request, Response reflect.Type }

// TypesOf returns the types of a handler that reads In and answers Out.
func TypesOf[In, Out any]() Types { return Types{reflect.TypeFor[In](), reflect.TypeFor[Out]()} }

// Bodies returns a handler that calls next, and looks at the JSON bodies of the requests that are
// chosen and of the answers to them with status 2xx. Bodies that are encoded (gzip), that are larger
// than 1 MiB, or that the handler does not read to their end are not learned.
func (c *Capture) Bodies(next http.Handler, t Types) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := c.Exchange(r, t)
		if x == nil {
			next.ServeHTTP(w, r)
			return
		}
		rec := &recorder{ResponseWriter: w, x: x, status: http.StatusOK}
		if f, ok := w.(http.Flusher); ok {
			next.ServeHTTP(flushing{rec, f}, r)
		} else {
			next.ServeHTTP(rec, r)
		}
		x.Done(r.Pattern, rec.status, w.Header())
	})
}

// Exchange is one request and its answer, while their bodies are recorded. It is for middleware of
// frameworks; programs on net/http use [Capture.Bodies]. It is not safe for concurrent use.
type Exchange struct {
	c        *Capture
	types    Types
	method   string
	request  record
	response record
	json     bool // the request has a JSON body
}

// largest is the size of the largest body that is learned, in bytes.
const largest = 1 << 20

// record keeps a body. A goroutine of the handler may read the body after the handler has returned,
// as http.Transport does for a proxy.
type record struct {
	mu   sync.Mutex
	body bytes.Buffer
	over bool // the body is larger, or the exchange has ended
}

func (b *record) keep(p []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.body.Len()+len(p) > largest {
		b.over = true
		b.body.Reset()
	}
	if !b.over {
		b.body.Write(p)
	}
}

// end returns the body, which no longer changes.
func (b *record) end() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	return b.body.Bytes()
}

// Exchange decides whether a request is looked at, and returns nil if not. Otherwise it replaces the
// request's body by one that is recorded. Pass what is answered to Write, and call Done at the end.
func (c *Capture) Exchange(r *http.Request, t Types) *Exchange {
	if !c.chosen() || r.Header.Get("Upgrade") != "" {
		return nil
	}
	x := &Exchange{c: c, types: t, method: r.Method, json: isJSON(r.Header)}
	if x.json && r.Body != nil && r.Body != http.NoBody {
		r.Body = &reader{r.Body, &x.request}
	}
	return x
}

// Write records a part of the answer.
func (x *Exchange) Write(p []byte) { x.response.keep(p) }

// Done learns the bodies. pattern names the route, as the program declares it: never the URL, which
// is content.
func (x *Exchange) Done(pattern string, status int, answer http.Header) {
	if pattern == "" {
		pattern = known(x.method)
	}
	request, response := x.request.end(), x.response.end()
	if x.json && len(request) > 0 {
		x.learn(pattern+" request", x.types.Request, request)
	}
	if status/100 == 2 && isJSON(answer) && len(response) > 0 {
		x.learn(pattern+" response", x.types.Response, response)
	}
}

// known returns a method of HTTP. Any other word is the client's, and so content.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "other"
}

func (x *Exchange) learn(name string, t reflect.Type, body []byte) {
	if t != nil && named(t) {
		name = "" // the type names the subject
	}
	x.c.json(name, body, t)
}

// named reports whether a type, or that of its elements, is no struct without a name.
func named(t reflect.Type) bool {
	for range 64 { // a type may lead to itself
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
		}
	}
	return t.Name() != "" || t.Kind() != reflect.Struct
}

// isJSON reports whether a body is JSON that is not compressed.
func isJSON(h http.Header) bool {
	if enc := h.Get("Content-Encoding"); enc != "" && enc != "identity" {
		return false
	}
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// reader records what a handler reads.
type reader struct {
	io.ReadCloser
	to *record
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.to.keep(p[:n])
	return n, err
}

// recorder records what a handler writes.
type recorder struct {
	http.ResponseWriter
	x      *Exchange
	status int
	sent   bool
}

// Unwrap is for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *recorder) WriteHeader(status int) {
	if !w.sent && status >= 200 {
		w.status, w.sent = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	w.sent = true
	n, err := w.ResponseWriter.Write(p)
	w.x.Write(p[:n])
	return n, err
}

// flushing is a recorder whose writer can be flushed.
type flushing struct {
	*recorder
	flusher http.Flusher
}

func (w flushing) Flush() { w.sent = true; w.flusher.Flush() }
