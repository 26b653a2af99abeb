package nano_test

import (
	"context"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

// TestStreamSnapshots: a whole stream stands in while there is none; one that was resumed, failed
// or has a hole does not, and the rest of a stream is never another stream's.
func TestStreamSnapshots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{}
		n, late := 0, false
		h := nano.HandleStream(registry(), func(ctx context.Context, _ nano.Empty) iter.Seq2[any, error] {
			how := nano.FromContext(ctx).Request().URL.Path
			nano.FromContext(ctx).Header().Set("ETag", "n")
			n++
			return func(yield func(any, error) bool) {
				if late {
					yield(slowpoke{}, nil)
					return
				}
				ok := yield(answer{"a", n}, nil) && yield(answer{"b", n}, nil)
				switch {
				case !ok:
				case how == "/fails":
					yield(nil, errAny)
				case how == "/hole":
					yield(make(chan int), nil)
				case how == "/large":
					yield(strings.Repeat("x", 20_000), nil)
				}
			}
		}, quiet(), nano.WithKey(tenant), nano.WithBreaker(g), nano.WithBudget(nano.NewBudget(10)),
			nano.WithResume([]byte("0123456789abcdef0123456789abcdef"),
				func(context.Context, *http.Request) (string, error) { return "v", nil }),
			nano.WithSnapshots(nano.NewSnapshots(64<<10, time.Minute), nil))
		get := func(path string, fields ...string) *httptest.ResponseRecorder {
			return do(t, h, "GET", path, "", fields...)
		}
		want := get("/whole").Body.String()
		for _, path := range []string{"/fails", "/hole", "/large"} {
			get(path)
		}
		cut := get("/cut")
		token := cut.Header().Get(nano.ResumeToken)
		if token == "" {
			t.Fatal("no token")
		}
		get("/rest", nano.LastSequence, "1", nano.ResumeToken, token) // of another request: refused
		time.Sleep(2 * time.Second)
		for _, state := range []string{"open", "late"} {
			g.shut, late = state == "open", state == "late"
			w := get("/whole")
			if w.Code != 200 || w.Body.String() != want {
				t.Errorf("%s: %d %s, want %s", state, w.Code, w.Body, want)
			}
			if w.Header().Get("Cache-Status") == "" || w.Header().Get("ETag") != "" ||
				w.Header().Get(nano.ResumeToken) != "" || w.Header().Get("Content-Type") != cut.Header().Get("Content-Type") {
				t.Errorf("%s: %v", state, w.Header())
			}
			for path, fields := range map[string][]string{
				"/fails": nil, "/hole": nil, "/large": nil, "/rest": nil,
				"/cut":    {nano.LastSequence, "1", nano.ResumeToken, token},
				"/whole":  {"Tenant", "another"},
				"/whole?": {"Accept", nano.StreamType(codec.ZMY{})},
			} {
				if state == "late" && (path == "/cut" || path == "/whole?") { // nothing is late there
					continue
				}
				if w := get(path, fields...); w.Code == 200 {
					t.Errorf("%s: %s %q: %d %q", state, path, fields, w.Code, w.Body)
				}
			}
		}
	})
}
