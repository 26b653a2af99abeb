package nano_test

import (
	"bytes"
	"context"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/nano"
)

// account notes the order in which read deadlines are set, lifted, and bytes written.
type account struct {
	*httptest.ResponseRecorder
	of []string
}

func (a *account) note(s string) {
	if n := len(a.of); n == 0 || a.of[n-1] != s { // how many writes there are is another matter
		a.of = append(a.of, s)
	}
}

func (a *account) SetReadDeadline(t time.Time) error {
	if t.IsZero() {
		a.note("lift")
	} else {
		a.note("set")
	}
	return nil
}

func (a *account) Write(b []byte) (int, error) {
	a.note("write")
	return a.ResponseRecorder.Write(b)
}

// TestDrainIsLimited: what net/http reads of a body that nobody has read is limited before the
// header and behind the answer, never in between, where net/http reads to notice that the client
// goes; a body that is none, or was read, is not.
func TestDrainIsLimited(t *testing.T) {
	two := func(context.Context, nano.Empty) iter.Seq2[answer, error] {
		return func(yield func(answer, error) bool) { _ = yield(answer{"a", 1}, nil) && yield(answer{"b", 2}, nil) }
	}
	s := nano.NewService(registry(), quiet())
	unread := func(reply func(x *nano.Exchange) error) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := reply(s.Begin(w, r)); err != nil {
				t.Error(err)
			}
		})
	}
	for _, c := range []struct {
		name, method, body string
		h                  http.Handler
		want               string
	}{
		{"wrapped though there is none", "GET", "", http.MaxBytesHandler(nano.HandleStreamBy(s, two), 1000), "write"},
		{"decoded before", "POST", posted, nano.DecodeFirst[ask](s, nano.HandleStreamBy(s, two)), "write"},
		{"decoded before, whole answer", "POST", posted,
			nano.DecodeFirst[ask](s, unread(func(x *nano.Exchange) error { return x.Reply(answer{}) })), "write"},
		{"read", "POST", posted, nano.HandleBy(s, greet), "write"},
		{"unread, stream", "POST", posted, unread(func(x *nano.Exchange) error {
			return nano.ReplyStream(x,
				two(x.Context(), nano.Empty{}))
		}), "set write lift write set"},
		{"unread, small", "POST", posted, unread(func(x *nano.Exchange) error { return x.Reply(answer{}) }), "set write"},
		{"unread, large", "POST", posted, unread(func(x *nano.Exchange) error { return x.Reply(answer{strings.Repeat("x", 200<<10), 1}) }),
			"set write lift write set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &account{ResponseRecorder: httptest.NewRecorder()}
			var body io.Reader = http.NoBody
			if c.body != "" {
				body = strings.NewReader(c.body)
			}
			r := httptest.NewRequestWithContext(t.Context(), c.method, "/", body)
			r.Header.Set("Content-Type", "application/json")
			c.h.ServeHTTP(w, r)
			if got := strings.Join(w.of, " "); got != c.want || w.Code != 200 {
				t.Errorf("%d: %s, want %s: %.200q", w.Code, got, c.want, w.Body)
			}
		})
	}
}

// TestStreamOutlivesReadTimeout: no time limit of bodies ends a stream whose request has none,
// though middleware has put something in its place.
func TestStreamOutlivesReadTimeout(t *testing.T) {
	const timeout = 10 * time.Millisecond
	h := nano.HandleStream(registry(), after(0, 20*timeout, 0), nano.WithReadTimeout(timeout, timeout), quiet())
	url := serve(t, http.MaxBytesHandler(h, 1000))
	resp, err := http.DefaultClient.Do(request(t, "GET", url, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	if err != nil || !bytes.Contains(got, []byte(`"end":"complete"`)) {
		t.Errorf("%q, %v", got, err)
	}
}
