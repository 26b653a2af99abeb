// Package canary lets a new codec serve a growing share of requests. If the new codec does worse
// than the old one, the package goes back to the old codec by itself.
//
// A [Canary] chooses an [Arm] for each request by a header or by the hash of a key, so that a user
// stays with one arm. It returns the codec of that arm. That codec records its operations. While
// [Canary.Run] runs, it compares both arms sixty times in a Window, which is every second by
// default. The canary then goes to the next step, or rolls the candidate back.
//
//	idle ──Start──▶ running ──last step held──▶ promoted
//	                │    ▲                         │
//	             Pause  Resume                     │
//	                ▼    │                         │
//	               paused ──────▶ rolled back ◀────┘   (errors, P99, size, or RollBack)
//
// Each process decides for itself, from the requests that it serves. To keep several processes
// together, or to keep a roll-back over a restart, save the state on each [Event] and pass it to
// [Canary.Restore].
package canary

import (
	"cmp"
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

// Arm is one of the two codecs of a canary.
type Arm uint8

// The arms.
const (
	Incumbent Arm = iota
	Candidate

	arms = 2
)

// String returns "incumbent" or "candidate".
func (a Arm) String() string {
	if a == Candidate {
		return "candidate"
	}
	return "incumbent"
}

// DefaultHeader is the default name of the request header that asks for an arm.
const DefaultHeader = "X-ZMY-ENV"

// Values of the header.
const (
	HeaderCandidate = "canary"
	HeaderIncumbent = "stable"
)

// Options are the options of a canary. With the zero value, once Start was called, it goes from 1%
// over 10% and 50% to 100% of requests, at least ten minutes each.
type Options struct {
	Name string // in events and metrics; by default the names of the codecs, with a hyphen between them

	// Header is the request header in which a client asks for an arm, by default DefaultHeader. A
	// client that can set it can use the candidate early, and can choose its messages: messages
	// that only the candidate refuses, or that make it slow or large, cause a roll-back. Garbage
	// does not (see Limits). Drop the header at the edge from requests that are not yours, or set
	// NoHeader.
	Header   string
	NoHeader bool

	Seed  uint64        // decides which keys get the candidate first; use the same in all processes
	Steps []float64     // rising shares, up to 1; rounded to 1/Buckets
	Hold  time.Duration // least time at each step; ten minutes if 0
	// Manual means that only Advance goes to the next step. Rolling back stays automatic.
	Manual bool

	Window time.Duration // the arms are compared over this time; a minute if 0
	Limits Limits
	// Judge decides instead of Limits. Limits.MinSamples still says how many operations a step
	// needs.
	Judge Judge

	// Retry is the time from a roll-back by the canary itself to a new start; 0 means that it never
	// starts again. If the candidate is rolled back again before it was promoted for MaxRetry, the
	// canary waits twice as long as the last time, up to MaxRetry.
	Retry, MaxRetry time.Duration

	// Strict passes errors and panics of the candidate to the caller. Without it, if both codecs
	// have the same media type, the incumbent does the operation again. So the request is served if
	// possible; the failure counts in any case.
	Strict bool

	OnEvent func(Event) // called for each change, one at a time, in order
	Logger  *slog.Logger

	Now func() time.Time // the clock; time.Now if nil
}

// Judge decides about a candidate from the signals of the last Window and of the present step. If
// the incumbent serves too few requests, its signals are those of the time when it last served
// enough. With an empty [Cause] the canary goes on, with [CauseKept] it goes on and reports why,
// with [CauseUnfit] it promotes the candidate, and with any other cause it rolls the candidate
// back. A Judge is called by one goroutine at a time, in every phase except Idle. It must not call
// the canary.
type Judge func(phase Phase, window, step Arms) (cause Cause, why string)

// Canary divides requests between two codecs.
type Canary struct {
	opt    Options
	names  [arms]string // of the codecs
	codecs [arms]codec.Codec
	arm    [arms]*armCodec
	route  atomic.Pointer[route] // everything that Choose needs; replaced at each change
	totals [arms]recorder

	mu         sync.Mutex
	phase      Phase
	since      time.Time
	reason     string
	atStep     [arms]sums      // totals when the step began
	baseline   sums            // the incumbent's, from when it last served enough
	wait       time.Duration   // from the last roll-back by the canary itself to the next start
	again      time.Time       // when to start again, zero for never
	ctx        context.Context // of the Evaluate that is running
	ring       []mark
	events     []Event // the last 32, oldest first
	pending    []Event // not yet passed to OnEvent
	delivering bool
}

// route says how to choose. It is not changed once published.
type route struct {
	phase   Phase
	buckets uint64 // how many of the Buckets get the candidate
	header  bool   // the request header decides if it is set
}

// New returns an idle canary: all requests get the incumbent, except those whose header asks for
// the candidate.
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

// NewChooser returns an idle canary without codecs, for a transport with codecs of another kind. It
// chooses arms, and learns what they do only from Record. Do not call its methods Codec and Routed.
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
	o.Name = cmp.Or(o.Name, names[Incumbent]+"-"+names[Candidate])
	o.Header = cmp.Or(o.Header, DefaultHeader)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Steps == nil {
		o.Steps = []float64{0.01, 0.10, 0.50, 1}
	}
	rounded := make([]float64, len(o.Steps)) // the shares that are served and reported
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
	o.Hold = cmp.Or(o.Hold, 10*time.Minute)
	o.Window = cmp.Or(o.Window, time.Minute)
	return o.Limits.setDefaults()
}

