package nano_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

// ask and answer are what the handlers of these tests take and give.
type ask struct {
	Name  string `json:"name" zmy:"0"`
	Count int    `json:"count" zmy:"1"`
}

type answer struct {
	Text string `json:"text" zmy:"0"`
	N    int    `json:"n" zmy:"1"`
}

func registry() *codec.Registry {
	return codec.NewRegistry(codec.FXJSON{}, codec.ZMY{}, codec.Gob{})
}

func greet(_ context.Context, in ask) (answer, error) {
	return answer{"hello " + in.Name, in.Count}, nil
}

// quiet logs nothing.
func quiet() nano.Option { return nano.WithLogger(slog.New(slog.DiscardHandler)) }

// request makes a request; fields are name, value, name, value …
func request(t testing.TB, method, url string, body io.Reader, fields ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	return r
}

// do serves one request without a network.
func do(t testing.TB, h http.Handler, method, target, body string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	var b io.Reader = http.NoBody
	if body != "" {
		b = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(t.Context(), method, target, b)
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func problem(t testing.TB, w *httptest.ResponseRecorder) (p nano.Problem) {
	t.Helper()
	if ct := w.Header().Get("Content-Type"); ct != nano.ProblemType {
		t.Fatalf("an error is sent as %q", ct)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%q: %v", w.Body, err)
	}
	if p.Status != w.Code || p.Title == "" {
		t.Errorf("status %d, in the document %d %q", w.Code, p.Status, p.Title)
	}
	return p
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestCodecs(t *testing.T) {
	reg := registry()
	h := nano.Handle(reg, greet, quiet())
	in, want := ask{"Ada", 3}, answer{"hello Ada", 3}
	for _, from := range reg.Names() {
		for _, to := range reg.Names() {
			t.Run(from+" to "+to, func(t *testing.T) {
				sent, reply := must(reg.Lookup(from)), must(reg.Lookup(to))
				w := do(t, h, "POST", "/", string(must(sent.Marshal(in))), "Content-Type", codec.MediaType(sent),
					"Accept", codec.MediaType(reply))
				if w.Code != http.StatusOK {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
				var got answer
				if err := reply.Unmarshal(w.Body.Bytes(), &got); err != nil || got != want {
					t.Errorf("%+v, %v", got, err)
				}
				if h := w.Header(); h.Get("Content-Type") != codec.MediaType(reply) || h.Get("Vary") != "Accept" || len(h["Vary"]) != 1 {
					t.Errorf("header %v", h)
				}
			})
		}
	}
}

// TestPointers: In and Out may be pointers.
func TestPointers(t *testing.T) {
	h := nano.Handle(registry(), func(_ context.Context, in *ask) (*answer, error) { return &answer{in.Name, in.Count}, nil }, quiet())
	for _, c := range []codec.Codec{codec.FXJSON{}, codec.ZMY{}} {
		m := codec.MediaType(c)
		w := do(t, h, "POST", "/", string(must(c.Marshal(ask{"Ada", 3}))), "Content-Type", m, "Accept", m)
		var got answer
		if err := c.Unmarshal(w.Body.Bytes(), &got); err != nil || got != (answer{"Ada", 3}) {
			t.Errorf("%d %s %v", w.Code, w.Body, err)
		}
	}
	if w := do(t, h, "POST", "/", ""); w.Code != 400 {
		t.Errorf("no body: %d", w.Code)
	}
	if w := do(t, h, "GET", "/", ""); w.Code != 200 {
		t.Errorf("no body, no need: %d", w.Code)
	}
	bound := nano.Handle(registry(), func(_ context.Context, in *listing) (int, error) { return in.Limit, nil }, quiet())
	if w := do(t, bound, "GET", "/", ""); w.Body.String() != "10" {
		t.Errorf("Bind: %d %s", w.Code, w.Body)
	}
}

func TestVary(t *testing.T) {
	for _, c := range []struct{ before, after []string }{
		{nil, []string{"Accept"}},
		{[]string{"Origin"}, []string{"Origin", "Accept"}},
		{[]string{"Origin, accept"}, []string{"Origin, accept"}},
		{[]string{"Accept-Encoding"}, []string{"Accept-Encoding", "Accept"}},
		{[]string{"*"}, []string{"*"}},
	} {
		for _, accept := range []string{"", "application/json", "text/html"} {
			r := httptest.NewRequest("GET", "/", nil)
			if accept != "" {
				r.Header.Set("Accept", accept)
			}
			w := httptest.NewRecorder()
			w.Header()["Vary"] = slices.Clone(c.before)
			nano.Handle(registry(), greet).ServeHTTP(w, r)
			if got := w.Header()["Vary"]; !slices.Equal(got, c.after) {
				t.Errorf("Accept %q: Vary %q becomes %q, want %q", accept, c.before, got, c.after)
			}
		}
	}
}

func TestStatusAndHeader(t *testing.T) {
	created := nano.Handle(registry(), func(ctx context.Context, in ask) (*answer, error) {
		x := nano.FromContext(ctx)
		x.Header().Set("Location", "/"+in.Name)
		x.SetStatus(http.StatusCreated)
		return &answer{in.Name, 1}, nil
	})
	w := do(t, created, "POST", "/", `{"name":"x"}`, "Content-Type", "application/json")
	if w.Code != http.StatusCreated || w.Header().Get("Location") != "/x" || w.Body.String() != `{"text":"x","n":1}` {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	deleted := nano.Handle(registry(), func(context.Context, nano.Empty) (nano.Empty, error) { return nano.Empty{}, nil })
	w = do(t, deleted, "DELETE", "/", "", "Accept", "text/html")
	if w.Code != http.StatusNoContent || w.Body.Len() > 0 || w.Header().Get("Content-Type") != "" {
		t.Errorf("%d %v %q", w.Code, w.Header(), w.Body)
	}
}

func TestHandlerErrors(t *testing.T) {
	secret := errors.New("password of the database")
	for _, c := range []struct {
		name   string
		err    error
		status int
		detail string
	}{
		{"problem", nano.Problemf(http.StatusNotFound, "no order %d", 7), 404, "no order 7"},
		{"wrapped", errors.Join(secret, nano.Problemf(http.StatusConflict, "changed")), 409, "changed"},
		{"other", secret, 500, ""},
		{"deadline", context.DeadlineExceeded, 504, "the deadline of the request has passed"},
		{"no status", &nano.Problem{Status: 200, Detail: "?"}, 500, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := nano.Handle(registry(), func(context.Context, nano.Empty) (answer, error) { return answer{}, c.err }, quiet())
			const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
			w := do(t, h, "GET", "/", "", "Traceparent", "00-"+trace+"-00f067aa0ba902b7-01", "Accept", "application/vnd.zmy")
			p := problem(t, w)
			if w.Code != c.status || p.Detail != c.detail || strings.Contains(w.Body.String(), "password") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if want := c.status >= 500; (p.TraceID == trace) != want {
				t.Errorf("trace %q", p.TraceID)
			}
		})
	}
}

// TestProblemHeader: a problem has no fields that describe the answer which the function began.
func TestProblemHeader(t *testing.T) {
	about := map[string]string{
		"Age": "7", "Cache-Control": "max-age=9", "CDN-Cache-Control": "max-age=9", "Content-Digest": "sha-256=:x:",
		"Content-Disposition": "attachment",
		"Content-Encoding":    "gzip", "Content-Language": "de", "Content-Length": "9999", "Content-Location": "/x",
		"Content-Range": "bytes 0-1/2",
		"ETag":          `"x"`, "Expires": "Thu, 01 Dec 1994 16:00:00 GMT", "Last-Modified": "Thu, 01 Dec 1994 16:00:00 GMT",
		"Repr-Digest": "sha-256=:x:", "Surrogate-Control": "max-age=9",
	}
	for name, want := range map[string]struct {
		err   error
		cache string
	}{
		"problem":       {nano.Problemf(404, ""), "no-store"},
		"error":         {errors.New("x"), "no-store"},
		"says for long": {&nano.Problem{Status: 410, Header: http.Header{"Cache-Control": {"max-age=60"}}}, "max-age=60"},
	} {
		h := nano.Handle(registry(), func(ctx context.Context, _ nano.Empty) (answer, error) {
			h := nano.FromContext(ctx).Header()
			for k, v := range about {
				h.Set(k, v)
			}
			h.Set("Set-Cookie", "a=b")
			return answer{}, want.err
		}, quiet())
		w := do(t, h, "GET", "/", "")
		problem(t, w)
		for k, v := range about {
			if got := w.Header().Get(k); got == v {
				t.Errorf("%s: %s: %s is still there", name, k, got)
			}
		}
		if got := w.Header(); got.Get("Cache-Control") != want.cache || got.Get("Set-Cookie") != "a=b" ||
			fmt.Sprint(got["Vary"]) != "[Accept]" || got.Get("Content-Length") != fmt.Sprint(w.Body.Len()) {
			t.Errorf("%s: %v", name, got)
		}
	}
	refused := nano.Handle(registry(), greet, quiet())
	w := httptest.NewRecorder()
	w.Header().Set("Content-Encoding", "gzip") // of middleware, which compresses
	refused.ServeHTTP(w, request(t, "GET", "/", nil, "Accept", "x/y"))
	if w.Code != 406 || w.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("%d %v: the encoding is that of middleware", w.Code, w.Header())
	}
}

// TestOneExchange: what answers an error belongs to the exchange in which it came up: same key,
// same trace.
func TestOneExchange(t *testing.T) {
	var keys int
	var trace string
	s := nano.NewService(registry(), quiet(), nano.WithKey(func(*http.Request) nano.Key { keys++; return nano.Key{} }))
	f := func(ctx context.Context, _ nano.Empty) (answer, error) {
		trace = nano.FromContext(ctx).TraceID()
		return answer{}, errors.New("x")
	}
	for name, h := range map[string]http.Handler{
		"Handle": nano.HandleBy(s, f),
		"HandleStream": nano.HandleStreamBy(s, func(ctx context.Context, in nano.Empty) iter.Seq2[answer, error] {
			return func(yield func(answer, error) bool) { yield(f(ctx, in)) }
		}),
		"Run, wrapped": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := nano.Run(s, w, r, f); err != nil {
				s.Fail(w, r, fmt.Errorf("a framework: %w", err))
			}
		}),
	} {
		keys = 0
		w := do(t, h, "GET", "/", "")
		if p := problem(t, w); w.Code != 500 || p.TraceID != trace || len(trace) != 32 || keys != 1 {
			t.Errorf("%s: %d, trace %q of the function's %q, %d keys", name, w.Code, p.TraceID, trace, keys)
		}
	}
}

func TestPanics(t *testing.T) {
	h := nano.Handle(registry(), func(context.Context, nano.Empty) (answer, error) { panic("secret") }, quiet())
	w := do(t, h, "GET", "/", "")
	if p := problem(t, w); w.Code != 500 || len(p.TraceID) != 32 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	abort := nano.Handle(registry(), func(context.Context, nano.Empty) (answer, error) { panic(http.ErrAbortHandler) }, quiet())
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("recovered %v, want http.ErrAbortHandler", p)
		}
	}()
	do(t, abort, "GET", "/", "")
	t.Error("the panic was swallowed")
}

