package nano_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/nano"
)

func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestBodies(t *testing.T) {
	h := nano.Handle(registry(), greet, nano.WithMaxBody(1000), quiet())
	message := string(must(codec.ZMY{}.Marshal(ask{"Ada", 3})))
	bomb := zipped(t, posted+strings.Repeat(" ", 1<<20))
	if len(bomb) > 3000 { // 1,056 bytes by Go 1.26, 2,065 by Go 1.27
		t.Fatal("the bomb is none")
	}
	for _, c := range []struct {
		name, method, body string
		fields             []string
		status             int
		detail             string // what the problem says, in part
	}{
		{"gzip", "POST", zipped(t, posted), []string{"Content-Encoding", "gzip"}, 200, ""},
		{"x-gzip", "POST", zipped(t, posted), []string{"Content-Encoding", "X-GZIP"}, 200, ""},
		{"identity", "POST", posted, []string{"Content-Encoding", "identity"}, 200, ""},
		{"bomb", "POST", zipped(t, posted+strings.Repeat(" ", 1000)), []string{"Content-Encoding", "gzip"}, 413, "larger than 1000 bytes"},
		{"no gzip", "POST", posted, []string{"Content-Encoding", "gzip"}, 400, "not gzip"},
		{"half a gzip", "POST", zipped(t, posted)[:20], []string{"Content-Encoding", "gzip"}, 400, "ends after"},
		{"damaged gzip", "POST", zipped(t, posted)[:40] + "xxxxxxxxxxxxxxxxxxxxxxxxxx", []string{"Content-Encoding", "gzip"}, 400, ""},
		{"gzip twice", "POST", posted, []string{"Content-Encoding", "gzip, gzip"}, 415, "Content-Encoding"},
		{"brotli", "POST", posted, []string{"Content-Encoding", "br"}, 415, "br"},
		{"at the limit", "POST", posted + strings.Repeat(" ", 1000-len(posted)), nil, 200, ""},
		{"beyond the limit", "POST", posted + strings.Repeat(" ", 1001-len(posted)), nil, 413, "larger than 1000 bytes"},
		{"no body", "POST", "", nil, 400, "no body"},
		{"no body, no need", "GET", "", nil, 200, ""},
		{"trailing data", "POST", posted + "{}", nil, 400, "after top-level value"},
		{"empty object", "POST", "{}", nil, 200, ""},
		{"space", "POST", " ", nil, 400, "not valid application/json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := do(t, h, c.method, "/", c.body, append(c.fields, "Content-Type", "application/json")...)
			if w.Code != c.status {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if c.status != 200 {
				if p := problem(t, w); !strings.Contains(p.Detail, c.detail) {
					t.Errorf("%q does not say %q", p.Detail, c.detail)
				}
			}
		})
	}
	w := do(t, h, "POST", "/", message+message, "Content-Type", "application/vnd.zmy")
	if w.Code != 400 {
		t.Errorf("two messages: %d %s", w.Code, w.Body)
	}
	w = do(t, h, "POST", "/", bomb, "Content-Type", "application/json", "Content-Encoding", "gzip")
	if w.Code != 413 {
		t.Errorf("bomb: %d %s", w.Code, w.Body)
	}
}