// Name returns the name of the canary, see Options.
func (c *Canary) Name() string { return c.opt.Name }

// Header returns the name of the request header whose value Choose takes.
func (c *Canary) Header() string { return c.opt.Header }

// Choose returns the arm for a request. header is the value of the request header, "" if there is
// none. If header does not ask for an arm, the bucket of key decides. So a key stays with its arm,
// and keys of the candidate stay with it while its share grows. Without a key the arm is drawn at
// random. Choose takes no lock and does not allocate.
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

// Codec returns the codec of an arm. That codec records its operations. Its name, bytes and powers
// are those of the codec that was passed to New.
func (c *Canary) Codec(a Arm) codec.Codec { return c.arm[a&1] }

// Record adds an operation that was done without the arm's codec, such as a whole request, to the
// signals of the arm. size is in bytes. Any err counts against the arm, so pass nil for a mistake
// of the client, or do not record it.
func (c *Canary) Record(a Arm, took time.Duration, size int, err error) {
	c.totals[a&1].record(opRequest, took, size, err)
}

// contextKey is the context key of the arm that a canary has chosen for a request.
type contextKey struct{ c *Canary }

// WithRequest chooses an arm and returns a context with it, for [Canary.Routed] and
// [Canary.FromContext].
func (c *Canary) WithRequest(ctx context.Context, header, key string) context.Context {
	return context.WithValue(ctx, contextKey{c}, c.Choose(header, key))
}

// FromContext returns the arm that WithRequest has chosen, if it was called.
func (c *Canary) FromContext(ctx context.Context) (a Arm, ok bool) {
	a, ok = ctx.Value(contextKey{c}).(Arm)
	return a, ok
}

// publish makes Choose use share from now on.
func (c *Canary) publish(share float64) {
	c.route.Store(&route{
		phase:   c.phase,
		buckets: bucketsOf(share),
		header:  !c.opt.NoHeader && c.phase != RolledBack,
	})
}

// Standing returns the phase, and the share of requests that get the candidate. It takes no lock.
func (c *Canary) Standing() (Phase, float64) {
	r := c.route.Load()
	return r.phase, float64(r.buckets) / Buckets
}

func (c *Canary) share() float64 {
	_, share := c.Standing()
	return share
}
