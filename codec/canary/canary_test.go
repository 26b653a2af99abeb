package canary_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
	"github.com/zmylab/zmy/codec/codectest"
)

// timed is JSON that takes its time, fails or panics.
type timed struct {
	codec.StdJSON
	name  string
	media string
	do    func() error // before each operation
}

func (c timed) Name() string { return c.name }

func (c timed) MediaTypes() []string {
	if c.media != "" {
		return []string{c.media}
	}
	return c.StdJSON.MediaTypes()
}

func (c timed) Marshal(v any) ([]byte, error) {
	if err := c.do(); err != nil {
		return nil, err
	}
	return c.StdJSON.Marshal(v)
}

func (c timed) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if err := c.do(); err != nil {
		return dst, err
	}
	return c.StdJSON.AppendMarshal(dst, v)
}

func (c timed) MarshalStable(v any) ([]byte, error) { return c.Marshal(v) }

func (c timed) Unmarshal(b []byte, v any) error {
	if err := c.do(); err != nil {
		_ = json.Unmarshal([]byte(`{"A":"torn"}`), v)
		return err
	}
	return c.StdJSON.Unmarshal(b, v)
}

func sleeping(name string, d time.Duration) timed {
	return timed{name: name, do: func() error { time.Sleep(d); return nil }}
}

var errBroken = errors.New("broken")

func newCanary(t *testing.T, in, ca codec.Codec, o canary.Options) *canary.Canary {
	t.Helper()
	c, err := canary.New(in, ca, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// serve runs c in the bubble of a synctest and serves n requests a second.
func serve(t *testing.T, c *canary.Canary, seconds, n int) {
	ctx, cancel := context.WithCancel(t.Context())
	defer func() { cancel(); synctest.Wait() }()
	go func() { _ = c.Run(ctx) }()
	for s := range seconds {
		for i := range n {
			go func() { _, _ = c.Codec(c.Choose("", fmt.Sprint(s, "-", i))).Marshal("value") }()
		}
		time.Sleep(time.Second)
	}
}

func TestAllSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []canary.Event
		c := newCanary(t, sleeping("old", time.Millisecond), sleeping("new", time.Millisecond), canary.Options{
			Hold: 2 * time.Minute, Limits: canary.Limits{MinSamples: 100}, OnEvent: func(e canary.Event) { events = append(events, e) },
		})
		serve(t, c, 60, 100)
		if s := c.State(); s.Phase != canary.Idle || s.Share != 0 || len(s.Total.Candidate) > 0 {
			t.Fatalf("before Start: %+v", s)
		}
		must(t, c.Start("release 2"))
		serve(t, c, 60*10, 100)
		var got []string
		for _, e := range events {
			got = append(got, fmt.Sprintf("%s %.2f %s", e.Phase, e.Share, e.Cause))
		}
		want := []string{"running 0.01 manual", "running 0.10 hold", "running 0.50 hold", "running 1.00 hold", "promoted 1.00 hold"}
		if !slices.Equal(got, want) {
			t.Errorf("events\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		for i, e := range events[1:] {
			if held := e.Time.Sub(events[i].Time); held < 2*time.Minute {
				t.Errorf("%v was held for %v", events[i].Share, held)
			}
		}
		if s := c.State(); s.Phase != canary.Promoted || !reflect.DeepEqual(s.Events, events) ||
			s.Window.Incumbent == nil || len(s.Window.Candidate) != 1 {
			t.Errorf("state %+v", s)
		}
	})
}

