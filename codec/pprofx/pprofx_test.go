package pprofx_test

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/pprofx"
)

// looking is JSON that looks at the labels of its own goroutine.
type looking struct {
	codec.StdJSON
	seen *string
}

func (c looking) Marshal(v any) ([]byte, error) {
	*c.seen = labels()
	return json.Marshal(v)
}

// labels are those of goroutines in a test of this package, as the profile prints
// them.
func labels() string {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 1)
	for _, part := range strings.Split(b.String(), "\n\n") {
		if !strings.Contains(part, "pprofx_test.labels") {
			continue
		}
		for _, line := range strings.Split(part, "\n") {
			if l, ok := strings.CutPrefix(line, "# labels: "); ok {
				return l
			}
		}
	}
	return ""
}

func TestLabels(t *testing.T) {
	var during string
	c := codec.Observe(looking{seen: &during}, codec.Observers{pprofx.Labels()})
	if _, err := c.Marshal(1); err != nil {
		t.Fatal(err)
	}
	if want := `{"codec":"json", "op":"marshal"}`; during != want {
		t.Errorf("labels during marshal %s, want %s", during, want)
	}
	if got := labels(); got != "" {
		t.Errorf("labels afterwards %s, want none", got)
	}
	pprof.Do(t.Context(), pprof.Labels("handler", "orders"), func(ctx context.Context) {
		if _, err := codec.WithContext(ctx, c).Marshal(1); err != nil {
			t.Fatal(err)
		}
		if want := `{"codec":"json", "handler":"orders", "op":"marshal"}`; during != want {
			t.Errorf("labels within pprof.Do %s, want %s", during, want)
		}
		if got, want := labels(), `{"handler":"orders"}`; got != want {
			t.Errorf("labels afterwards %s, want %s", got, want)
		}
	})
}

func BenchmarkLabels(b *testing.B) {
	o := pprofx.Labels()
	ctx, e := context.Background(), codec.Event{Codec: "json"}
	b.ReportAllocs()
	for b.Loop() {
		o.End(o.Begin(ctx, e), e)
	}
}
