package nano_test

import (
	"context"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

// marked writes JSON that says who wrote it, and reads only that.
type marked struct{ codec.Codec }

func (marked) Name() string         { return "marked" }
func (marked) MediaTypes() []string { return []string{"application/x-marked", "application/json"} }

func (m marked) Marshal(v any) ([]byte, error) {
	b, err := m.Codec.Marshal(v)
	return append([]byte("  "), b...), err
}

type private struct{ A string }

// TestTypes: a type with a codec of its own is written and read by that, others are not.
func TestTypes(t *testing.T) {
	reg := codec.NewRegistry(codec.FXJSON{}, codec.ZMY{}, marked{codec.StdJSON{}})
	if err := codec.SetTypeFor[private](reg, "marked"); err != nil {
		t.Fatal(err)
	}
	echoOwn := nano.Handle(reg, func(_ context.Context, in private) (*private, error) { return &in, nil }, quiet())
	echo := nano.Handle(reg, func(_ context.Context, in ask) (ask, error) { return in, nil }, quiet())
	anything := nano.Handle(reg, func(_ context.Context, in private) (any, error) { return in, nil }, quiet())
	for _, c := range []struct {
		name          string
		h             http.Handler
		accept, media string
		marked        bool
	}{
		{"no Accept", echoOwn, "", "application/x-marked", true},
		{"anything", echoOwn, "*/*", "application/x-marked", true},
		{"equal weights", echoOwn, "application/json, application/x-marked", "application/json", true},
		{"its JSON", echoOwn, "application/json", "application/json", true},
		{"another, which has no form for it", echoOwn, "application/vnd.zmy, */*;q=0.1", "application/x-marked", true},
		{"another type", echo, "", "application/json", false},
		{"another type, by name", echo, "application/x-marked", "application/x-marked", true},
		{"only known when it is there", anything, "", "application/json", false},
	} {
		var fields []string
		if c.accept != "" {
			fields = []string{"Accept", c.accept}
		}
		w := do(t, c.h, "POST", "/", "{}", append(fields, "Content-Type", "application/json")...)
		if w.Code != 200 {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
			continue
		}
		if w.Header().Get("Content-Type") != c.media || strings.HasPrefix(w.Body.String(), "  ") != c.marked {
			t.Errorf("%s: %s %q", c.name, w.Header().Get("Content-Type"), w.Body)
		}
	}
}

// TestTypesInStreams: elements as well, and the client asks for what their type prefers.
func TestTypesInStreams(t *testing.T) {
	reg := codec.NewRegistry(codec.FXJSON{}, codec.Gob{})
	if err := codec.SetTypeFor[private](reg, "gob"); err != nil {
		t.Fatal(err)
	}
	media := ""
	h := nano.HandleStream(reg, func(context.Context, nano.Empty) iter.Seq2[private, error] {
		return func(yield func(private, error) bool) { yield(private{"x"}, nil) }
	}, quiet())
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		media = w.Header().Get("Content-Type")
	}))
	defer srv.Close()
	n := 0
	for v, err := range nano.ReadStream[private](reg, func() (*http.Request, error) { return http.NewRequest("GET", srv.URL, nil) },
		nano.StreamOptions{}) {
		if err != nil || v.A != "x" {
			t.Fatal(v, err)
		}
		n++
	}
	if want := nano.StreamType(codec.Gob{}); n != 1 || media != want {
		t.Errorf("%d elements as %s, want %s", n, media, want)
	}
}
