package promx_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/adapters/promx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

// call tells o of a message that was read and one that was not.
func call(o codec.Observer) {
	for _, err := range []error{nil, errors.New("any")} {
		e := codec.NewEvent("zmy", codec.OpUnmarshal, nil)
		e.Size, e.Duration, e.Err = 100, time.Millisecond, err
		o.End(o.Begin(context.Background(), e), e)
	}
}

// methodKey is under what a context has a method here.
type methodKey struct{}

func method(ctx context.Context) (name string, server, ok bool) {
	name, ok = ctx.Value(methodKey{}).(string)
	return name, false, ok
}

// TestCalls counts by method, side, codec and operation, and nothing that is not a call.
func TestCalls(t *testing.T) {
	m, r := newMetrics(t, promx.Options{})
	o := m.Calls(method)
	ctx := context.WithValue(t.Context(), methodKey{}, "/shop.Orders/Get")
	c := codec.Observe(codec.StdJSON{}, o)
	if _, err := c.Marshal(1); err != nil { // outside of a call
		t.Fatal(err)
	}
	c = codec.WithContext(ctx, c)
	for _, v := range []string{"1234", "123456"} {
		if _, err := c.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}
	_ = c.Unmarshal([]byte("x"), new(int))
	got := gather(t, r)
	labels := `codec="json",method="/shop.Orders/Get",op=%q,side="client"`
	d := got["zmy_grpc_codec_duration_seconds{"+fmt.Sprintf(labels, "marshal")+"}"].GetHistogram()
	if d.GetSampleCount() != 2 || d.GetSampleSum() <= 0 || d.GetSchema() != 3 {
		t.Errorf("duration %v, want two samples in a native histogram", d)
	}
	if s := got["zmy_grpc_message_size_bytes{"+fmt.Sprintf(labels, "marshal")+"}"].GetHistogram(); s.GetSampleCount() != 2 ||
		s.GetSampleSum() != 6+8 {
		t.Errorf("size %v, want two samples of 14 bytes together", s)
	}
	if n := got["zmy_grpc_codec_errors_total{class=\"syntax\","+fmt.Sprintf(labels, "unmarshal")+"}"].GetCounter().GetValue(); n != 1 {
		t.Errorf("%v errors, want 1; there are %v", n, got)
	}
}

// TestMethodsAreBounded: what is called beyond the bound is counted as other.
func TestMethodsAreBounded(t *testing.T) {
	m, r := newMetrics(t, promx.Options{MaxMethods: 3, MaxCodecs: 2})
	o := m.Calls(method)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			ctx := context.WithValue(t.Context(), methodKey{}, fmt.Sprint("/m", i))
			_, _ = codec.WithContext(ctx, codec.Observe(named{name: fmt.Sprint("c", i)}, o)).Marshal(1)
		})
	}
	wg.Wait()
	methods, codecs, total := map[string]bool{}, map[string]bool{}, uint64(0)
	for name, x := range gather(t, r) {
		if strings.HasPrefix(name, "zmy_grpc_codec_duration_seconds") {
			for _, l := range x.GetLabel() {
				if l.GetName() == "method" {
					methods[l.GetValue()] = true
				}
				if l.GetName() == "codec" {
					codecs[l.GetValue()] = true
				}
			}
			total += x.GetHistogram().GetSampleCount()
		}
	}
	if len(methods) != 4 || !methods["other"] || len(codecs) != 3 || !codecs["other"] || total != 100 {
		t.Errorf("methods %v, codecs %v of %d messages, want 3, 2 and other, of 100", methods, codecs, total)
	}
}

func TestCallsAllocateNothing(t *testing.T) {
	m, _ := newMetrics(t, promx.Options{})
	ctx, o := context.WithValue(t.Context(), methodKey{}, "/shop.Orders/Get"), m.Calls(method)
	e := codec.Event{Codec: "json", Duration: time.Microsecond, Size: 100}
	o.End(ctx, e)
	if n := testing.AllocsPerRun(100, func() { o.End(o.Begin(ctx, e), e) }); n != 0 {
		t.Errorf("%v allocations a message", n)
	}
}

// events has a hub publish one event to a connection that then goes, and refuse another connection.
func events(t *testing.T, m *promx.Metrics) {
	t.Helper()
	h, err := sse.Open(t.Context(), nil, sse.WithMetrics(m.Events("live")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	m.AddHub("live", h)
	srv := httptest.NewServer(h.Handler(func(r *http.Request) ([]string, error) {
		if r.URL.Path != "/orders" {
			return nil, errors.New("there is one topic")
		}
		return []string{"orders"}, nil
	}))
	defer srv.Close()
	if resp, err := http.Get(srv.URL + "/none"); err != nil || resp.StatusCode < 400 {
		t.Fatal(resp, err)
	} else {
		_ = resp.Body.Close()
	}
	resp, err := http.Get(srv.URL + "/orders")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Publish(t.Context(), "orders", sse.Message{Data: []byte("one")}); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() && lines.Text() != "data: one" {
	}
	_ = resp.Body.Close()
	patience.Until(t, time.Minute, "the connection to be gone", func() bool { return h.Stats().Connections == 0 })
}

// TestHub: what a hub counts, and what it tells as it happens.
func TestHub(t *testing.T) {
	m, r := newMetrics(t, promx.Options{})
	events(t, m)
	got := gather(t, r)
	for name, want := range map[string]float64{
		`zmy_sse_connections{hub="live"}`:                 0,
		`zmy_sse_published_total{hub="live"}`:             1,
		`zmy_sse_delivered_total{hub="live"}`:             1,
		`zmy_sse_refused_total{hub="live"}`:               1,
		`zmy_sse_dropped_total{hub="live"}`:               0,
		`zmy_sse_ended_total{hub="live",reason="client"}`: 1,
	} {
		x, ok := got[name]
		if v := x.GetCounter().GetValue() + x.GetGauge().GetValue(); !ok || v != want {
			t.Errorf("%s is %v (there: %v), want %v", name, v, ok, want)
		}
	}
	for _, name := range []string{`zmy_sse_publish_duration_seconds{hub="live"}`, `zmy_sse_lag_seconds{hub="live"}`} {
		if h := got[name].GetHistogram(); h.GetSampleCount() != 1 || h.GetSampleSum() <= 0 || h.GetSchema() != 3 {
			t.Errorf("%s %v, want one sample in a native histogram", name, h)
		}
	}
}

// TestLagOfOtherClocks: an event without a publisher's time, or from the future, has no lag.
func TestLagOfOtherClocks(t *testing.T) {
	m, r := newMetrics(t, promx.Options{})
	write := m.Events("live").Write
	for _, d := range []time.Duration{0, -time.Hour, time.Second} {
		write(1, 10, d)
	}
	if h := gather(t, r)[`zmy_sse_lag_seconds{hub="live"}`].GetHistogram(); h.GetSampleCount() != 1 || h.GetSampleSum() != 1 {
		t.Errorf("%v, want the one lag of a second", h)
	}
}
