package nano_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

// count yields Count elements.
func count(_ context.Context, in ask) iter.Seq2[answer, error] {
	return func(yield func(answer, error) bool) {
		for i := 1; i <= in.Count; i++ {
			if !yield(answer{in.Name, i}, nil) {
				return
			}
		}
	}
}

func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// asks makes requests for count elements.
func asks(t testing.TB, url string, count int, fields ...string) func() (*http.Request, error) {
	return func() (*http.Request, error) {
		body := fmt.Sprintf(`{"name":"x","count":%d}`, count)
		return request(t, "POST", url, strings.NewReader(body), append([]string{"Content-Type", "application/json"}, fields...)...), nil
	}
}

// collect returns the numbers of all elements, 0 for a fault, and the error at the end.
func collect(seq iter.Seq2[answer, error]) (ns []int, err error) {
	for v, err := range seq {
		var fault *nano.FaultError
		switch {
		case errors.As(err, &fault):
			ns = append(ns, 0)
		case err != nil:
			return ns, err
		default:
			ns = append(ns, v.N)
		}
	}
	return ns, nil
}

func numbers(from, to int) (ns []int) {
	for i := from; i <= to; i++ {
		ns = append(ns, i)
	}
	return ns
}

var fast = nano.StreamOptions{Backoff: time.Millisecond}

func TestStreamCodecs(t *testing.T) {
	url := serve(t, nano.HandleStream(registry(), count, quiet()))
	for _, c := range []codec.Codec{codec.FXJSON{}, codec.ZMY{}, codec.Gob{}} {
		for _, n := range []int{0, 1, 100} {
			got, err := collect(nano.ReadStream[answer](codec.NewRegistry(c), asks(t, url, n), fast))
			if err != nil || !slices.Equal(got, numbers(1, n)) {
				t.Errorf("%s: %d of %d elements: %v", c.Name(), len(got), n, err)
			}
		}
	}
}

// TestStreamBytes: what the documentation prints.
func TestStreamBytes(t *testing.T) {
	boom := nano.Problemf(http.StatusConflict, "gone")
	h := nano.HandleStream(registry(), func(_ context.Context, in nano.Empty) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			_ = yield(answer{"a", 1}, nil) && yield(make(chan int), nil) && yield(answer{"b\n", 2}, nil) && yield(nil, boom)
		}
	}, quiet())
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	w := do(t, h, "GET", "/", "", "Traceparent", "00-"+trace+"-00f067aa0ba902b7-01")
	fault := `{"title":"Internal Server Error","status":500,"detail":"this element cannot be encoded","trace_id":"` + trace + `"}`
	want := `{"seq":1,"data":{"text":"a","n":1}}
{"seq":2,"fault":` + fault + `}
{"seq":3,"data":{"text":"b\n","n":2}}
{"seq":4,"end":"failed","problem":{"title":"Conflict","status":409,"detail":"gone"}}
`
	if w.Body.String() != want || w.Header().Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("%v\n%swant\n%s", w.Header(), w.Body, want)
	}
	w = do(t, nano.HandleStream(codec.NewRegistry(codec.ZMY{}), count), "POST", "/",
		string(must(codec.ZMY{}.Marshal(ask{"a", 1}))), "Content-Type", "application/vnd.zmy")
	element := must(codec.ZMY{}.Marshal(answer{"a", 1}))
	bin := append([]byte{byte(2 + len(element)), 1, 1}, element...)
	bin = append(bin, 2, 3, 2)
	if !bytes.Equal(w.Body.Bytes(), bin) || w.Header().Get("Content-Type") != "application/vnd.zmy-frames" {
		t.Errorf("%v\n%x want\n%x", w.Header(), w.Body, bin)
	}
}

func TestStreamBeforeFirstByte(t *testing.T) {
	fails := func(err error, v any) http.Handler {
		return nano.HandleStream(registry(), func(context.Context, nano.Empty) iter.Seq2[any, error] {
			return func(yield func(any, error) bool) { yield(v, err) }
		}, quiet(), nano.WithChecker(refuse{"bad"}))
	}
	for _, c := range []struct {
		name   string
		h      http.Handler
		accept string
		status int
	}{
		{"error", fails(nano.Problemf(http.StatusNotFound, "none"), nil), "", 404},
		{"cannot be encoded", fails(nil, make(chan int)), "", 500},
		{"violates the contract", fails(nil, "bad"), "", 406},
		{"not acceptable", fails(nil, "x"), "application/json", 406},
		{"fine", fails(nil, "x"), "application/*;q=0.1", 200},
	} {
		w := do(t, c.h, "GET", "/", "", "Accept", c.accept)
		if w.Code != c.status {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
		}
		if c.status != 200 {
			problem(t, w)
		}
	}
}

