package otelx_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/zmylab/zmy/adapters/otelx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
)

// recorded returns an observer and what it has recorded; sampler may be nil.
func recorded(o otelx.Options, sampler sdk.Sampler) (codec.Observer, *tracetest.SpanRecorder, trace.TracerProvider) {
	r := tracetest.NewSpanRecorder()
	opts := []sdk.TracerProviderOption{sdk.WithSpanProcessor(r)}
	if sampler != nil {
		opts = append(opts, sdk.WithSampler(sampler))
	}
	p := sdk.NewTracerProvider(opts...)
	o.TracerProvider = p
	return otelx.New(o), r, p
}

func attributes(s sdk.ReadOnlySpan) string {
	var out []string
	for _, a := range s.Attributes() {
		if a.Key != otelx.KeyStack {
			out = append(out, string(a.Key)+"="+a.Value.String())
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// slow is JSON that takes a while.
type slow struct {
	codec.StdJSON
	d time.Duration
}

func (c slow) Marshal(v any) ([]byte, error) { time.Sleep(c.d); return c.StdJSON.Marshal(v) }

func TestSpans(t *testing.T) {
	version := "zmy.codec.version=" + runtime.Version()
	tests := []struct {
		name   string
		do     func(c codec.Codec) error
		span   string
		attrs  string
		status codes.Code
	}{
		{"marshal", func(c codec.Codec) error { _, err := c.Marshal(7); return err },
			"json:encode", version + " zmy.codec=json zmy.op=marshal zmy.size=1 zmy.type=int", codes.Unset},
		{"unmarshal", func(c codec.Codec) error { return c.Unmarshal([]byte("7 "), new(int)) },
			"json:decode", version + " zmy.codec=json zmy.op=unmarshal zmy.size=2 zmy.type=*int", codes.Unset},
		{"error", func(c codec.Codec) error { return c.Unmarshal([]byte("x"), new(int)) },
			"json:decode", "error.type=syntax " + version + " zmy.codec=json zmy.op=unmarshal zmy.size=1 zmy.type=*int", codes.Error},
		{"stream", func(c codec.Codec) error {
			s, _ := codec.As[codec.Streamer](c)
			return s.NewEncoder(new(strings.Builder)).Encode(nil)
		}, "json:encode", version + " zmy.codec=json zmy.op=encode zmy.size=5", codes.Unset},
	}
	for _, tt := range tests {
		o, r, _ := recorded(otelx.Options{Share: otelx.Development, Slow: -1}, nil) // a busy machine makes anything slow
		err := tt.do(codec.Observe(codec.StdJSON{}, o))
		spans := r.Ended()
		if len(spans) != 1 || (err != nil) != (tt.status == codes.Error) {
			t.Fatalf("%s: %d spans, %v", tt.name, len(spans), err)
		}
		s := spans[0]
		if s.Name() != tt.span || attributes(s) != tt.attrs || s.Status().Code != tt.status ||
			s.SpanKind() != trace.SpanKindInternal || len(s.Events()) > 0 {
			t.Errorf("%s: %s %s %v %v\nwant %s %s", tt.name, s.Name(), attributes(s), s.Status(), s.SpanKind(), tt.span, tt.attrs)
		}
	}
}

func TestOptions(t *testing.T) {
	o, r, _ := recorded(otelx.Options{
		Share: 1, ErrorTexts: true, Kind: trace.SpanKindClient, Frames: 3, Versions: map[string]string{"json": "v9"},
	}, nil)
	_ = codec.Observe(codec.StdJSON{}, o).Unmarshal([]byte("x"), new(int))
	s := r.Ended()[0]
	if s.SpanKind() != trace.SpanKindClient || len(s.Events()) != 1 || !strings.Contains(attributes(s), "zmy.codec.version=v9") {
		t.Errorf("%v %v %s", s.SpanKind(), s.Events(), attributes(s))
	}
	stack := ""
	for _, a := range s.Attributes() {
		if a.Key == otelx.KeyStack {
			stack = a.Value.AsString()
		}
	}
	if first, _, _ := strings.Cut(stack, "\n"); !strings.HasSuffix(first, "otelx_test.TestOptions") || strings.Count(stack, "\t") != 3 {
		t.Errorf("stack\n%s\nwant three frames from this test on", stack)
	}
}

// uses are ways to a codec, of which each puts other frames between its user and the observer.
func uses(t *testing.T) map[string]func(o codec.Observer) error {
	marshal := func(c codec.Codec) error { _, err := c.Marshal(1); return err }
	arm := func(o codec.Observer) codec.Codec {
		c, err := canary.New(codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return codec.Observe(c.Routed(), o)
	}
	return map[string]func(o codec.Observer) error{
		"observed":  func(o codec.Observer) error { return marshal(codec.Observe(codec.StdJSON{}, o)) },
		"observers": func(o codec.Observer) error { return marshal(codec.Observe(codec.StdJSON{}, codec.Observers{o})) },
		"nested": func(o codec.Observer) error {
			return marshal(codec.Guarded(codec.Observe(codec.StdJSON{}, codec.Observers{codec.Observers{o}})))
		},
		"append": func(o codec.Observer) error {
			_, err := codec.Append(codec.Observe(codec.StdJSON{}, o), nil, 1)
			return err
		},
		"pooled": func(o codec.Observer) error {
			b, err := codec.MarshalPooled(codec.Observe(codec.StdJSON{}, codec.Observers{o}), new(codec.Pool), 1)
			if err == nil {
				b.Release()
			}
			return err
		},
		"within an arm": func(o codec.Observer) error {
			c, err := canary.New(codec.Observe(codec.StdJSON{}, codec.Observers{o}), codec.FXJSON{}, canary.Options{})
			if err != nil {
				return err
			}
			return marshal(c.Routed())
		},
		"around a canary": func(o codec.Observer) error { return marshal(arm(o)) },
		"stream": func(o codec.Observer) error {
			s, _ := codec.As[codec.Streamer](codec.Observe(codec.StdJSON{}, codec.Observers{o}))
			return s.NewEncoder(new(strings.Builder)).Encode(1)
		},
	}
}

// TestStackBegins where the codec is used, and MaxDepth counts from there, whatever lies between.
func TestStackBegins(t *testing.T) {
	for name, use := range uses(t) {
		t.Run(name, func(t *testing.T) {
			o, r, _ := recorded(otelx.Options{Share: 1, Frames: 2, Slow: -1}, nil)
			if err := use(o); err != nil {
				t.Fatal(err)
			}
			if len(r.Ended()) != 1 {
				t.Fatalf("%d spans", len(r.Ended()))
			}
			stack := ""
			for _, a := range r.Ended()[0].Attributes() {
				if a.Key == otelx.KeyStack {
					stack = a.Value.AsString()
				}
			}
			if first, _, _ := strings.Cut(stack, "\n"); !strings.Contains(first, "otelx_test.uses.") || strings.Count(stack, "\t") != 2 {
				t.Errorf("stack\n%s\nwant two frames from the use on", stack)
			}
		})
	}
	for name, o := range map[string]func(codec.Observer) codec.Observer{
		"bare":      func(o codec.Observer) codec.Observer { return o },
		"observers": func(o codec.Observer) codec.Observer { return codec.Observers{o} },
		"nested":    func(o codec.Observer) codec.Observer { return codec.Observers{codec.Observers{o}} },
	} {
		here := runtime.Callers(1, make([]uintptr, 100)) // frames from this function up
		for _, tt := range []struct{ most, want int }{{here - 1, 0}, {here, 1}, {here + 1, 1}} {
			x, r, _ := recorded(otelx.Options{Share: 1, MaxDepth: tt.most, Slow: -1}, nil)
			if _, err := codec.Observe(codec.StdJSON{}, o(x)).Marshal(1); err != nil {
				t.Fatal(err)
			}
			if got := len(r.Ended()); got != tt.want {
				t.Errorf("%s, %d frames deep, at most %d: %d spans, want %d", name, here, tt.most, got, tt.want)
			}
		}
	}
}

// TestChanged: a change is an event on the span of the request on whose behalf it came about.
func TestChanged(t *testing.T) {
	o, r, p := recorded(otelx.Options{}, nil)
	ctx, span := p.Tracer("test").Start(t.Context(), "request")
	at := time.Unix(1, 0)
	codec.TellChange(ctx, codec.Observers{o}, codec.Change{Time: at, Chooser: "zmy-json", From: "primary",
		To: "fallback", Share: 0, Worse: true, Cause: "failures"})
	codec.TellChange(t.Context(), o, codec.Change{Chooser: "without a span"})
	span.End()
	events := r.Ended()[0].Events()
	if len(events) != 1 || events[0].Name != "codec changed" || !events[0].Time.Equal(at) {
		t.Fatalf("events %v", events)
	}
	var got []string
	for _, a := range events[0].Attributes {
		got = append(got, string(a.Key)+"="+a.Value.String())
	}
	if want := "[zmy.chooser=zmy-json zmy.from=primary zmy.to=fallback zmy.share=0 zmy.cause=failures]"; fmt.Sprint(got) != want {
		t.Errorf("attributes %v, want %s", got, want)
	}
}

// TestMethod: spans of what a codec does for a gRPC call name its method.
func TestMethod(t *testing.T) {
	type key struct{}
	o, r, _ := recorded(otelx.Options{Share: 1, Slow: -1, Method: func(ctx context.Context) (string, bool, bool) {
		name, ok := ctx.Value(key{}).(string)
		return name, false, ok
	}}, nil)
	c := codec.Observe(codec.StdJSON{}, o)
	for _, ctx := range []context.Context{context.WithValue(t.Context(), key{}, "/shop.Orders/Get"), t.Context()} {
		if _, err := codec.WithContext(ctx, c).Marshal(1); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := attributes(r.Ended()[0]), "rpc.method=Get rpc.service=shop.Orders rpc.system=grpc "; !strings.HasPrefix(got, want) {
		t.Errorf("within a call %s, want %s…", got, want)
	}
	if got := attributes(r.Ended()[1]); strings.Contains(got, "rpc.") {
		t.Errorf("outside of one %s", got)
	}
}

// TestParents: the decision made above holds, and spans hang below it.
func TestParents(t *testing.T) {
	for _, tt := range []struct {
		name    string
		sampler sdk.Sampler // of the provider
		opt     otelx.Options
		want    []string // spans
	}{
		{"sampled parent, whole trace", nil, otelx.Options{Share: -1}, []string{"json:encode", "json:decode", "parent"}},
		{"sampled parent, none in traces", nil, otelx.Options{Share: 1, ShareInTraces: -1}, []string{"json:decode", "parent"}},
		{"sampled parent, drawn only", nil, otelx.Options{Share: 1, ShareInTraces: -1, DrawnOnly: true}, []string{"parent"}},
		{"parent not sampled", sdk.NeverSample(), otelx.Options{Share: 1}, nil},
	} {
		tt.opt.Slow = -1
		o, r, p := recorded(tt.opt, tt.sampler)
		ctx, parent := p.Tracer("test").Start(t.Context(), "parent")
		c := codec.WithContext(ctx, codec.Observe(codec.StdJSON{}, o))
		if _, err := c.Marshal(1); err != nil {
			t.Fatal(err)
		}
		_ = c.Unmarshal(nil, new(int)) // fails
		parent.End()
		var got []string
		for _, s := range r.Ended() {
			got = append(got, s.Name())
			if s.Name() != "parent" && s.Parent().SpanID() != parent.SpanContext().SpanID() {
				t.Errorf("%s: %s is no child of the request's span", tt.name, s.Name())
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: spans %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestShare(t *testing.T) {
	const n = 20_000
	o, r, _ := recorded(otelx.Options{Slow: -1}, nil)
	c := codec.Observe(codec.StdJSON{}, o)
	for range n {
		if _, err := c.Marshal(1); err != nil {
			t.Fatal(err)
		}
	}
	// One in a hundred: 200, with a standard deviation of 14.
	if drawn := len(r.Ended()); drawn < 115 || drawn > 285 {
		t.Errorf("%d spans of %d operations, want about 200", drawn, n)
	}
}

// TestSlow: what is slow gets its span afterwards, with the right times.
func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			share float64
			d     time.Duration
			spans int
			slow  bool
		}{{-1, 4 * time.Millisecond, 0, false}, {-1, 6 * time.Millisecond, 1, true}, {1, 4 * time.Millisecond, 1, false},
			{1, 6 * time.Millisecond, 1, true}} {
			o, r, _ := recorded(otelx.Options{Share: tt.share}, nil)
			if _, err := codec.Observe(slow{d: tt.d}, o).Marshal(1); err != nil {
				t.Fatal(err)
			}
			spans := r.Ended()
			if len(spans) != tt.spans {
				t.Fatalf("share %v, %v: %d spans, want %d", tt.share, tt.d, len(spans), tt.spans)
			}
			for _, s := range spans {
				if took := s.EndTime().Sub(s.StartTime()); took != tt.d ||
					slices.Contains(s.Attributes(), otelx.KeySlow.Bool(true)) != tt.slow {
					t.Errorf("share %v: a span of %v (%s), want %v", tt.share, took, attributes(s), tt.d)
				}
			}
		}
	})
}

func TestMaxDepth(t *testing.T) {
	o, r, _ := recorded(otelx.Options{Share: 1, MaxDepth: 30, Slow: -1}, nil)
	c := codec.Observe(codec.StdJSON{}, o)
	var descend func(n int)
	descend = func(n int) {
		if n > 0 {
			descend(n - 1)
			return
		}
		if _, err := c.Marshal(1); err != nil {
			t.Error(err)
		}
	}
	descend(5)
	if n := len(r.Ended()); n != 1 {
		t.Errorf("%d spans from a shallow stack, want 1", n)
	}
	descend(50)
	if n := len(r.Ended()); n != 1 {
		t.Errorf("%d spans after one from a deep stack, want still 1", n)
	}
}

func TestPanic(t *testing.T) {
	o, r, _ := recorded(otelx.Options{Share: 1}, nil)
	func() {
		defer func() { _ = recover() }()
		_, _ = codec.Observe(panicking{}, o).Marshal(1)
	}()
	if s := r.Ended(); len(s) != 1 || !slices.Contains(s[0].Attributes(), attribute.String("error.type", "panic")) {
		t.Errorf("spans %v", s)
	}
}

type panicking struct{ codec.StdJSON }

func (panicking) Marshal(any) ([]byte, error) { panic(errors.New("help")) }

// An operation within another one, not drawn itself, leaves the outer span alone.
func TestNested(t *testing.T) {
	o, r, _ := recorded(otelx.Options{Share: 1, ShareInTraces: -1}, nil)
	e := codec.Event{Codec: "json"}
	outer := o.Begin(t.Context(), e)
	o.End(o.Begin(outer, e), e)
	if n := len(r.Ended()); n != 0 {
		t.Errorf("%d spans have ended with the inner operation", n)
	}
	o.End(outer, e)
	if n := len(r.Ended()); n != 1 {
		t.Errorf("%d spans, want the outer one", n)
	}
}

func TestRegistry(t *testing.T) {
	o, r, _ := recorded(otelx.Options{Share: 1}, nil)
	reg := codec.NewRegistry(codec.FXJSON{}, codec.Gob{})
	reg.Observe(codec.Observers{o})
	for _, name := range reg.Names() {
		c, err := reg.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Marshal(1); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, s := range r.Ended() {
		got = append(got, s.Name())
	}
	if fmt.Sprint(got) != "[fxjson:encode gob:encode]" {
		t.Errorf("spans %v", got)
	}
}

func BenchmarkObserver(b *testing.B) {
	p := sdk.NewTracerProvider()
	unsampled, span := sdk.NewTracerProvider(sdk.WithSampler(sdk.NeverSample())).Tracer("").Start(context.Background(), "")
	defer span.End()
	e := codec.Event{Codec: "json"}
	for _, bb := range []struct {
		name  string
		share float64
		ctx   context.Context
	}{
		{"no parent, 1%", otelx.Production, context.Background()},
		{"no parent, 100%", otelx.Development, context.Background()},
		{"parent not sampled", otelx.Development, unsampled},
	} {
		b.Run(bb.name, func(b *testing.B) {
			o := otelx.New(otelx.Options{Share: bb.share, TracerProvider: p})
			b.ReportAllocs()
			for b.Loop() {
				o.End(o.Begin(bb.ctx, e), e)
			}
		})
	}
}
