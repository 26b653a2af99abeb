package promx_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"

	"github.com/zmylab/zmy/adapters/promx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
	"github.com/zmylab/zmy/codec/shadow"
)

func newMetrics(t *testing.T, o promx.Options) (*promx.Metrics, *prometheus.Registry) {
	t.Helper()
	m, err := promx.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r := prometheus.NewPedanticRegistry()
	if err := r.Register(m); err != nil {
		t.Fatal(err)
	}
	return m, r
}

// gather returns the metrics by name and labels: "zmy_x{a="b"}".
func gather(t *testing.T, r *prometheus.Registry) map[string]*dto.Metric {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*dto.Metric{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			out[f.GetName()+"{"+strings.Join(labels, ",")+"}"] = m
		}
	}
	return out
}

func TestObserver(t *testing.T) {
	m, r := newMetrics(t, promx.Options{})
	c := codec.Observe(codec.StdJSON{}, m)
	for range 3 {
		if _, err := c.Marshal("12345678"); err != nil {
			t.Fatal(err)
		}
	}
	_ = c.Unmarshal([]byte("x"), new(int))
	got := gather(t, r)
	d := got[`zmy_codec_duration_seconds{codec="json",op="marshal"}`].GetHistogram()
	if d.GetSampleCount() != 3 || d.GetSampleSum() <= 0 || len(d.GetBucket()) > 0 || len(d.GetPositiveSpan()) == 0 || d.GetSchema() != 3 {
		t.Errorf("duration of marshal %v; want three samples in a native histogram of factor 2^(1/8)", d)
	}
	if s := got[`zmy_codec_size_bytes{codec="json",op="marshal"}`].GetHistogram(); s.GetSampleSum() != 30 {
		t.Errorf("size of marshal %v, want a sum of 30", s)
	}
	if n := got[`zmy_codec_errors_total{class="syntax",codec="json",op="unmarshal"}`].GetCounter().GetValue(); n != 1 {
		t.Errorf("%v errors of unmarshal, want 1", n)
	}
	if d := got[`zmy_codec_duration_seconds{codec="json",op="unmarshal"}`].GetHistogram(); d.GetSampleCount() != 1 {
		t.Errorf("duration of unmarshal %v, want the one that failed", d)
	}
	if s := got[`zmy_codec_size_bytes{codec="json",op="unmarshal"}`].GetHistogram(); s.GetSampleCount() != 0 {
		t.Errorf("size of unmarshal %v: a message that was refused has a size", s)
	}
}

func TestClassicBuckets(t *testing.T) {
	m, r := newMetrics(t, promx.Options{ClassicBuckets: true})
	if _, err := codec.Observe(codec.StdJSON{}, m).Marshal(1); err != nil {
		t.Fatal(err)
	}
	h := gather(t, r)[`zmy_codec_size_bytes{codec="json",op="marshal"}`].GetHistogram()
	if len(h.GetBucket()) < 10 || len(h.GetPositiveSpan()) == 0 {
		t.Errorf("%v, want classic and native buckets", h)
	}
}

// named is JSON by another name.
type named struct {
	codec.StdJSON
	name string
}

func (c named) Name() string { return c.name }

func TestNamesAreBounded(t *testing.T) {
	m, r := newMetrics(t, promx.Options{MaxCodecs: 3})
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() { _, _ = codec.Observe(named{name: fmt.Sprint("c", i)}, m).Marshal(1) })
	}
	wg.Wait()
	var total uint64
	labels := 0
	for name, x := range gather(t, r) {
		if strings.HasPrefix(name, "zmy_codec_duration_seconds") {
			labels++
			total += x.GetHistogram().GetSampleCount()
		}
	}
	if labels != 4 || total != 100 {
		t.Errorf("%d series of %d operations, want 3 and other, of 100", labels, total)
	}
}

func TestExemplar(t *testing.T) {
	m, r := newMetrics(t, promx.Options{ClassicBuckets: true, Exemplar: func(context.Context) prometheus.Labels {
		return prometheus.Labels{"trace_id": "abc"}
	}})
	if _, err := codec.Observe(codec.StdJSON{}, m).Marshal(1); err != nil {
		t.Fatal(err)
	}
	h := gather(t, r)[`zmy_codec_size_bytes{codec="json",op="marshal"}`].GetHistogram()
	if x := h.GetBucket()[0].GetExemplar(); len(x.GetLabel()) != 1 || x.GetLabel()[0].GetValue() != "abc" || x.GetValue() != 1 {
		t.Errorf("%v has no exemplar of the message of one byte", h)
	}
}

