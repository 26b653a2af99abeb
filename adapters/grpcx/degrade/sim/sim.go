// Package sim runs a degrade.Machine through scenarios of faults. It takes no real time, since the
// clock is simulated, and gives the same result each time, since its random numbers are seeded.
package sim

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zmylab/zmy/adapters/grpcx/degrade"
)

// Script is a scenario of faults, with what the machine should do.
type Script struct {
	Name, Title string
	Expect      string // what should happen, in words
	Length      time.Duration
	Rate        int // calls a second
	Config      degrade.Config
	// Call returns the call that begins t seconds after the start.
	Call func(t float64, r *rand.Rand) Call

	End     degrade.State // the final state that is expected
	Events  int           // the number of changes that are expected
	Refused bool          // a refused change is expected
}

// Call says how both codecs would do in one call.
type Call struct {
	Size              int
	Primary, Fallback Outcome
}

// Outcome says how a codec did.
type Outcome struct {
	Took   time.Duration
	Failed bool
}

// Run is the result of a script.
type Run struct {
	Script
	Final   degrade.State
	Changes []degrade.Event
	Refusal []degrade.Event
	Seconds []Second
}

// Second sums up one second of a run.
type Second struct {
	Calls, OnFallback    int
	Failed               int           // as callers saw it
	PrimaryFailed        int           // failures if all calls had begun with the primary
	SlowestSeen, Slowest time.Duration // as callers saw it, and if all had begun with the primary
}

// begin is the start time of every script.
var begin = time.Unix(0, 0)

// At returns how long after the start of its script an event happened.
func At(e degrade.Event) time.Duration { return e.Time.Sub(begin) }

// Play runs a script. The same script always gives the same run.
func Play(s Script) (Run, error) {
	run := Run{Script: s, Seconds: make([]Second, int(s.Length/time.Second))}
	c := s.Config
	c.OnEvent = func(e degrade.Event) {
		if e.From == degrade.Primary && e.To == degrade.Primary {
			run.Refusal = append(run.Refusal, e)
			return
		}
		run.Changes = append(run.Changes, e)
	}
	var now time.Duration
	c.Now = func() time.Time { return begin.Add(now) }
	m, err := degrade.New(c)
	if err != nil {
		return run, err
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range int(s.Length.Seconds()) * s.Rate {
		now = time.Duration(i) * time.Second / time.Duration(s.Rate)
		if m.Due() {
			m.Look(context.Background())
		}
		call := s.Call(now.Seconds(), r)
		choice := m.Pick(call.Size, r.Float64())
		seen := call.Primary
		if choice.Fallback {
			seen = call.Fallback
		}
		m.Record(degrade.Sample{Choice: choice, Size: call.Size, Took: seen.Took, Failed: seen.Failed,
			ShadowTook: call.Fallback.Took, ShadowFailed: call.Fallback.Failed})
		run.Seconds[int(now/time.Second)].count(choice, call.Primary, seen)
	}
	run.Final, _ = m.State()
	return run, nil
}

func (s *Second) count(c degrade.Choice, primary, seen Outcome) {
	s.Calls++
	if c.Fallback {
		s.OnFallback++
	}
	if seen.Failed {
		s.Failed++
	}
	if primary.Failed {
		s.PrimaryFailed++
	}
	s.SlowestSeen = max(s.SlowestSeen, seen.Took)
	s.Slowest = max(s.Slowest, primary.Took)
}

// PlayAll runs all scripts.
func PlayAll() ([]Run, error) {
	var out []Run
	for _, s := range Scripts() {
		r, err := Play(s)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return slices.Clip(out), nil
}