// listing takes its query.
type listing struct {
	Tag   string `json:"tag"`
	Limit int    `json:"-"`
}

func (l *listing) Bind(r *http.Request) error {
	switch q := r.URL.Query().Get("limit"); q {
	case "":
		l.Limit = 10
	case "5":
		l.Limit = 5
	case "teapot":
		return nano.Problemf(http.StatusTeapot, "short and stout")
	default:
		return errors.New("internal: " + q)
	}
	l.Tag += r.PathValue("tag")
	return nil
}

func TestBind(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/tags/{tag}", nano.Handle(registry(), func(_ context.Context, in listing) (answer, error) {
		return answer{in.Tag, in.Limit}, nil
	}))
	for _, c := range []struct {
		method, target, body string
		status               int
		want                 string
	}{
		{"GET", "/tags/a", "", 200, `{"text":"a","n":10}`},
		{"GET", "/tags/a?limit=5", "", 200, `{"text":"a","n":5}`},
		{"POST", "/tags/a", `{"tag":"b-"}`, 200, `{"text":"b-a","n":10}`},
		{"POST", "/tags/a", "", 200, `{"text":"a","n":10}`},
		{"GET", "/tags/a?limit=x", "", 400, ""},
		{"GET", "/tags/a?limit=teapot", "", 418, ""},
	} {
		w := do(t, mux, c.method, c.target, c.body, "Content-Type", "application/json")
		if w.Code != c.status || c.want != "" && w.Body.String() != c.want || strings.Contains(w.Body.String(), "internal") {
			t.Errorf("%s %s: %d %s", c.method, c.target, w.Code, w.Body)
		}
	}
}