// TestRollBack breaks the candidate in each way and at each time, and counts how
// many seconds it goes on serving.
func TestRollBack(t *testing.T) {
	fail := func() error { return errBroken }
	slow := func() error { time.Sleep(10 * time.Millisecond); return nil }
	tests := []struct {
		name   string
		broken func() error
		share  float64 // when it breaks
		within int     // seconds
		cause  canary.Cause
	}{
		{"fails at one percent", fail, 0.01, 15, canary.CauseErrors},
		{"panics at half", func() error { panic("help") }, 0.5, 3, canary.CauseErrors},
		{"slow at half", slow, 0.5, 20, canary.CauseP99},
		{"slow for all", slow, 1, 20, canary.CauseP99},
		{"fails for all", fail, 1, 3, canary.CauseErrors},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				do := func() error { time.Sleep(time.Millisecond); return nil }
				var mu sync.Mutex
				now := do
				ca := timed{name: "new", do: func() error { mu.Lock(); f := now; mu.Unlock(); return f() }}
				var log bytes.Buffer
				c := newCanary(t, sleeping("old", time.Millisecond), ca, canary.Options{
					Hold: time.Hour, Logger: slog.New(slog.NewJSONHandler(&log, nil)),
				})
				must(t, c.Start(""))
				serve(t, c, 70, 200)
				must(t, c.SetShare(tt.share, "test"))
				serve(t, c, 70, 200)
				if p := c.State().Phase; p != canary.Paused {
					t.Fatalf("%s before it breaks: %s", p, c.State().Reason)
				}
				mu.Lock()
				now = tt.broken
				mu.Unlock()
				serve(t, c, tt.within, 200)
				s := c.State()
				if last := s.Events[len(s.Events)-1]; s.Phase != canary.RolledBack || last.Cause != tt.cause ||
					s.Share != 0 || c.Choose("canary", "k") != canary.Incumbent {
					t.Fatalf("after %d s: %s, cause %s (%s)", tt.within, s.Phase, last.Cause, s.Reason)
				}
				if !strings.Contains(log.String(), `"level":"ERROR","msg":"canary rolled back"`) {
					t.Errorf("log %s", log.String())
				}
				served := s.Total.Candidate[0].Samples
				serve(t, c, 120, 10)
				if s := c.State(); s.Phase != canary.RolledBack || s.Total.Candidate[0].Samples != served {
					t.Errorf("rolled back it is %s and has served %d more", s.Phase, s.Total.Candidate[0].Samples-served)
				}
				must(t, c.Start("mended"))
				if s := c.State(); s.Phase != canary.Running || s.Share != 0.01 {
					t.Errorf("started again: %s at %v", s.Phase, s.Share)
				}
			})
		})
	}
}

// TestStepsBetweenBuckets: steps that are no whole number of buckets are gone through as all
// others.
func TestStepsBetweenBuckets(t *testing.T) {
	for _, tt := range []struct {
		steps []float64
		want  string
	}{
		{[]float64{1.0 / 3, 1}, "[0.3333 1 1]"},
		{[]float64{1.0 / 7, 2.0 / 3, 0.99996}, "[0.1429 0.6667 1 1]"},
		{[]float64{0.00005, 0.00016}, "[0.0001 0.0002 0.0002]"},
	} {
		c := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{Steps: tt.steps})
		must(t, c.Start(""))
		for range tt.steps {
			must(t, c.Advance(""))
		}
		s := c.State()
		var shares []float64
		for _, e := range s.Events {
			shares = append(shares, e.Share)
		}
		if got := fmt.Sprint(shares); got != tt.want || s.Phase != canary.Promoted {
			t.Errorf("steps %v: %s after shares %s, want promoted after %s", tt.steps, s.Phase, got, tt.want)
		}
	}
}

func TestHoldsWithoutTraffic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCanary(t, sleeping("old", 1), sleeping("new", 1), canary.Options{Hold: time.Minute})
		must(t, c.Start(""))
		serve(t, c, 600, 1)
		if s := c.State(); s.Phase != canary.Running || s.Share != 0.01 {
			t.Errorf("after six requests of the candidate: %s at %v", s.Phase, s.Share)
		}
	})
}