// refuse is a Checker that refuses bodies that contain it.
type refuse struct{ text string }

func (c refuse) Check(_ *http.Request, _ int, _ string, _ any, body []byte) error {
	if bytes.Contains(body, []byte(c.text)) {
		return errors.New("contains " + c.text)
	}
	return nil
}

// odd is answered in a safe form.
type odd struct{ V any }

func TestRecoveryAfterFirstByte(t *testing.T) {
	stream := func(vs ...any) func(context.Context, nano.Empty) iter.Seq2[any, error] {
		return func(context.Context, nano.Empty) iter.Seq2[any, error] {
			return func(yield func(any, error) bool) {
				for _, v := range vs {
					if v == "panic" {
						panic("secret")
					}
					if !yield(v, nil) {
						return
					}
				}
			}
		}
	}
	for _, c := range []struct {
		name string
		vs   []any
		want string // the lines without their problem documents
	}{
		{"safe form", []any{1, odd{func() {}}, 3}, `data data data complete`},
		{"fault", []any{1, make(chan int), 3}, `data fault data complete`},
		{"panic of the iterator", []any{1, "panic", 3}, `data failed`},
		{"panic of the encoder", []any{1, explosive{}, 3}, `data failed`},
		{"contract", []any{1, "bad", 3}, `data failed`},
		{"too large", []any{1, strings.Repeat("x", 1000), 3}, `data fault data complete`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := nano.HandleStream(registry(), stream(c.vs...), quiet(), nano.WithMaxFrame(500), nano.WithChecker(refuse{"bad"}),
				nano.WithSafeForm(func(v odd, _ error) odd { return odd{fmt.Sprintf("%T", v.V)} }))
			w := do(t, h, "GET", "/", "")
			var kinds []string
			for line := range strings.Lines(w.Body.String()) {
				for _, kind := range []string{`"data":`, `"fault":`, `"complete"`, `"failed"`} {
					if strings.Contains(line, kind) {
						kinds = append(kinds, strings.Trim(kind, `":`))
					}
				}
			}
			if got := strings.Join(kinds, " "); got != c.want || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("%s want %s\n%s", got, c.want, w.Body)
			}
		})
	}
}

// explosive panics half-way through its encoding.
type explosive struct{}

func (explosive) MarshalJSON() ([]byte, error) { panic("secret") }

var resumeKey = bytes.Repeat([]byte("k"), 32)

// cutter cuts each connection after so many bytes of it were written.
type cutter struct {
	net.Listener
	after func(conn int) int
	conns atomic.Int32
}

type cutConn struct {
	net.Conn
	left int
}

func (c *cutter) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &cutConn{conn, c.after(int(c.conns.Add(1)))}, nil
}

func (c *cutConn) Write(b []byte) (int, error) {
	if c.left >= len(b) {
		c.left -= len(b)
		return c.Conn.Write(b)
	}
	n, _ := c.Conn.Write(b[:c.left])
	c.left = 0
	_ = c.Conn.Close()
	return n, io.ErrClosedPipe
}

