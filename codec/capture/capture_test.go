package capture_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/capture"
	"github.com/zmylab/zmy/codec/capture/fit"
)

type purchase struct {
	ID    string   `json:"id"`
	Items []string `json:"items"`
	Total float64  `json:"total"`
}

var sample = purchase{ID: "secret-4711-abcdef", Items: []string{"a", "b"}, Total: 12.5}

func documents(f *fit.Fit, name string) uint64 {
	if s := f.Subject(name); s != nil {
		return s.Documents
	}
	return 0
}

// An observer learns what was marshalled, and what was unmarshalled without an error.
func TestObserver(t *testing.T) {
	c := capture.New(capture.Options{Rate: 1})
	o := codec.Observe(codec.StdJSON{}, c)
	for range 3 {
		if _, err := o.Marshal(&sample); err != nil {
			t.Fatal(err)
		}
	}
	var into purchase
	if err := o.Unmarshal([]byte(`{"id":"x"}`), &into); err != nil {
		t.Fatal(err)
	}
	if err := o.Unmarshal([]byte(`{"id":`), &into); err == nil {
		t.Fatal("no error")
	}
	name := c.Fit().Subjects[0].Name
	if !strings.HasSuffix(name, "capture_test.purchase") || documents(c.Fit(), name) != 4 {
		t.Errorf("%d documents of %s", documents(c.Fit(), name), name)
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil || strings.Contains(b.String(), "secret") || !strings.Contains(b.String(), `"name": "items"`) {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestRate(t *testing.T) {
	for _, seed := range []uint64{0, 7} {
		c := capture.New(capture.Options{Rate: 0.1, Seed: seed})
		for range 20_000 {
			c.Value(&sample)
		}
		if n := c.Fit().Documents(); n < 1800 || n > 2200 {
			t.Errorf("seed %d: %d of 20,000 values at a rate of 10%%", seed, n)
		}
	}
	a, b := capture.New(capture.Options{Rate: 0.5, Seed: 3}), capture.New(capture.Options{Rate: 0.5, Seed: 3})
	for i := range 100 {
		a.Value(i)
		b.Value(i)
	}
	if x, y := write(t, a), write(t, b); x != y {
		t.Error("one seed, two choices")
	}
}

func write(t *testing.T, c *capture.Capture) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A value that is not chosen allocates nothing.
func TestNotChosenDoesNotAllocate(t *testing.T) {
	c := capture.New(capture.Options{Rate: 1e-12})
	next := c.Bodies(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), capture.Types{})
	r := httptest.NewRequest("POST", "/", strings.NewReader("{}"))
	w := httptest.NewRecorder()
	e := codec.NewEvent("json", codec.OpMarshal, &sample)
	text := []byte(`{"id":"x"}`)
	for name, f := range map[string]func(){
		"value": func() { c.Value(&sample) }, "json": func() { c.JSON("x", text, nil) },
		"observer": func() { c.End(c.Begin(context.Background(), e), e) }, "bodies": func() { next.ServeHTTP(w, r) },
	} {
		if n := testing.AllocsPerRun(100, f); n > 0 {
			t.Errorf("%s: %.0f allocations", name, n)
		}
	}
}

// Bodies of requests and answers are learned by type, or under the route's pattern without keys.
func TestBodies(t *testing.T) {
	c := capture.New(capture.Options{Rate: 1})
	mux := http.NewServeMux()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		if r.URL.Query().Has("flush") {
			w.(http.Flusher).Flush()
		}
		if r.URL.Query().Has("fail") {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = w.Write(in)
	})
	mux.Handle("POST /orders/{id}", c.Bodies(handler, capture.TypesOf[purchase, purchase]()))
	mux.Handle("POST /plain/{id}", c.Bodies(handler, capture.Types{}))
	mux.Handle("POST /unnamed", c.Bodies(handler, capture.TypesOf[struct{ A int }, []*struct{ A int }]()))
	server := httptest.NewServer(mux)
	defer server.Close()
	post := func(path, media, body string) {
		t.Helper()
		r, err := http.Post(server.URL+path, media, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if string(got) != body {
			t.Errorf("%s: the answer was %.100q", path, got)
		}
	}
	doc, _ := json.Marshal(sample)
	post("/orders/secret-in-path?flush", "application/json", string(doc))
	post("/orders/2?fail", "application/problem+json; charset=utf-8", string(doc))
	post("/plain/secret-in-path", "application/json", `{"secret-key":{"secret-id":1}}`)
	post("/plain/3", "text/plain", string(doc))
	post("/unnamed", "application/json", `{"A":1}`)
	post("/plain/4", "application/json", `{"not`)
	post("/plain/5", "application/json", `"`+strings.Repeat("x", 2<<20)+`"`)
	f := c.Fit()
	got := map[string]uint64{}
	for _, s := range f.Subjects {
		got[s.Name[strings.LastIndexByte(s.Name, '.')+1:]] = s.Documents
	}
	want := map[string]uint64{"purchase": 3, "POST /plain/{id} request": 1, "POST /plain/{id} response": 1,
		"POST /unnamed request": 1, "POST /unnamed response": 1}
	if len(got) != len(want) || f.Skipped.Failed != 2 {
		t.Errorf("%v, want %v; skipped %+v", got, want, f.Skipped)
	}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%d documents of %s, want %d", got[name], name, n)
		}
	}
	if text := write(t, c); strings.Contains(text, "secret") {
		t.Errorf("the file holds a secret: %s", text)
	}
}