func TestManual(t *testing.T) {
	c := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{Name: "json", Steps: []float64{0.2, 0.6}})
	steps := []struct {
		name string
		do   func() error
		want string // phase and share, or the error
	}{
		{"resume idle", func() error { return c.Resume("") }, "canary json: resume: it is idle"},
		{"advance idle", func() error { return c.Advance("") }, "canary json: advance: it is idle"},
		{"start", func() error { return c.Start("") }, "running 0.2"},
		{"start twice", func() error { return c.Start("") }, "canary json: start: it is running"},
		{"pause", func() error { return c.Pause("lunch") }, "paused 0.2"},
		{"pause twice", func() error { return c.Pause("") }, "canary json: pause: it is paused"},
		{"share", func() error { return c.SetShare(0.3, "") }, "paused 0.3"},
		{"share of nobody", func() error { return c.SetShare(0.00004, "") },
			"canary json: share 4e-05 would serve nobody: shares are rounded to 1/10000; take at least that, or 0"},
		{"no share", func() error { return c.SetShare(1.5, "") }, "canary json: share 1.5 is not within 0 and 1"},
		{"resume", func() error { return c.Resume("") }, "running 0.3"},
		{"advance", func() error { return c.Advance("") }, "running 0.6"},
		{"advance past the last step", func() error { return c.Advance("") }, "promoted 0.6"},
		{"roll back", func() error { return c.RollBack("pager") }, "rolled back 0"},
		{"promote", func() error { return c.Promote("") }, "promoted 1"},
	}
	for _, s := range steps {
		err := s.do()
		got := fmt.Sprintf("%s %v", c.State().Phase, c.State().Share)
		if err != nil {
			got = err.Error()
		}
		if got != s.want {
			t.Errorf("%s: %s, want %s", s.name, got, s.want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		opt  canary.Options
		want string
	}{
		{canary.Options{Steps: []float64{0.5, 0.1}}, "rise"},
		{canary.Options{Steps: []float64{0.5, 2}}, "up to 1"},
		{canary.Options{Steps: []float64{}}, "no steps"},
		{canary.Options{Steps: []float64{0.00004, 1}}, "4e-05 serves nobody"},
		{canary.Options{Steps: []float64{0.5, 0.50001, 1}}, "0.50001 serves nobody whom 0.5 does not"},
		{canary.Options{Hold: -1}, "negative"},
		{canary.Options{Limits: canary.Limits{P99Ratio: -1}}, "negative"},
	} {
		if _, err := canary.New(codec.StdJSON{}, codec.FXJSON{}, tt.opt); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want one with %q", tt.opt, err, tt.want)
		}
	}
	if _, err := canary.New(nil, codec.FXJSON{}, canary.Options{}); err == nil {
		t.Error("no incumbent, no error")
	}
}

func TestChoose(t *testing.T) {
	const n = 20_000
	c := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	if c.Choose("canary", "") != canary.Candidate || c.Choose("stable", "") != canary.Incumbent ||
		c.Choose("other", "k") != canary.Incumbent {
		t.Error("idle: the header does not decide")
	}
	had := map[string]bool{}
	for _, share := range []float64{0.01, 0.1, 0.5, 1} {
		must(t, c.SetShare(share, ""))
		keyed, drawn := 0, 0
		for i := range n {
			key := fmt.Sprint(i)
			a := c.Choose("", key)
			if a != c.Choose("", key) {
				t.Fatalf("key %s has two arms", key)
			}
			if a == canary.Candidate {
				keyed++
				had[key] = true
			} else if had[key] {
				t.Fatalf("key %s had the candidate at a smaller share than %v", key, share)
			}
			if c.Choose("", "") == canary.Candidate {
				drawn++
			}
		}
		for what, got := range map[string]int{"with keys": keyed, "drawn": drawn} {
			if d := float64(got)/n - share; d < -0.03 || d > 0.03 || share == 1 && got != n {
				t.Errorf("share %v, %s: %d of %d", share, what, got, n)
			}
		}
		if share == 1 && c.Choose("stable", "k") != canary.Incumbent {
			t.Error("the header does not reach the incumbent any more")
		}
	}
	off := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{NoHeader: true})
	if off.Choose("canary", "k") != canary.Incumbent {
		t.Error("NoHeader, and the header decides")
	}
	if allocs := testing.AllocsPerRun(100, func() { c.Choose("", "user-17") }); allocs != 0 {
		t.Errorf("Choose allocates %v times", allocs)
	}
}

type doc struct{ A string }

func TestRescue(t *testing.T) {
	for name, do := range map[string]func() error{
		"fails":  func() error { return errBroken },
		"panics": func() error { panic("help") },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCanary(t, codec.StdJSON{}, timed{name: "new", do: do}, canary.Options{})
			x := c.Codec(canary.Candidate)
			b, err := x.Marshal(doc{"a"})
			if err != nil || string(b) != `{"A":"a"}` {
				t.Errorf("marshal %q, %v", b, err)
			}
			if b, err = codec.Append(x, []byte("x"), doc{"a"}); err != nil || string(b) != `x{"A":"a"}` {
				t.Errorf("append %q, %v", b, err)
			}
			if b, err = codec.MarshalStable(x, doc{"a"}); err != nil || string(b) != `{"A":"a"}` {
				t.Errorf("stable %q, %v", b, err)
			}
			if p, err := codec.MarshalPooled(x, new(codec.Pool), doc{"a"}); err != nil || string(p.B) != `{"A":"a"}` {
				t.Errorf("pooled %v, %v", p, err)
			}
			var d doc
			if err := x.Unmarshal([]byte(`{"A":"b"}`), &d); err != nil || d.A != "b" {
				t.Errorf("unmarshal %+v, %v", d, err)
			}
			d = doc{}
			if err := codec.UnmarshalView(x, []byte(`{"A":"b"}`), &d); err != nil || d.A != "b" {
				t.Errorf("view %+v, %v", d, err)
			}
			err = x.Unmarshal([]byte(`{"A":"b"}`), &d)
			if err == nil {
				t.Error("a target that was in use is rescued")
			}
			if p := new(codec.PanicError); codec.ClassOf(err) == codec.ClassPanic && (!errors.As(err, &p) || len(p.Stack) == 0) {
				t.Errorf("a panic without its stack: %v", err)
			}
			total := c.State().Total
			var errs uint64
			for _, s := range total.Candidate {
				errs += s.Errors
			}
			if errs != 7 || len(total.Incumbent) != 2 {
				t.Errorf("%d failures of the candidate, incumbent %+v; want 7, and what it served", errs, total.Incumbent)
			}
		})
	}
}