// serveCut serves h on connections that break.
func serveCut(t *testing.T, h http.Handler, after func(conn int) int) string {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Listener = &cutter{Listener: s.Listener, after: after}
	s.Config.ErrorLog = nil
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// TestResume: connections that break anywhere, in the header, between frames, within
// frames, lose and repeat nothing.
func TestResume(t *testing.T) {
	const n = 200
	for _, c := range []codec.Codec{codec.FXJSON{}, codec.ZMY{}} {
		for _, seeks := range []bool{false, true} {
			var starts []uint64
			h := nano.HandleStream(registry(), func(ctx context.Context, in ask) iter.Seq2[answer, error] {
				from := 0
				if seeks {
					from = int(nano.ResumeAt(ctx))
					starts = append(starts, uint64(from))
				}
				return func(yield func(answer, error) bool) {
					for i := from + 1; i <= in.Count; i++ {
						if !yield(answer{in.Name, i}, nil) {
							return
						}
					}
				}
			}, quiet(), nano.WithResume(resumeKey, func(context.Context, *http.Request) (string, error) { return "v1", nil }))
			url := serveCut(t, h, func(conn int) int { return 400 + 97*conn })
			got, err := collect(nano.ReadStream[answer](codec.NewRegistry(c), asks(t, url, n), fast))
			if err != nil || !slices.Equal(got, numbers(1, n)) {
				t.Errorf("%s, seeks %v: %d elements: %v", c.Name(), seeks, len(got), err)
			}
			if seeks && len(starts) < 3 {
				t.Errorf("%s: resumed at %v only: nothing was cut", c.Name(), starts)
			}
		}
	}
}

// TestResumeAtFault: an element that cannot be encoded is a fault wherever the client resumes, also
// as the first thing that it is sent.
func TestResumeAtFault(t *testing.T) {
	for _, seeks := range []bool{false, true} {
		h := nano.HandleStream(registry(), func(ctx context.Context, _ nano.Empty) iter.Seq2[any, error] {
			elements := []any{0, 1, make(chan int), 3}
			if seeks {
				elements = elements[nano.ResumeAt(ctx):]
			}
			return func(yield func(any, error) bool) {
				for _, e := range elements {
					if !yield(e, nil) {
						return
					}
				}
			}
		}, quiet(), nano.WithResume(resumeKey, func(context.Context, *http.Request) (string, error) { return "v1", nil }))
		traced := []string{"Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}
		whole := do(t, h, "GET", "/", "", traced...)
		lines := strings.SplitAfter(whole.Body.String(), "\n")
		if len(lines) != 6 || !strings.HasPrefix(lines[2], `{"seq":3,"fault":`) {
			t.Fatalf("%d %s", whole.Code, whole.Body)
		}
		for last := range 5 {
			w := do(t, h, "GET", "/", "", append(traced, nano.ResumeToken, whole.Header().Get(nano.ResumeToken),
				nano.LastSequence, fmt.Sprint(last))...)
			if want := strings.Join(lines[last:], ""); w.Code != 200 || w.Body.String() != want {
				t.Errorf("seeks %v, resumed at %d: %d\n%swant\n%s", seeks, last, w.Code, w.Body, want)
			}
		}
	}
}

func TestNotResumable(t *testing.T) {
	url := serveCut(t, nano.HandleStream(registry(), count, quiet()), func(int) int { return 1000 })
	got, err := collect(nano.ReadStream[answer](registry(), asks(t, url, 200), fast))
	var end *nano.StreamError
	if !errors.Is(err, nano.ErrTruncated) || !errors.As(err, &end) || int(end.Last) != len(got) {
		t.Errorf("%d elements: %v", len(got), err)
	}
}

func TestResumeRules(t *testing.T) {
	version := "v1"
	h := nano.HandleStream(registry(), count, quiet(),
		nano.WithKey(func(r *http.Request) nano.Key { return nano.Key{Tenant: r.Header.Get("Tenant")} }),
		nano.WithResume(resumeKey, func(context.Context, *http.Request) (string, error) { return version, nil }))
	const body = `{"name":"x","count":5}`
	send := func(target string, fields ...string) *httptest.ResponseRecorder {
		return do(t, h, "POST", target, body, append([]string{"Content-Type", "application/json"}, fields...)...)
	}
	token := send("/a").Header().Get(nano.ResumeToken)
	if len(token) != 34 {
		t.Fatalf("token %q", token)
	}
	flipped := []byte(token)
	flipped[3] ^= 1
	for _, c := range []struct {
		name, target, token, last string
		version                   string
		fields                    []string
		status                    int
		first                     string
	}{
		{"resumed", "/a", token, "3", "v1", nil, 200, `{"seq":4,"data":{"text":"x","n":4}}`},
		{"from the beginning", "/a", token, "0", "v1", nil, 200, `{"seq":1,`},
		{"only the end is missing", "/a", token, "5", "v1", nil, 200, `{"seq":6,"end":"complete"}`},
		{"more than there is", "/a", token, "6", "v1", nil, 416, ""},
		{"changed", "/a", token, "3", "v2", nil, 412, ""},
		{"forged", "/a", string(flipped), "3", "v1", nil, 400, ""},
		{"other target", "/b", token, "3", "v1", nil, 400, ""},
		{"other tenant", "/a", token, "3", "v1", []string{"Tenant", "t"}, 400, ""},
		{"no number", "/a", token, "x", "v1", nil, 400, ""},
		{"negative", "/a", token, "-1", "v1", nil, 400, ""},
		{"no number at all", "/a", token, "", "v1", nil, 400, ""},
		{"empty", "/a", "", "3", "v1", nil, 400, ""},
		{"two", "/a", token, "3", "v1", []string{nano.ResumeToken, token}, 400, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			version = c.version
			w := send(c.target, append([]string{nano.ResumeToken, c.token, nano.LastSequence, c.last}, c.fields...)...)
			if w.Code != c.status || !strings.HasPrefix(w.Body.String(), c.first) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	plain := nano.HandleStream(registry(), count, quiet())
	if w := do(t, plain, "POST", "/a", body, "Content-Type", "application/json", nano.ResumeToken, token); w.Code != 400 {
		t.Errorf("not resumable: %d", w.Code)
	}
}

// TestCutBehindTheEnd: what comes after the end of a stream, even that its connection breaks, takes
// nothing from it.
func TestCutBehindTheEnd(t *testing.T) {
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, `{"seq":1,"data":{"n":1}}`+"\n"+`{"seq":2,"end":"complete"}`+"\n")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	if got, err := collect(nano.ReadStream[answer](registry(), asks(t, url, 1), fast)); err != nil || !slices.Equal(got, numbers(1, 1)) {
		t.Errorf("%v %v", got, err)
	}
}

// TestHostileStreams: a client takes nothing for a whole stream that is none.
func TestHostileStreams(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       error
	}{
		{"empty", "", nano.ErrTruncated},
		{"whole, with signs of life", "\n" + `{"seq":1,"data":{}}` + "\n\n\n" + `{"seq":2,"end":"complete"}` + "\n", nil},
		{"behind the end, a sign of life", `{"seq":1,"end":"complete"}` + "\n\n", nano.ErrFrame},
		{"no end", `{"seq":1,"data":{}}` + "\n", nano.ErrTruncated},
		{"torn", `{"seq":1,"data":{}}` + "\n" + `{"seq":2,"end":"complete"}`, nano.ErrTruncated},
		{"gap", `{"seq":2,"data":{}}` + "\n", nano.ErrSequence},
		{"repeated", `{"seq":1,"data":{}}` + "\n" + `{"seq":1,"data":{}}` + "\n", nano.ErrSequence},
		{"end out of sequence", `{"seq":2,"end":"complete"}` + "\n", nano.ErrSequence},
		{"behind the end", `{"seq":1,"end":"complete"}` + "\n{}\n", nano.ErrFrame},
		{"no JSON", "hello\n", nano.ErrFrame},
		{"no kind", `{"seq":1}` + "\n", nano.ErrFrame},
		{"two kinds", `{"seq":1,"data":{},"end":"complete"}` + "\n", nano.ErrFrame},
		{"unknown end", `{"seq":1,"end":"perhaps"}` + "\n", nano.ErrFrame},
		{"too large", `{"seq":1,"data":"` + strings.Repeat("x", 5000) + `"}` + "\n", codec.ErrTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/x-ndjson")
				_, _ = io.WriteString(w, c.body)
			}))
			o := fast
			o.MaxFrame = 4000
			_, err := collect(nano.ReadStream[answer](registry(), asks(t, url, 1), o))
			if !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

func TestReadStreamErrors(t *testing.T) {
	reg := registry()
	refusing := serve(t, nano.HandleStream(reg, func(context.Context, ask) iter.Seq2[answer, error] {
		return func(yield func(answer, error) bool) {
			yield(answer{}, nano.Problemf(http.StatusForbidden, "not yours"))
		}
	}))
	_, err := collect(nano.ReadStream[answer](reg, asks(t, refusing, 1), fast))
	var p *nano.Problem
	if !errors.As(err, &p) || p.Status != http.StatusForbidden || p.Detail != "not yours" {
		t.Errorf("%v", err)
	}
	html := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<p>hello") }))
	if _, err := collect(nano.ReadStream[answer](reg, asks(t, html, 1), fast)); !errors.Is(err, codec.ErrNotRegistered) {
		t.Errorf("%v", err)
	}
	url := serve(t, nano.HandleStream(reg, count, quiet()))
	for range nano.ReadStream[answer](reg, asks(t, url, 1000), fast) {
		break // the connection is given back
	}
}

// TestClientVanishes: the handler's iterator ends soon after its client.
func TestClientVanishes(t *testing.T) {
	ended := make(chan error, 1)
	h := nano.HandleStream(registry(), func(ctx context.Context, _ nano.Empty) iter.Seq2[answer, error] {
		return func(yield func(answer, error) bool) {
			defer func() { ended <- ctx.Err() }()
			for i := 0; yield(answer{strings.Repeat("x", 1<<10), i}, nil); i++ {
			}
		}
	}, quiet())
	url := serve(t, h)
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	<-ended // a test that hangs here has found an iterator that runs on
}