func TestHandler(t *testing.T) {
	c := capture.New(capture.Options{Rate: 1})
	c.Value(&sample)
	w := httptest.NewRecorder()
	c.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/debug/zmy/fit", nil))
	if f, err := fit.Parse(w.Body.Bytes()); err != nil || f.Documents() != 1 || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%v %v", err, w.Header())
	}
	w = httptest.NewRecorder()
	c.Handler().ServeHTTP(w, httptest.NewRequest("POST", "/debug/zmy/fit", nil))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") == "" {
		t.Errorf("POST is answered %d", w.Code)
	}
}

func TestWriteEvery(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fit.json")
	c := capture.New(capture.Options{Rate: 1})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- c.WriteEvery(ctx, name, time.Millisecond) }()
	for {
		if f, err := fit.ReadFile(name); err == nil && f.Format == fit.Format {
			break
		} else if err != nil && !os.IsNotExist(err) {
			t.Fatal(err) // a file that was not complete
		}
	}
	c.Value(&sample)
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if f, err := fit.ReadFile(name); err != nil || f.Documents() != 1 {
		t.Errorf("the last file holds %v, %v", f, err)
	}
}

// bad panics when it is asked for its text.
type bad struct{}

func (bad) MarshalText() ([]byte, error) { panic("secret") }

// Many goroutines teach at once, a method panics, and others read.
func TestConcurrent(t *testing.T) {
	c := capture.New(capture.Options{Rate: 1})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				c.Value(&sample)
				c.Value([]any{bad{}})
				c.JSON("x", []byte(`[1]`), nil)
				_ = c.Fit()
			}
		})
	}
	wg.Wait()
	f := c.Fit()
	if f.Documents() != 8*50*3 || f.Skipped.Failed != 8*50 {
		t.Errorf("%d documents, skipped %+v", f.Documents(), f.Skipped)
	}
	busy := capture.New(capture.Options{Rate: 0.999})
	for range 8 {
		wg.Go(func() {
			for range 500 {
				busy.Value(&sample)
			}
		})
	}
	wg.Wait()
	if f := busy.Fit(); f.Documents()+f.Skipped.Busy < 3900 {
		t.Errorf("%d learned and %d dropped of 4,000", f.Documents(), f.Skipped.Busy)
	}
}

// A method that is no method of HTTP is the client's text.
func TestMethodIsContent(t *testing.T) {
	c := capture.New(capture.Options{Rate: 1})
	h := c.Bodies(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }), capture.Types{})
	for _, method := range []string{"SECRET-1", "SECRET-2", "POST"} {
		r := httptest.NewRequest(method, "/", strings.NewReader("{}"))
		r.Header.Set("Content-Type", "application/json")
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	f := c.Fit()
	if strings.Contains(write(t, c), "SECRET") || documents(f, "other request") != 2 || documents(f, "POST request") != 1 {
		t.Errorf("learned %s", write(t, c))
	}
}

// nests marshals itself by a codec that is observed.
type nests struct{ c codec.Codec }

func (n nests) MarshalJSON() ([]byte, error) { return n.c.Marshal(&sample) }

// A value whose method marshals by an observed codec does not wait for itself.
func TestNested(t *testing.T) {
	for _, rate := range []float64{1, 0.999999} {
		c := capture.New(capture.Options{Rate: rate})
		done := make(chan struct{})
		go func() { c.Value([]any{[]any{nests{codec.Observe(codec.StdJSON{}, c)}}}); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("rate %g: a value waits for itself", rate)
		}
		if f := c.Fit(); f.Documents() != 1 || f.Skipped.Busy != 1 {
			t.Errorf("rate %g: %d documents, skipped %+v", rate, f.Documents(), f.Skipped)
		}
	}
}

// A goroutine that the handler has started reads the body while the exchange ends, as the
// transport of a proxy does.
func TestBodyIsReadLater(t *testing.T) {
	c := capture.New(capture.Options{Rate: 1})
	var wg sync.WaitGroup
	h := c.Bodies(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		wg.Go(func() { _, _ = io.Copy(io.Discard, r.Body) })
	}), capture.Types{})
	for range 50 {
		r := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader(`{"a":`), strings.NewReader(`1}`)))
		r.Header.Set("Content-Type", "application/json")
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	wg.Wait()
	if f := c.Fit(); f.Documents()+f.Skipped.Failed > 50 {
		t.Errorf("%d documents, skipped %+v", f.Documents(), f.Skipped)
	}
}
