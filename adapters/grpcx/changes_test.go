package grpcx

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/zmylab/zmy/adapters/grpcx/degrade"
	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/internal/patience"
)

// noting is an observer that notes changes, and on behalf of which call they are told.
type noting struct{ got []string }

type callKey struct{}

func (n *noting) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }
func (n *noting) End(context.Context, codec.Event)                         {}

func (n *noting) Changed(ctx context.Context, c codec.Change) {
	n.got = append(n.got, fmt.Sprintf("%s %s-%s %v worse=%t by call %v", c.Chooser, c.From, c.To, c.Share, c.Worse, ctx.Value(callKey{})))
}

// answer is a connection whose server marshals and unmarshals in the codec of the call.
func answer(_ context.Context, _ string, req, reply any, _ *grpc.ClientConn, opts ...grpc.CallOption) error {
	c, _ := callCodec(opts)
	out, err := c.Marshal(req)
	if err != nil {
		return err
	}
	defer out.Free()
	return c.Unmarshal(out, reply)
}

// TestChanges: who is told of a change may ask the degrader and make calls through it, is told of
// one after the other, in order, and the change is logged and handed to observers on behalf of the
// call that has brought it about.
func TestChanges(t *testing.T) {
	var d *Degrader
	var events []string
	var inside bool
	var tel *Telemetry
	var echo func(i int) error
	onEvent := func(e degrade.Event) {
		if inside {
			t.Error("told of one change within another")
		}
		inside = true
		defer func() { inside = false }()
		state, share := d.State()
		events = append(events, fmt.Sprintf("%v-%v, it is %v %v", e.From, e.To, state, share))
		if len(events) > 1 {
			return
		}
		if err := echo(-1); err != nil { // in the fallback, which is sound
			t.Error(err)
		}
		d.learn(t.Context(), tel.method(echoMethod, client), servedNo) // changes it once more
		if len(events) != 1 {
			t.Error("told of the second change before the first was told")
		}
	}
	var now atomic.Int64
	clock := func() time.Time { return time.Unix(0, now.Load()) }
	d, err := NewDegrader(fragileCodec, jsonCodec, degrade.Config{ErrorsOnly: 0.5, MinSamples: 20, OnEvent: onEvent, Now: clock},
		WithFallbackServed())
	if err != nil {
		t.Fatal(err)
	}

	var text bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	seen := new(noting)
	tel = NewTelemetry(WithDegrader(d), WithObserver(codec.Observers{seen}), WithLogger(logger), WithSlow(0))
	intercept := tel.UnaryClientInterceptor()
	echo = func(i int) error {
		ctx := context.WithValue(t.Context(), callKey{}, i)
		return intercept(ctx, echoMethod, &orderlite.Order{ID: "reply"}, new(orderlite.Order), nil, answer, subtype(fragileCodec))
	}

	broken.Store(replyUnmarshal)
	defer broken.Store(sound)
	done := make(chan struct{})
	go func() { // a lock that is never released would hang the test
		defer close(done)
		for i := 0; i < 60 && len(events) == 0; i++ {
			now.Add(int64(time.Second))
			_ = echo(i)
		}
	}()
	select {
	case <-done:
	case <-time.After(patience.For(time.Minute)):
		t.Fatal("locked up: what is told of a change has asked the degrader")
	}

	if want := []string{"primary-fallback, it is fallback 0", "fallback-primary, it is primary 1"}; !slices.Equal(events, want) {
		t.Errorf("told %q, want %q", events, want)
	}
	if want := []string{"fragile-json primary-fallback 0 worse=true by call 20",
		"fragile-json fallback-primary 1 worse=false by call <nil>"}; !slices.Equal(seen.got, want) {
		t.Errorf("the observer was told %q, want %q", seen.got, want)
	}
	want := []string{
		`level=WARN msg="codec changed" chooser=fragile-json from=primary to=fallback share=0 cause="100.0% of 20 calls failed"`,
		`level=INFO msg="codec changed" chooser=fragile-json from=fallback to=primary share=1 ` +
			`cause="the other side does not have the fallback"`,
	}
	if got := strings.Split(strings.TrimSpace(text.String()), "\n"); !slices.Equal(got, want) {
		t.Errorf("logged %q, want %q", got, want)
	}
	if state, share, trips := d.Standing(); state != "primary" || share != 1 || trips != 1 {
		t.Errorf("it stands at %s %v after %d trips", state, share, trips)
	}
}