func TestFallback(t *testing.T) {
	m, r := newMetrics(t, promx.Options{})
	c := codec.Fallback(codec.ZMY{}, m.Fallback("sessions", codec.WhenClass(codec.ClassUnsupported)), codec.StdJSON{})
	type untagged struct{ A string }
	if _, err := c.Marshal(untagged{"a"}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Marshal(func() {}); err == nil {
		t.Fatal("a function is marshaled")
	}
	got := gather(t, r)[`zmy_codec_fallbacks_total{class="unsupported",fallback="sessions"}`]
	if n := got.GetCounter().GetValue(); n != 2 { // one was served, one failed again
		t.Errorf("%v fallbacks, want 2", n)
	}
}

// everything returns a registry with each metric of the package in it.
func everything(t *testing.T) *prometheus.Registry {
	t.Helper()
	var pool codec.Pool
	pool.Get(100).Release()
	c, err := canary.New(codec.StdJSON{}, codec.FXJSON{}, canary.Options{Name: "json"})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []canary.Arm{canary.Incumbent, canary.Candidate} {
		_, _ = c.Codec(a).Marshal(1)
		_, _ = c.Codec(a).Marshal(func() {}) // which neither can: no failure of the candidate
	}
	c.Record(canary.Candidate, 0, 0, errors.New("any"))
	s := shadow.New(codec.StdJSON{}, named{name: "other"}, shadow.Options{Share: 1})
	_, _ = s.Marshal(1)
	m, r := newMetrics(t, promx.Options{
		Pools:     map[string]*codec.Pool{"replies": &pool},
		Canaries:  []*canary.Canary{c},
		Shadows:   map[string]*shadow.Codec{"json": s},
		Breakers:  map[string]func() map[string]int{"tenants": func() map[string]int { return map[string]int{"open": 2} }},
		Degraders: map[string]func() (string, float64, uint64){"zmy-json": func() (string, float64, uint64) { return "half-open", 0.1, 3 }},
		Services:  map[string]func() map[string]uint64{"api": func() map[string]uint64 { return map[string]uint64{"limited": 4} }},
	})
	o := codec.Observe(codec.StdJSON{}, m)
	_, _ = o.Marshal(1)
	_, _ = o.Marshal(func() {})
	m.Fallback("sessions", func(error) bool { return true })(errors.New("any"))
	call(m.Calls(func(context.Context) (string, bool, bool) { return "/shop.Orders/Get", true, true }))
	events(t, m)
	return r
}

func TestEverything(t *testing.T) {
	r := everything(t)
	got := gather(t, r)
	for name, want := range map[string]float64{
		`zmy_pool_gets_total{pool="replies",result="miss"}`:                       1,
		`zmy_breakers{group="tenants",state="open"}`:                              2,
		`zmy_canary_refused_total{arm="candidate",canary="json",op="marshal"}`:    1,
		`zmy_degrader_state{degrader="zmy-json",state="half-open"}`:               1,
		`zmy_degrader_state{degrader="zmy-json",state="primary"}`:                 0,
		`zmy_degrader_share_ratio{degrader="zmy-json"}`:                           0.1,
		`zmy_degrader_trips_total{degrader="zmy-json"}`:                           3,
		`zmy_nano_outcomes_total{outcome="limited",service="api"}`:                4,
		`zmy_canary_phase{canary="json",phase="idle"}`:                            1,
		`zmy_canary_phase{canary="json",phase="promoted"}`:                        0,
		`zmy_canary_share_ratio{canary="json"}`:                                   0,
		`zmy_canary_operations_total{arm="candidate",canary="json",op="marshal"}`: 1,
		`zmy_canary_errors_total{arm="candidate",canary="json",op="marshal"}`:     0,
		`zmy_canary_operations_total{arm="candidate",canary="json",op="request"}`: 1,
		`zmy_canary_errors_total{arm="candidate",canary="json",op="request"}`:     1,
		`zmy_shadow_trials_total{op="marshal",shadow="json"}`:                     1,
		`zmy_shadow_different_total{op="marshal",shadow="json"}`:                  0,
		`zmy_shadow_bytes_total{op="marshal",shadow="json",side="incumbent"}`:     1,
		`zmy_codec_fallbacks_total{class="other",fallback="sessions"}`:            1,
		`zmy_codec_errors_total{class="unsupported",codec="json",op="marshal"}`:   1,
	} {
		m, ok := got[name]
		if v := m.GetCounter().GetValue() + m.GetGauge().GetValue(); !ok || v != want {
			t.Errorf("%s is %v (there: %v), want %v", name, v, ok, want)
		}
	}
	problems, err := testutil.GatherAndLint(r)
	if err != nil || len(problems) > 0 {
		t.Errorf("lint: %v %v", problems, err)
	}
	for name := range got {
		if strings.Contains(name, "tenant=") || strings.Contains(name, "key=") || strings.Contains(name, "type=") {
			t.Errorf("%s has a label without end", name)
		}
	}
}

func TestTwoOfOneName(t *testing.T) {
	c, err := canary.New(codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := promx.New(promx.Options{Canaries: []*canary.Canary{c, c}}); err == nil || !strings.Contains(err.Error(), "json-fxjson") {
		t.Errorf("two canaries of one name: %v", err)
	}
}

// TestDashboard: it is JSON, each panel asks for metrics that are exported, with
// labels that they have, and each metric is on a panel.
func TestDashboard(t *testing.T) {
	var d struct {
		Title  string
		Panels []struct {
			ID      int
			Type    string
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(promx.Dashboard, &d); err != nil {
		t.Fatal(err)
	}
	labels := map[string]map[string]bool{} // of each exported metric
	families, err := everything(t).Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		labels[f.GetName()] = map[string]bool{"job": true, "instance": true}
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				labels[f.GetName()][l.GetName()] = true
			}
		}
	}
	metric := regexp.MustCompile(`zmy_[a-z0-9_]+`)
	selector := regexp.MustCompile(`(zmy_[a-z0-9_]+)\{([^}]*)\}`)
	matcher := regexp.MustCompile(`([a-z_]+)\s*=~?\s*"`)
	grouping := regexp.MustCompile(`by \(([^)]*)\)`)
	shown := map[string]bool{}
	ids := map[int]bool{}
	for _, p := range d.Panels {
		if ids[p.ID] {
			t.Errorf("two panels have the id %d", p.ID)
		}
		ids[p.ID] = true
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("%s: a panel without a query", p.Title)
		}
		for _, target := range p.Targets {
			names := metric.FindAllString(target.Expr, -1)
			if len(names) == 0 {
				t.Errorf("%s: %s asks for none of our metrics", p.Title, target.Expr)
			}
			for _, n := range names {
				if labels[n] == nil {
					t.Errorf("%s: %s is not exported", p.Title, n)
					continue
				}
				shown[n] = true
				for _, g := range grouping.FindAllStringSubmatch(target.Expr, -1) {
					for _, l := range strings.Split(g[1], ",") {
						if !labels[n][strings.TrimSpace(l)] {
							t.Errorf("%s: %s has no label %s", p.Title, n, l)
						}
					}
				}
			}
			for _, s := range selector.FindAllStringSubmatch(target.Expr, -1) {
				for _, l := range matcher.FindAllStringSubmatch(s[2], -1) {
					if !labels[s[1]][l[1]] {
						t.Errorf("%s: %s has no label %s", p.Title, s[1], l[1])
					}
				}
			}
			if strings.Count(target.Expr, "(") != strings.Count(target.Expr, ")") {
				t.Errorf("%s: brackets of %s", p.Title, target.Expr)
			}
		}
	}
	for name := range labels {
		if !shown[name] {
			t.Errorf("%s is on no panel", name)
		}
	}
}

func TestEndAllocatesNothing(t *testing.T) {
	m, _ := newMetrics(t, promx.Options{})
	ctx, e := t.Context(), codec.Event{Codec: "json", Duration: time.Microsecond, Size: 100}
	m.End(ctx, e)
	if n := testing.AllocsPerRun(100, func() { m.End(m.Begin(ctx, e), e) }); n != 0 {
		t.Errorf("%v allocations an operation", n)
	}
}

func BenchmarkObserver(b *testing.B) {
	m, err := promx.New(promx.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ctx, e := context.Background(), codec.Event{Codec: "json", Duration: time.Microsecond, Size: 100}
	b.ReportAllocs()
	for b.Loop() {
		m.End(m.Begin(ctx, e), e)
	}
}
