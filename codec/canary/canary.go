// Package canary lets a new codec serve a growing share of requests, and takes it
// back by itself when it does worse than the old one.
//
// A [Canary] chooses an [Arm] for each request, by a header or by a hash of a key
// (the same user, the same arm), and hands out the codec of that arm, which
// records what it does. While [Canary.Run] runs, both arms are compared every
// second, and the canary goes from step to step, or back to nothing.
//
//	idle ──Start──▶ running ──last step held──▶ promoted
//	                │    ▲                         │
//	             Pause  Resume                     │
//	                ▼    │                         │
//	               paused ──────▶ rolled back ◀────┘   (errors, P99, size, or RollBack)
//
// Each process decides for itself, from what it serves. To keep many of them
// together, or to remember a roll-back over a restart, save the state on each
// [Event] and hand it to [Canary.Restore].
package canary

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/codec"
)

// Arm is one of the two codecs.
type Arm uint8

// The arms.
const (
	Incumbent Arm = iota
	Candidate

	arms = 2
)

// String is "incumbent" or "candidate".
func (a Arm) String() string {
	if a == Candidate {
		return "candidate"
	}
	return "incumbent"
}

// DefaultHeader is the request header that names an arm.
const DefaultHeader = "X-ZMY-ENV"

// Values of the header.
const (
	HeaderCandidate = "canary"
	HeaderIncumbent = "stable"
)

// Options of a canary. The zero value goes from 1% over 10% and 50% to 100%, ten
// minutes each, once Start was called.
type Options struct {
	Name string // in events and metrics; "incumbent-candidate" by the codecs' names if empty

	// Header is the request header by which a client asks for an arm, DefaultHeader if empty. A
	// client that can set it can use the candidate before its time and choose its messages: those
	// that it alone refuses, or is slow or large at, roll it back. Garbage does not (see Limits).
	// Drop the header at the edge from requests that are not yours, or set NoHeader.
	Header   string
	NoHeader bool

	Seed  uint64        // decides which keys are among the first; the same in all processes
	Steps []float64     // shares, rising, up to 1, rounded to 1/Buckets
	Hold  time.Duration // at each step, ten minutes if 0
	// Manual leaves going forward to Advance. Going back stays automatic.
	Manual bool

	Window time.Duration // over which the arms are compared, a minute if 0
	Limits Limits
	// Judge decides in place of Limits, of which MinSamples still says when a step is held.
	Judge Judge

	// Retry is how long after a roll-back of its own the canary starts again; 0 is never. Each time
	// that the candidate goes back before it was promoted for MaxRetry, the canary waits twice as
	// long, up to MaxRetry.
	Retry, MaxRetry time.Duration

	// Strict lets errors and panics of the candidate reach the caller. Otherwise, where
	// both codecs have one media type, the incumbent is asked again: the request is
	// served if it can be, and the failure counted all the same.
	Strict bool

	OnEvent func(Event) // called for each change, one at a time, in order
	Logger  *slog.Logger

	Now func() time.Time // the clock, time.Now if nil
}

// Judge decides about a candidate by the signals of the last Window and of the present step. An
// incumbent that serves too little has the signals of when it last served enough. The zero [Cause]
// goes on, [CauseKept] goes on and says why, [CauseUnfit] promotes the candidate, and any other
// cause rolls it back. A judge is called by one goroutine at a time, in every phase but Idle, and
// must not call the canary.
type Judge func(phase Phase, window, step Arms) (cause Cause, why string)

// Canary divides requests between two codecs.
type Canary struct {
	opt    Options
	names  [arms]string // of the codecs
	codecs [arms]codec.Codec
	arm    [arms]*armCodec
	route  atomic.Pointer[route] // all that choosing needs; replaced on change
	totals [arms]recorder

	mu         sync.Mutex
	phase      Phase
	since      time.Time
	reason     string
	atStep     [arms]sums      // totals when the step began
	baseline   sums            // of the incumbent, when it last served enough
	wait       time.Duration   // from the last roll-back of its own to the start after it
	again      time.Time       // when to start again, zero for never
	ctx        context.Context // of the Evaluate under way
	ring       []mark
	events     []Event // the last ones, oldest first
	pending    []Event // not yet handed to OnEvent
	delivering bool
}

// route is one way of choosing, never changed once published.
type route struct {
	phase   Phase
	buckets uint64 // of Buckets, those that get the candidate
	header  bool   // the header decides where it is set
}

// New returns an idle canary: all requests get the incumbent, unless their header
// says otherwise.
func New(incumbent, candidate codec.Codec, o Options) (*Canary, error) {
	if incumbent == nil || candidate == nil {
		return nil, errors.New("canary: incumbent and candidate must not be nil; see NewChooser for a canary without codecs")
	}
	c, err := newCanary([arms]string{incumbent.Name(), candidate.Name()}, o)
	if err != nil {
		return nil, err
	}
	c.codecs = [arms]codec.Codec{incumbent, candidate}
	same := codec.MediaType(incumbent) == codec.MediaType(candidate)
	c.arm[Incumbent] = &armCodec{Codec: incumbent, rec: &c.totals[Incumbent]}
	c.arm[Candidate] = &armCodec{Codec: candidate, rec: &c.totals[Candidate], incumbent: c.arm[Incumbent],
		reads: same, rescued: same && !o.Strict}
	return c, nil
}