// TestBadBody: a problem says where, in words of the format, and names no Go type.
func TestBadBody(t *testing.T) {
	type item struct {
		SKU   string `json:"sku" zmy:"0"`
		Price int    `json:"price" zmy:"1"`
	}
	type order struct {
		Items []item `json:"items" zmy:"0"`
	}
	h := nano.Handle(registry(), func(context.Context, order) (nano.Empty, error) { return nano.Empty{}, nil }, quiet())
	damaged := must(codec.ZMY{}.Marshal(order{[]item{{"a", 1}, {"b\xc3\xa4", 2}}}))
	i := bytes.IndexByte(damaged, 0xa4)
	damaged[i] = 'x'
	for _, c := range []struct {
		name, media, body string
		detail, path      string
		offset            int64 // -1 for none
	}{
		{"syntax", "application/json", `{"items":[}`,
			"the body is not valid application/json: invalid character '}' looking for beginning of value", "", 11},
		{"cut short", "application/json", `{"items":[`, "the body is not valid application/json: unexpected end of JSON input", "", 10},
		{"kind", "application/json", `{"items":[{"sku":1}]}`, "a JSON number does not fit here", "items.sku", 18},
		{"UTF-8", "application/vnd.zmy", string(damaged), "the body is not valid application/vnd.zmy: invalid UTF-8",
			"Items[1].SKU", int64(i - 2)},
		{"another format", "application/x-gob", `{}`, "the body is not valid application/x-gob: it ends too early", "", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := do(t, h, "POST", "/", c.body, "Content-Type", c.media)
			p := problem(t, w)
			offset := int64(-1)
			if p.Offset != nil {
				offset = *p.Offset
			}
			path := strings.Replace(p.Path, ".0.", ".", 1) // encoding/json names the element since Go 1.27
			if w.Code != 400 || !strings.HasPrefix(p.Detail, c.detail) || path != c.path || offset != c.offset {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			for _, internal := range []string{"nano_test", "Go ", "struct", "EOF", "codec: ", " json: "} {
				if strings.Contains(w.Body.String(), internal) {
					t.Errorf("%q is the server's own business: %s", internal, w.Body)
				}
			}
		})
	}
}

// exchange writes raw bytes to a server and returns all that comes back.
func exchange(t testing.TB, url string, parts ...string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(patience.For(time.Minute)))
	for _, p := range parts {
		if p == "EOF" {
			_ = conn.(*net.TCPConn).CloseWrite()
			continue
		}
		if _, err := io.WriteString(conn, p); err != nil {
			break
		}
	}
	b, err := io.ReadAll(conn)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection is still open; it has brought %q", b)
	}
	return string(b)
}

const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"

// TestConnections: bodies that never become whole, over real connections.
func TestConnections(t *testing.T) {
	patient := serve(t, nano.Handle(registry(), greet, nano.WithMaxBody(1000), quiet()))
	impatient := serve(t, nano.Handle(registry(), greet, nano.WithMaxBody(1000),
		nano.WithReadTimeout(50*time.Millisecond, time.Minute), quiet()))
	for _, c := range []struct {
		name  string
		parts []string
		want  string
	}{
		{"whole", []string{head + "Content-Length: 34\r\n\r\n", posted}, "200 OK"},
		{"chunked", []string{head + "Transfer-Encoding: chunked\r\n\r\n22\r\n" + posted + "\r\n0\r\n\r\n"}, "200 OK"},
		{"chunked without end", []string{head + "Transfer-Encoding: chunked\r\n\r\n22\r\n" + posted + "\r\n", "EOF"}, "400 Bad Request"},
		{"cut short", []string{head + "Content-Length: 34\r\n\r\n" + posted[:20], "EOF"}, "400 Bad Request"},
		{"stands still", []string{head + "Content-Length: 34\r\n\r\n" + posted[:20]}, "408 Request Timeout"},
		{"never begins", []string{head + "Content-Length: 34\r\n\r\n"}, "408 Request Timeout"},
		{"chunked and too large", []string{head + "Transfer-Encoding: chunked\r\n\r\n" +
			strings.Repeat("a\r\n          \r\n", 200) + "0\r\n\r\n"}, "413 Request Entity Too Large"},
		{"expects to continue", []string{head + "Expect: 100-continue\r\nContent-Length: 34\r\n\r\n", posted}, "100 Continue"},
		{"need not continue", []string{head + "Expect: 100-continue\r\nContent-Length: 3400\r\n\r\n"}, "413 Request Entity Too Large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := patient
			if strings.HasPrefix(c.want, "408") {
				url = impatient
			}
			got := exchange(t, url, c.parts...)
			status, _, _ := strings.Cut(got, "\r\n")
			if !strings.HasSuffix(status, c.want) &&
				!(c.want == "413 Request Entity Too Large" && strings.HasPrefix(status, "HTTP/1.1 413")) {
				t.Errorf("%q, want %s", got, c.want)
			}
		})
	}
}