func TestStrict(t *testing.T) {
	panics := timed{name: "new", do: func() error { panic("help") }}
	elsewhere := panics
	elsewhere.media = "application/x-new"
	for name, c := range map[string]*canary.Canary{
		"strict":             newCanary(t, codec.StdJSON{}, panics, canary.Options{Strict: true}),
		"another media type": newCanary(t, codec.StdJSON{}, elsewhere, canary.Options{}),
	} {
		func() {
			defer func() {
				if r := recover(); r != "help" {
					t.Errorf("%s: recovered %v, want the candidate's own panic", name, r)
				}
			}()
			_, err := c.Codec(canary.Candidate).Marshal(1)
			t.Errorf("%s: no panic, error %v", name, err)
		}()
		if s := c.State().Total.Candidate; len(s) != 1 || s[0].Errors != 1 {
			t.Errorf("%s: %+v, want one failure", name, s)
		}
	}
}

func TestContract(t *testing.T) {
	value := codectest.Case{Name: "doc", Value: doc{"a"}}
	c := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	for _, share := range []float64{0, 0.5, 1} {
		must(t, c.SetShare(share, ""))
		codectest.Run(t, c.Routed(), value)
	}
	codectest.Run(t, c.Codec(canary.Incumbent), value)
	codectest.Run(t, c.Codec(canary.Candidate), value)
	if total := c.State().Total; len(total.Candidate) < 2 || len(total.Incumbent) < 4 {
		t.Errorf("totals %+v", total)
	}
}

func TestRouted(t *testing.T) {
	c := newCanary(t, timed{name: "old", do: func() error { return nil }}, timed{name: "new", do: func() error { return nil }},
		canary.Options{})
	r := c.Routed()
	if r.Name() != "old" || codec.MediaType(r) != "application/json" {
		t.Errorf("name %s, media type %s", r.Name(), codec.MediaType(r))
	}
	ctx := c.WithRequest(t.Context(), "canary", "")
	if got := codec.WithContext(ctx, r).Name(); got != "new" {
		t.Errorf("the request's header asks for the candidate, it gets %s", got)
	}
	if a, ok := c.FromContext(ctx); !ok || a != canary.Candidate {
		t.Errorf("from the context: %v, %v", a, ok)
	}
	other := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	if _, ok := other.FromContext(ctx); ok {
		t.Error("a canary finds the choice of another")
	}
	if got := codec.WithContext(t.Context(), r).Name(); got != "old" {
		t.Errorf("idle, without a choice: %s", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("two media types behind one codec")
		}
	}()
	newCanary(t, codec.StdJSON{}, codec.Gob{}, canary.Options{}).Routed()
}

// An observed registry tells the arms apart by their names.
// TestRoutedMediaTypes: what a registry offers does not depend on the arm that was drawn when it was
// built.
func TestRoutedMediaTypes(t *testing.T) {
	c := newCanary(t, codec.StdJSON{}, timed{name: "new", media: "application/json", do: func() error { return nil }}, canary.Options{})
	must(t, c.Promote(""))
	reg := codec.NewRegistry(c.Routed())
	if got, want := reg.MediaTypes(), (codec.StdJSON{}).MediaTypes(); !slices.Equal(got, want) {
		t.Errorf("offers %q, want the incumbent's %q", got, want)
	}
}

func TestArmsAreObserved(t *testing.T) {
	c := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	reg := codec.NewRegistry(c.Routed())
	o := &names{}
	reg.Observe(o)
	x, err := reg.Lookup("json")
	must(t, err)
	for _, header := range []string{"stable", "canary"} {
		if _, err := codec.WithContext(c.WithRequest(t.Context(), header, ""), x).Marshal(1); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"json", "fxjson"}; !slices.Equal(o.got, want) {
		t.Errorf("observed %v, want %v", o.got, want)
	}
}

