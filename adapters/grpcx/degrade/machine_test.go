package degrade

import (
	"context"
	"strings"
	"testing"
	"time"
)

// driven is a machine with a clock that only its methods move.
type driven struct {
	*Machine
	at time.Time
}

// wait lets d pass, and has the machine look at what is due then.
func (m *driven) wait(d time.Duration) {
	m.at = m.at.Add(d)
	if m.Due() {
		m.Look(context.Background())
	}
}

// drive makes n calls a millisecond apart, all of which go the same way.
func (m *driven) drive(n int, s Sample) {
	for range n {
		s.Choice = m.Pick(s.Size, 0.5)
		m.Record(s)
		m.wait(time.Millisecond)
	}
}

func machine(t *testing.T, c Config) (*driven, *[]Event) {
	t.Helper()
	var events []Event
	d := &driven{at: time.Unix(0, 0)}
	c.Now = func() time.Time { return d.at }
	c.OnEvent = func(e Event) { events = append(events, e) }
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	d.Machine = m
	return d, &events
}

// TestRule is the rule at its limits.
func TestRule(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name    string
		config  Config
		n, bad  int           // calls, and those among them that fail
		slow    int           // calls that take took
		took    time.Duration //
		want    State
		refused bool // for lack of a shadow, of which there is none here
	}{
		{"nothing", Config{}, 1000, 0, 0, 0, Primary, false},
		{"both", Config{}, 1000, 40, 20, 6 * ms, Primary, true},
		{"failures at the limit", Config{}, 1000, 30, 20, 6 * ms, Primary, false},
		{"failures alone", Config{}, 1000, 1000, 0, 0, Primary, false},
		{"time alone", Config{}, 1000, 0, 1000, time.Second, Primary, false},
		{"too few", Config{}, 499, 499, 499, time.Second, Primary, false},
		{"enough", Config{}, 500, 500, 500, time.Second, Primary, true},
		{"error-only", Config{ErrorsOnly: 0.05}, 1000, 60, 0, 0, Fallback, false},
		{"error-only, at the limit", Config{ErrorsOnly: 0.06}, 1000, 60, 0, 0, Primary, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, events := machine(t, c.config)
			m.wait(0)
			for i := range c.n { // within one look, so that all is judged together
				s := Sample{Failed: i < c.bad}
				if i < c.slow {
					s.Took = c.took
				}
				s.Choice = m.Pick(0, 0.5)
				m.Record(s)
			}
			m.wait(time.Second)
			if s, _ := m.State(); s != c.want || (len(*events) > 0) != (c.refused || c.want != Primary) {
				t.Errorf("state %v, events %v", s, *events)
			}
		})
	}
}

// TestForgets: the window is a minute.
func TestForgets(t *testing.T) {
	m, _ := machine(t, Config{ErrorsOnly: 0.05})
	m.drive(400, Sample{Failed: true})
	m.wait(61 * time.Second)
	m.drive(400, Sample{Failed: true})
	m.wait(time.Second)
	if s, _ := m.State(); s != Primary {
		t.Error("calls of more than a minute ago count")
	}
	m.wait(20 * time.Second)
	m.drive(400, Sample{Failed: true})
	m.wait(time.Second)
	if s, _ := m.State(); s != Fallback {
		t.Error("calls of the last minute do not count")
	}
}

// TestOtherSizes: calls of sizes that keep the primary are no trials of it.
func TestOtherSizes(t *testing.T) {
	m, _ := machine(t, Config{MinTrials: 10, StepTime: time.Nanosecond})
	const large = 1 << 20
	for range 1000 { // the fallback is faster for small messages
		m.Record(Sample{Choice: Choice{Shadow: true}, Took: time.Second, Failed: true})
		m.Record(Sample{Choice: Choice{Shadow: true}, Size: large, Took: time.Second, ShadowTook: time.Minute, Failed: true})
	}
	m.wait(time.Second)
	m.wait(61 * time.Second)
	if s, share := m.State(); s != HalfOpen || share != 0.01 {
		t.Fatalf("state %v, %v", s, share)
	}
	m.drive(100, Sample{Size: large, Failed: true, Took: time.Second})
	m.wait(time.Second)
	if s, share := m.State(); s != HalfOpen || share != 0.01 {
		t.Fatalf("large messages decide: state %v, %v", s, share)
	}
	for range 11 {
		m.Record(Sample{Choice: m.Pick(0, 0)})
	}
	m.wait(time.Second)
	if _, share := m.State(); share != 0.1 {
		t.Fatalf("share %v", share)
	}
}

func TestAvailable(t *testing.T) {
	m, events := machine(t, Config{ErrorsOnly: 0.05})
	m.drive(1000, Sample{Failed: true})
	m.wait(time.Second)
	if s, _ := m.State(); s != Fallback {
		t.Fatalf("state %v", s)
	}
	m.Available(t.Context(), false)
	if s, share := m.State(); s != Primary || share != 1 {
		t.Errorf("state %v, %v", s, share)
	}
	m.wait(time.Second)
	m.drive(2000, Sample{Failed: true})
	if s, _ := m.State(); s != Primary || !strings.Contains((*events)[len(*events)-1].Cause, "not known to have") {
		t.Errorf("state %v, events %v", s, *events)
	}
}

func TestConfig(t *testing.T) {
	for name, c := range map[string]Config{
		"Errors":     {Errors: 1.5},
		"Shadow":     {Shadow: 0.02},
		"Hold":       {Hold: time.Second},
		"MaxHold":    {Hold: time.Hour, MaxHold: time.Minute},
		"Steps[1]":   {Steps: []float64{0.5, 0.1, 1}},
		"Steps must": {Steps: []float64{0.1}},
		"MinSamples": {MinSamples: -1},
		"Window":     {Window: -1},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClass(t *testing.T) {
	for size, want := range map[int]int{0: 0, 1024: 0, 1025: 1, 8192: 1, 8193: 2, 65536: 2, 65537: 3, 1 << 30: 3} {
		if got := Class(size); got != want {
			t.Errorf("%d bytes are of class %d, want %d", size, got, want)
		}
	}
}