// TestUnreadBody: no body that stands still holds an answer back that does not need it, nor the
// connection behind one.
func TestUnreadBody(t *testing.T) {
	short := nano.WithReadTimeout(300*time.Millisecond, 600*time.Millisecond)
	call := func(opts ...nano.Option) http.Handler {
		return nano.Handle(registry(), greet, append(opts, short, quiet())...)
	}
	const post, typed = "POST / HTTP/1.1\r\nHost: x\r\n", "Content-Type: application/json\r\n"
	plain := nano.NewService(registry(), short, quiet())
	for _, c := range []struct {
		name, head string
		body       string // of the thousand bytes that are announced
		h          http.Handler
		status     string
	}{
		{"Content-Type", post + "Content-Type: nonsense/x\r\n", "x", call(), "415"},
		{"Content-Encoding", post + typed + "Content-Encoding: br\r\n", "x", call(), "415"},
		{"Accept", post + typed + "Accept: nonsense/x\r\n", "x", call(), "406"},
		{"Accept, stream", post + typed + "Accept: nonsense/x\r\n", "x", nano.HandleStream(registry(), count, short, quiet()), "406"},
		{"limiter", post + typed, "x", call(nano.WithLimiter(limit{map[string]int{}})), "429"},
		{"breaker", post + typed, "x", call(nano.WithBreaker(&gate{shut: true})), "503"},
		{"length", post + typed, "x", call(nano.WithMaxBody(10)), "413"},
		{"encoding of the body", post + typed + "Content-Encoding: gzip\r\n", "no gzip, surely", call(), "400"},
		{"the body itself", post + typed, "x", call(), "408"},
		{"read by nobody", post + typed, "x", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := plain.Begin(w, r).Reply(answer{}); err != nil {
				t.Error(err)
			}
		}), "200"},
		{"answered by others", post + typed + "Accept: nonsense/x\r\n", "x", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := nano.Run(plain, w, r, greet); err != nil {
				http.Error(w, "", nano.AsProblem(err).Status)
			}
		}), "406"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := exchange(t, serve(t, c.h), c.head+"Content-Length: 1000\r\n\r\n"+c.body)
			if !strings.HasPrefix(got, "HTTP/1.1 "+c.status) {
				t.Errorf("%q, want %s", got, c.status)
			}
		})
	}
}

// TestUnreadBodyThatComes: a connection goes on behind an answer that did not need the body.
func TestUnreadBodyThatComes(t *testing.T) {
	url := serve(t, nano.Handle(registry(), greet, nano.WithReadTimeout(time.Hour, time.Hour), quiet()))
	refused := "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: nonsense/x\r\nContent-Length: 34\r\n\r\n" + posted
	got := exchange(t, url, refused, head+"Content-Length: 34\r\n\r\n"+posted)
	if !strings.HasPrefix(got, "HTTP/1.1 415") || !strings.Contains(got, "HTTP/1.1 200 OK") {
		t.Errorf("%q", got)
	}
}

// TestSlowLoris: a client that sends a byte now and then is cut off by the time of the whole body.
func TestSlowLoris(t *testing.T) {
	url := serve(t, nano.Handle(registry(), greet, nano.WithReadTimeout(time.Minute, 100*time.Millisecond), quiet()))
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(patience.For(time.Minute)))
	_, _ = io.WriteString(conn, head+"Content-Length: 100000\r\n\r\n")
	answered := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(conn).ReadString('\n')
		answered <- line
	}()
	for {
		select {
		case line := <-answered:
			if !strings.Contains(line, "408") {
				t.Errorf("%q", line)
			}
			return
		case <-time.After(5 * time.Millisecond):
			_, _ = io.WriteString(conn, " ")
		}
	}
}

