// Package capture learns the shape of the values that a program in production marshals and
// unmarshals, and keeps no content: of each path of a type it counts how often there is a value, how
// long strings, lists and maps are, how large numbers are, and how many different values there are. It
// never keeps a string, a number or the key of a map, except at paths that Options.Public lists.
//
// The result is a file fit.json (package fit), from which zmy lab draws values:
//
//	c := capture.New(capture.Options{})
//	registry.Observe(c)                              // or grpcx.WithObserver(c), c.Bodies(handler, …), c.Value(v)
//	mux.Handle("GET /debug/zmy/fit", c.Handler())    // where only you can reach it, like net/http/pprof
package capture

import (
	"cmp"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/capture/fit"
	"github.com/zmylab/zmy/fxjson"
)

// Options are the options of a Capture. The zero value looks at 1% of the values, takes 8 MiB at
// most, and keeps no content.
type Options struct {
	// Rate is the share of values and bodies that are looked at, from 0 to 1; 0 means 0.01.
	Rate float64
	// Seed makes the choice of values repeatable: the n-th value is looked at or not. 0 chooses at
	// random, which costs less if many goroutines ask at once.
	Seed uint64
	// Limits bounds memory and work, and lists the paths whose values are public.
	fit.Limits
}

// Capture learns shapes. It is a [codec.Observer] and is safe for concurrent use. A value that is
// not looked at costs a few nanoseconds and no allocation. A value that is looked at is learned on
// the caller's goroutine.
type Capture struct {
	under uint64 // a value is looked at if its random number is below
	whole bool   // all values are looked at, and none is dropped but those that a value's method marshals
	seed  uint64
	count atomic.Uint64

	mu      sync.Mutex // held while a value is learned
	learner *fit.Learner
	busy    atomic.Uint64
}

var _ codec.Observer = (*Capture)(nil)

// New returns a Capture that has seen nothing.
func New(o Options) *Capture {
	rate := min(cmp.Or(max(o.Rate, 0), 0.01), 1)
	c := &Capture{seed: o.Seed, whole: rate == 1, learner: fit.NewLearner(o.Limits)}
	c.learner.Valid = fxjson.Valid
	if !c.whole {
		c.under = uint64(math.Ldexp(rate, 64))
	}
	return c
}

// chosen reports whether the next value is looked at.
func (c *Capture) chosen() bool {
	switch {
	case c.whole:
		return true
	case c.seed == 0:
		return rand.Uint64() < c.under
	}
	// The numbers of splitmix64 (Steele, Lea and Flood 2014).
	x := c.seed + c.count.Add(1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x^x>>31 < c.under
}

// learn calls f while no other value is learned. If one is, and not all values are looked at, this
// one is dropped, so that no request waits for another. A panic of a user's method ends the value.
func (c *Capture) learn(f func(*fit.Learner)) {
	if !c.mu.TryLock() {
		if !c.whole || learning() {
			c.busy.Add(1)
			return
		}
		c.mu.Lock()
	}
	defer c.mu.Unlock()
	defer func() {
		if recover() != nil {
			c.learner.Fit.Skipped.Failed++
		}
	}()
	f(c.learner)
}

// learning reports whether this goroutine learns a value already: a method of the value, such as
// MarshalJSON, marshals by a codec that is observed. To wait would be to wait for itself.
func learning() bool {
	pcs := make([]uintptr, 64)
	for skip := 3; ; skip += len(pcs) { // this function and the learn that asks are no answer
		n := runtime.Callers(skip, pcs)
		if n == 0 {
			return false
		}
		frames := runtime.CallersFrames(pcs[:n])
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			if strings.HasSuffix(f.Function, "capture.(*Capture).learn") {
				return true
			}
		}
	}
}

// Value looks at v, if it is chosen. Nobody may change v meanwhile. The subject is the type of v, and
// its paths are those of the JSON that encoding/json would write, whatever the codec.
func (c *Capture) Value(v any) {
	if v != nil && c.chosen() {
		c.value(v)
	}
}

func (c *Capture) value(v any) { c.learn(func(l *fit.Learner) { l.Value(v) }) }

// JSON looks at a JSON document, if it is chosen. If t is nil, the subject is name, and all keys of
// objects are content that is not kept, except Options.Names. With a type, the names of its fields
// are kept.
func (c *Capture) JSON(name string, text []byte, t reflect.Type) {
	if c.chosen() {
		c.json(name, text, t)
	}
}

func (c *Capture) json(name string, text []byte, t reflect.Type) {
	c.learn(func(l *fit.Learner) { l.JSON(name, text, t) })
}

// Begin returns ctx.
func (c *Capture) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }

// End looks at the value of an operation that succeeded, if it is chosen.
func (c *Capture) End(_ context.Context, e codec.Event) {
	if e.Err == nil && c.chosen() {
		if v := e.Value(); v != nil {
			c.value(v)
		}
	}
}

// Fit returns what was learned so far. It is a copy.
func (c *Capture) Fit() *fit.Fit {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := fit.Merge(c.learner.Fit)
	f.Skipped.Busy += c.busy.Load()
	return f
}

// WriteTo writes what was learned so far as JSON.
func (c *Capture) WriteTo(w io.Writer) (int64, error) {
	text, err := c.Fit().Marshal()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(text)
	return int64(n), err
}

// WriteFile writes what was learned so far to a file, which is complete at any time.
func (c *Capture) WriteFile(name string) error { return c.Fit().WriteFile(name) }

// WriteEvery writes the file at intervals, and once more when ctx ends. It then returns the error of
// the last attempt; a failed attempt before that is repeated at the next interval. Each process needs
// a file of its own: [fit.Merge] adds them up.
func (c *Capture) WriteEvery(ctx context.Context, name string, every time.Duration) error {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			_ = c.WriteFile(name)
		case <-ctx.Done():
			return c.WriteFile(name)
		}
	}
}
