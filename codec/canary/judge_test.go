package canary_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec/canary"
)

// judged is a canary without codecs, by a clock that stands until the test moves it, and what it
// was told.
type judged struct {
	*canary.Canary
	now    time.Time
	events []string
}

func newJudged(t *testing.T, o canary.Options) *judged {
	j := &judged{now: time.Unix(0, 0)}
	o.Now = func() time.Time { return j.now }
	o.OnEvent = func(e canary.Event) {
		j.events = append(j.events, fmt.Sprint(e.Phase, " ", e.Share, " ", e.Cause, " by ", e.Context().Value(caller{})))
	}
	c, err := canary.NewChooser("old", "new", o)
	if err != nil {
		t.Fatal(err)
	}
	j.Canary = c
	return j
}

type caller struct{}

// after lets d pass, and has the canary evaluated.
func (j *judged) after(d time.Duration) {
	j.now = j.now.Add(d)
	j.Evaluate(context.WithValue(context.Background(), caller{}, "the test"))
}

func (j *judged) taken() []string {
	out := j.events
	j.events = nil
	return out
}

// TestRetry: a canary that has rolled itself back starts again, later each time, and as at first
// after it has held.
func TestRetry(t *testing.T) {
	bad := true
	c := newJudged(t, canary.Options{
		Steps: []float64{0.5, 1}, Hold: time.Second, Limits: canary.Limits{MinSamples: 1}, Retry: time.Minute, MaxRetry: 3 * time.Minute,
		Judge: func(phase canary.Phase, _, _ canary.Arms) (canary.Cause, string) {
			if bad && phase != canary.RolledBack {
				return canary.CauseErrors, "bad"
			}
			return "", ""
		},
	})
	must(t, c.Promote("begin"))
	c.taken()
	waits := func() time.Duration { // from roll-back to retry
		began := c.now
		for c.now.Sub(began) < time.Hour {
			c.after(time.Second)
			if p, _ := c.Standing(); p == canary.Running {
				return c.now.Sub(began)
			}
		}
		return 0
	}
	for i, want := range []time.Duration{time.Minute, 2 * time.Minute, 3 * time.Minute, 3 * time.Minute} {
		c.after(time.Second)
		if got := waits(); got != want {
			t.Errorf("retry %d after %v, want %v", i, got, want)
		}
	}
	want := []string{"rolled back 0 errors by the test", "running 0.5 retry by the test"}
	if got := c.taken(); !slices.Equal(got[:2], want) {
		t.Errorf("told %q, want %q", got[:2], want)
	}
	bad = false
	for range 2 {
		c.Record(canary.Candidate, time.Millisecond, 1, nil)
		c.after(2 * time.Second)
	}
	if p, share := c.Standing(); p != canary.Promoted || share != 1 {
		t.Fatalf("%v %v", p, share)
	}
	bad = true
	c.after(3 * time.Minute)
	if got := waits(); got != time.Minute {
		t.Errorf("after it has held, retried after %v", got)
	}
	c.after(time.Second)
	must(t, c.RollBack("by hand"))
	if got := waits(); got != 0 {
		t.Errorf("rolled back by hand, it started again after %v", got)
	}
}

// TestJudge: what a judge is shown, and what comes of its causes.
func TestJudge(t *testing.T) {
	var cause canary.Cause
	var shown []string
	c := newJudged(t, canary.Options{Steps: []float64{0.5, 1},
		Judge: func(phase canary.Phase, window, step canary.Arms) (canary.Cause, string) {
			var b strings.Builder
			fmt.Fprint(&b, phase)
			for _, s := range slices.Concat(window.Candidate, step.Candidate, step.Incumbent) {
				fmt.Fprintf(&b, " %s %d-%d", s.Op, s.Samples, s.Errors)
				if s.Samples > 0 && s.P99 < 900*time.Microsecond {
					t.Errorf("p99 %v: the time of a failure is missing", s.P99)
				}
			}
			shown = append(shown, b.String())
			return cause, "said so"
		}})
	c.after(time.Second) // idle: nobody is asked
	must(t, c.Start("begin"))
	for range 4 {
		c.Record(canary.Candidate, time.Millisecond, 1, errors.New("failed"))
	}
	c.Record(canary.Incumbent, time.Millisecond, 1, nil)
	c.taken()
	for _, step := range []struct {
		cause canary.Cause
		told  []string
	}{
		{"", nil},
		{canary.CauseKept, []string{"running 0.5 kept by the test"}},
		{canary.CauseUnfit, []string{"promoted 1 unfit by the test"}},
		{canary.CauseUnfit, nil},
		{canary.CauseSize, []string{"rolled back 0 size by the test"}},
		{canary.CauseSize, nil},
		{canary.CauseUnfit, []string{"promoted 1 unfit by the test"}},
	} {
		cause = step.cause
		c.after(time.Second)
		if got := c.taken(); !slices.Equal(got, step.told) {
			t.Errorf("cause %q: told %q, want %q", cause, got, step.told)
		}
	}
	if shown[0] != "running request 4-4 request 4-4 request 1-0" || !strings.HasPrefix(shown[5], "rolled back") {
		t.Errorf("shown %q", shown)
	}
}