// deadlines is a response writer that notes the deadlines which it is given.
type deadlines struct {
	http.ResponseWriter
	reads, writes []time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.reads = append(d.reads, t)
	return nil
}

func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.writes = append(d.writes, t)
	return nil
}

func (d *deadlines) Unwrap() http.ResponseWriter { return d.ResponseWriter }

// lifted reports whether a deadline was set and the last one is none.
func lifted(ts []time.Time) bool {
	return len(ts) >= 2 && !ts[0].IsZero() && ts[len(ts)-1].IsZero()
}

// TestServerTimesOut: the shorter of the server's ReadTimeout and the total ends a body that stands
// still.
func TestServerTimesOut(t *testing.T) {
	stalled := func(server, total time.Duration) string {
		s := httptest.NewUnstartedServer(nano.Handle(registry(), greet, nano.WithReadTimeout(time.Hour, total), quiet()))
		s.Config.ReadTimeout = server
		s.Start()
		defer s.Close()
		return exchange(t, s.URL, head+"Content-Length: 34\r\n\r\n"+posted[:20])
	}
	if got := stalled(time.Hour, 100*time.Millisecond); !strings.HasPrefix(got, "HTTP/1.1 408") {
		t.Errorf("total: %q", got)
	}
	got := ""
	for server := 100 * time.Millisecond; got == "" && server < patience.For(time.Minute) &&
		!t.Failed(); server *= 2 { // nothing: the machine was too busy to read the header in time
		got = stalled(server, time.Hour)
	}
	if !strings.HasPrefix(got, "HTTP/1.1 408") {
		t.Errorf("server: %q", got)
	}
}

// TestDeadlineIsLifted: a function may take longer than the body was allowed to.
func TestDeadlineIsLifted(t *testing.T) {
	got := "408"
	for timeout := 20 * time.Millisecond; strings.Contains(got, "408") &&
		timeout < patience.For(time.Minute); timeout *= 2 { // 408: the machine was too busy to read in time
		url := serve(t, nano.Handle(registry(), func(ctx context.Context, in ask) (answer, error) {
			select {
			case <-ctx.Done():
				return answer{}, ctx.Err()
			case <-time.After(5 * timeout):
				return answer{in.Name, 1}, nil
			}
		}, nano.WithReadTimeout(timeout, timeout), quiet()))
		got = exchange(t, url, head+"Content-Length: 34\r\n\r\n", posted)
	}
	if !strings.HasPrefix(got, "HTTP/1.1 200") || !strings.Contains(got, "Ada Lovelace") {
		t.Errorf("%q", got)
	}
}

// TestHead: as GET, without its body.
func TestHead(t *testing.T) {
	h := nano.Handle(registry(), func(context.Context, nano.Empty) (answer, error) { return answer{"x", 1}, nil })
	get, head := do(t, h, "GET", "/", ""), do(t, h, "HEAD", "/", "")
	if head.Body.Len() > 0 || head.Code != 200 || head.Header().Get("Content-Length") != get.Header().Get("Content-Length") ||
		head.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d %v %q", head.Code, head.Header(), head.Body)
	}
}

// stuck is a writer whose client takes some bytes and then no more.
type stuck struct {
	*httptest.ResponseRecorder
	room      int
	deadlines []time.Time
}

func (s *stuck) Write(b []byte) (int, error) {
	if len(b) > s.room {
		return 0, io.ErrClosedPipe
	}
	s.room -= len(b)
	return s.ResponseRecorder.Write(b)
}

func (s *stuck) SetWriteDeadline(t time.Time) error {
	s.deadlines = append(s.deadlines, t)
	return nil
}