type names struct{ got []string }

func (n *names) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }
func (n *names) End(_ context.Context, e codec.Event)                     { n.got = append(n.got, e.Codec) }

func TestRestore(t *testing.T) {
	old := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	must(t, old.Start("release 2"))
	must(t, old.RollBack("pager"))
	saved, err := json.Marshal(old.State())
	must(t, err)
	var s canary.State
	must(t, json.Unmarshal(saved, &s))
	c := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	must(t, c.Restore(s))
	if got := c.State(); got.Phase != canary.RolledBack || got.Reason != "restored: pager" || len(got.Events) != 3 {
		t.Errorf("restored %+v", got)
	}
	if c.Choose("canary", "") != canary.Incumbent {
		t.Error("a candidate rolled back is within reach after a restart")
	}
	for _, bad := range []canary.State{{}, {Phase: canary.Running, Share: 2}, {Phase: canary.RolledBack, Share: 0.5}} {
		if c.Restore(bad) == nil {
			t.Errorf("restored %+v", bad)
		}
	}
}

// A callback may change the canary; events come one by one and in order.
func TestEventsInCallbacks(t *testing.T) {
	var c *canary.Canary
	var got []canary.Phase
	c = newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{OnEvent: func(e canary.Event) {
		if e.Phase == canary.Running && len(got) == 0 {
			must(t, c.Pause("from the callback"))
		}
		got = append(got, e.Phase)
	}})
	must(t, c.Start(""))
	if want := []canary.Phase{canary.Running, canary.Paused}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	for range 100 {
		must(t, c.SetShare(0.5, ""))
	}
	if n := len(c.State().Events); n != 32 {
		t.Errorf("%d events kept", n)
	}
}

func TestRecordAndStreams(t *testing.T) {
	c := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	c.Record(canary.Incumbent, time.Millisecond, 100, nil)
	c.Record(canary.Incumbent, time.Millisecond, 0, errBroken)
	var buf bytes.Buffer
	s, ok := codec.As[codec.Streamer](c.Codec(canary.Incumbent))
	if !ok {
		t.Fatal("JSON has streams, its arm has not")
	}
	e := s.NewEncoder(&buf)
	must(t, e.Encode(doc{"a"}))
	d := s.NewDecoder(&buf)
	must(t, d.Decode(new(doc)))
	if err := d.Decode(new(doc)); err == nil {
		t.Error("no end of the stream")
	}
	var got []string
	for _, x := range c.State().Total.Incumbent {
		got = append(got, fmt.Sprintf("%s %d %d", x.Op, x.Samples, x.Errors))
	}
	if want := []string{"encode 1 0", "decode 1 0", "request 2 1"}; !slices.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
}

func TestConcurrent(t *testing.T) {
	c := newCanary(t, codec.StdJSON{}, codec.FXJSON{}, canary.Options{Window: 10 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { _ = c.Run(ctx) })
	var users sync.WaitGroup
	for g := range 4 {
		users.Go(func() {
			for i := range 500 {
				x := codec.WithContext(c.WithRequest(ctx, "", fmt.Sprint(g, i)), c.Routed())
				if b, err := x.Marshal(doc{"a"}); err != nil || x.Unmarshal(b, new(doc)) != nil {
					t.Error(err)
				}
				if i%100 == g {
					must(t, c.SetShare(float64(i)/500, ""))
				}
				if i%50 == 0 {
					_ = c.State()
				}
			}
		})
	}
	users.Wait()
	cancel()
	wg.Wait()
	total := c.State().Total
	if n := total.Incumbent[0].Samples + total.Candidate[0].Samples; n != 2000 {
		t.Errorf("%d operations of 2000 are counted", n)
	}
}

func BenchmarkChoose(b *testing.B) {
	c, err := canary.New(codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	if err == nil {
		err = c.SetShare(0.1, "")
	}
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.Choose("", "5f0c1b9e-6c0f-4f6e-8f3b-0d8f4a6f3c11")
	}
}

func BenchmarkMarshal(b *testing.B) {
	c, err := canary.New(codec.FXJSON{}, codec.StdJSON{}, canary.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for name, x := range map[string]codec.Codec{"plain": codec.FXJSON{}, "incumbent": c.Codec(canary.Incumbent)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := x.Marshal(1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