// NewChooser returns an idle canary without codecs, for a transport that has codecs of another
// kind: it chooses arms, and knows what they do by Record alone. Its methods Codec and Routed must
// not be called.
func NewChooser(incumbent, candidate string, o Options) (*Canary, error) {
	return newCanary([arms]string{incumbent, candidate}, o)
}

func newCanary(names [arms]string, o Options) (*Canary, error) {
	if err := o.setDefaults(names); err != nil {
		return nil, err
	}
	c := &Canary{opt: o, names: names, phase: Idle, since: o.Now()}
	c.ring = []mark{{at: c.since}}
	c.publish(0)
	return c, nil
}

func (o *Options) setDefaults(names [arms]string) error {
	if o.Name == "" {
		o.Name = names[Incumbent] + "-" + names[Candidate]
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Header == "" {
		o.Header = DefaultHeader
	}
	if o.Steps == nil {
		o.Steps = []float64{0.01, 0.10, 0.50, 1}
	}
	rounded := make([]float64, len(o.Steps)) // what is served, and told
	last := 0.0
	for i, s := range o.Steps {
		if !(s > last && s <= 1) {
			return fmt.Errorf("canary %s: steps %v: want shares that rise, above 0 and up to 1", o.Name, o.Steps)
		}
		if bucketsOf(s) == bucketsOf(last) {
			return fmt.Errorf("canary %s: steps %v: %v serves nobody whom %v does not serve; shares are rounded to 1/%d, take "+
				"steps at least that far apart", o.Name, o.Steps, s, last, Buckets)
		}
		last, rounded[i] = s, float64(bucketsOf(s))/Buckets
	}
	o.Steps = rounded
	if len(o.Steps) == 0 {
		return fmt.Errorf("canary %s: no steps", o.Name)
	}
	if o.Hold < 0 || o.Window < 0 || o.Retry < 0 {
		return fmt.Errorf("canary %s: hold %v, window %v and retry %v must not be negative", o.Name, o.Hold, o.Window, o.Retry)
	}
	o.MaxRetry = max(o.MaxRetry, o.Retry)
	if o.Hold == 0 {
		o.Hold = 10 * time.Minute
	}
	if o.Window == 0 {
		o.Window = time.Minute
	}
	return o.Limits.setDefaults()
}

// Name returns the name of Options.
func (c *Canary) Name() string { return c.opt.Name }

// Header is the name of the request header that Choose wants the value of.
func (c *Canary) Header() string { return c.opt.Header }

// Choose returns the arm for a request: the one that header (the value of the
// request header, "" if there is none) asks for, else by the bucket of key, so
// that one key stays with one arm and an arm keeps its keys while its share
// grows. Requests without a key are drawn at random. It takes no lock and allocates
// nothing.
func (c *Canary) Choose(header, key string) Arm {
	r := c.route.Load()
	if header != "" && r.header {
		switch header {
		case HeaderCandidate:
			return Candidate
		case HeaderIncumbent:
			return Incumbent
		}
	}
	var b uint64
	switch {
	case r.buckets == 0:
		return Incumbent
	case r.buckets == Buckets:
		return Candidate
	case key == "":
		b = rand.Uint64N(Buckets)
	default:
		b = Bucket(c.opt.Seed, key)
	}
	if b < r.buckets {
		return Candidate
	}
	return Incumbent
}

// Codec returns the codec of an arm, which records what it does. Its name, bytes
// and powers are those of the codec handed to New.
func (c *Canary) Codec(a Arm) codec.Codec { return c.arm[a&1] }

// Record adds to the signals of an arm what was done without its codec: a whole
// request, for instance. size is in bytes. Any err counts against the arm: hand in
// none for what is the client's mistake, or do not record it.
func (c *Canary) Record(a Arm, took time.Duration, size int, err error) {
	c.totals[a&1].record(opRequest, took, size, err)
}

// contextKey is the context key of the arm that a canary has chosen for a request.
type contextKey struct{ c *Canary }

// WithRequest chooses an arm and returns a context that remembers it, for
// [Canary.Routed] and [Canary.FromContext].
func (c *Canary) WithRequest(ctx context.Context, header, key string) context.Context {
	return context.WithValue(ctx, contextKey{c}, c.Choose(header, key))
}

// FromContext returns the arm that WithRequest has chosen.
func (c *Canary) FromContext(ctx context.Context) (a Arm, ok bool) {
	a, ok = ctx.Value(contextKey{c}).(Arm)
	return a, ok
}

// publish makes share the one that is served.
func (c *Canary) publish(share float64) {
	c.route.Store(&route{
		phase:   c.phase,
		buckets: bucketsOf(share),
		header:  !c.opt.NoHeader && c.phase != RolledBack,
	})
}

// Standing returns the phase and the share of requests that the candidate serves. It takes no lock.
func (c *Canary) Standing() (Phase, float64) {
	r := c.route.Load()
	return r.phase, float64(r.buckets) / Buckets
}

func (c *Canary) share() float64 {
	_, share := c.Standing()
	return share
}