// TestHalfSent: an answer that cannot be sent to its end never looks whole.
func TestHalfSent(t *testing.T) {
	g := &gate{}
	large := nano.Handle(registry(), func(context.Context, nano.Empty) (answer,
		error) {
		return answer{strings.Repeat("x", 200<<10), 1}, nil
	}, quiet(), nano.WithBreaker(g))
	for _, room := range []int{0, 100 << 10, 1 << 20} {
		w := &stuck{ResponseRecorder: httptest.NewRecorder(), room: room}
		aborted := func() (p any) {
			defer func() { p = recover() }()
			large.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			return nil
		}()
		if whole := room == 1<<20; (aborted == nil) != whole || !whole && aborted != http.ErrAbortHandler {
			t.Errorf("room for %d: %v", room, aborted)
		}
		if n := len(w.deadlines); n < 2 || !w.deadlines[n-1].IsZero() || w.deadlines[0].IsZero() {
			t.Errorf("deadlines %v: want some, and the last lifted", w.deadlines)
		}
	}
	if want := []error{context.Canceled, context.Canceled, nil}; !slices.Equal(g.outcomes, want) {
		t.Errorf("the breaker hears %v, want %v", g.outcomes, want)
	}
}

// TestEncoderFails: nothing of an answer that cannot be encoded is sent.
func TestEncoderFails(t *testing.T) {
	for _, v := range []any{make(chan int), explosive{}} {
		h := nano.Handle(registry(), func(context.Context, nano.Empty) (any, error) { return v, nil }, quiet())
		w := do(t, h, "GET", "/", "")
		if p := problem(t, w); w.Code != 500 || p.Detail != "" {
			t.Errorf("%T: %d %s", v, w.Code, w.Body)
		}
	}
	h := nano.Handle(registry(), func(context.Context, nano.Empty) (any, error) { return odd{func() {}}, nil }, quiet(),
		nano.WithSafeForm(func(v odd, _ error) odd { return odd{"left out"} }))
	if w := do(t, h, "GET", "/", ""); w.Code != 200 || w.Body.String() != `{"V":"left out"}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestNoForm: a list has no form in ZMY, whose messages are structs; that is a matter of the media
// type.
func TestNoForm(t *testing.T) {
	h := nano.Handle(registry(), func(_ context.Context, in []string) ([]string, error) { return in, nil }, quiet())
	if w := do(t, h, "POST", "/", `["a"]`, "Content-Type", "application/json"); w.Code != 200 || w.Body.String() != `["a"]` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w := do(t, h, "POST", "/", `["a"]`, "Content-Type", "application/json", "Accept", "application/vnd.zmy")
	if p := problem(t, w); w.Code != 406 || !strings.Contains(p.Detail, "application/vnd.zmy") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = do(t, h, "POST", "/", string(must(codec.ZMY{}.Marshal(ask{"a", 1}))), "Content-Type", "application/vnd.zmy")
	if p := problem(t, w); w.Code != 415 || len(p.Accepts) == 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	large := must(codec.ZMY{MarshalOptions: zmy.MarshalOptions{MaxWire: 1 << 20}}.Marshal(ask{strings.Repeat("x", 200<<10), 1}))
	w = do(t, nano.Handle(registry(), greet, quiet()), "POST", "/", string(large), "Content-Type", "application/vnd.zmy")
	if problem(t, w); w.Code != 413 {
		t.Errorf("beyond the codec's own limit: %d %s", w.Code, w.Body)
	}
}

func TestChecker(t *testing.T) {
	h := nano.Handle(registry(), greet, quiet(), nano.WithChecker(refuse{"Ada"}))
	w := do(t, h, "POST", "/", posted, "Content-Type", "application/json")
	if p := problem(t, w); w.Code != 406 || p.Title != "Schema Violation" || p.TraceID == "" || json.Valid([]byte(p.Detail)) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := do(t, h, "POST", "/", `{"name":"Bob"}`, "Content-Type", "application/json"); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
