package nano_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

// counting counts what is decoded.
type counting struct {
	codec.FXJSON
	n *int
}

func (c counting) Unmarshal(b []byte, v any) error {
	*c.n++
	return c.FXJSON.Unmarshal(b, v)
}

// TestDecodeOnce: three layers see the value, one parses.
func TestDecodeOnce(t *testing.T) {
	parsed := 0
	s := nano.NewService(codec.NewRegistry(counting{n: &parsed}), quiet())
	authorize := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			in, ok := nano.Decoded[ask](r.Context())
			if !ok || in.Name != "Ada Lovelace" {
				t.Errorf("%+v, %v", in, ok)
			}
			in.Count++
			next.ServeHTTP(w, r)
		})
	}
	gateway := func(ctx context.Context) (answer, error) { // has no In of its own
		in, ok := nano.Decoded[ask](ctx)
		if !ok {
			t.Error("not found behind the handler")
		}
		return answer{in.Name, in.Count}, nil
	}
	h := nano.DecodeFirst[ask](s, authorize(nano.HandleBy(s, func(ctx context.Context, in ask) (answer, error) { return gateway(ctx) })))
	w := do(t, h, "POST", "/", posted, "Content-Type", "application/json")
	if w.Code != 200 || w.Body.String() != `{"text":"Ada Lovelace","n":43}` || parsed != 1 {
		t.Errorf("%d %s, parsed %d times", w.Code, w.Body, parsed)
	}
	if w := do(t, h, "POST", "/", "{", "Content-Type", "application/json"); w.Code != 400 {
		t.Errorf("%d", w.Code)
	}
	empty := nano.DecodeFirst[ask](s, nano.HandleBy(s, func(ctx context.Context, _ nano.Empty) (answer, error) { return gateway(ctx) }))
	if w := do(t, empty, "POST", "/", posted, "Content-Type", "application/json"); w.Code != 200 ||
		w.Body.String() != `{"text":"Ada Lovelace","n":42}` {
		t.Errorf("a function that takes nothing, behind the middleware: %d %s", w.Code, w.Body)
	}
	type other struct{ X int }
	ctx := nano.ContextWithDecoded(nano.ContextWithDecoded(t.Context(), &other{1}), &ask{Count: 2})
	if o, ok := nano.Decoded[other](ctx); !ok || o.X != 1 {
		t.Errorf("%v %v", o, ok)
	}
	if _, ok := nano.Decoded[answer](ctx); ok {
		t.Error("found what is not there")
	}
}
