package promx

import (
	"maps"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zmylab/zmy/codec/canary"
	"github.com/zmylab/zmy/codec/shadow"
)

// Metrics that are counted elsewhere and read when Prometheus collects.
var (
	poolGets    = desc("zmy_pool_gets_total", "Buffers taken from a pool, by whether one was there: hit or miss.", "pool", "result")
	poolDropped = desc("zmy_pool_dropped_total", "Buffers that were too large or small for their pool when released.", "pool")

	breakers = desc("zmy_breakers", "Circuit breakers by state.", "group", "state")

	degraderState = desc("zmy_degrader_state", "1 for the state that a degrader of gRPC calls is in, 0 for the others.",
		"degrader", "state")
	degraderShare = desc("zmy_degrader_share_ratio", "Share of calls that begin with the primary codec, 0 to 1.", "degrader")
	degraderTrips = desc("zmy_degrader_trips_total", "How often the degrader changed to its fallback.", "degrader")

	serviceOutcomes = desc("zmy_nano_outcomes_total", "Requests that were not served as usual, by outcome.", "service", "outcome")

	canaryShare      = desc("zmy_canary_share_ratio", "Share of requests that get the candidate, 0 to 1.", "canary")
	canaryPhase      = desc("zmy_canary_phase", "1 for the phase that a canary is in, 0 for the others.", "canary", "phase")
	canaryOperations = desc("zmy_canary_operations_total", "Operations of a canary's arms.", "canary", "arm", "op")
	canaryErrors     = desc("zmy_canary_errors_total",
		"Operations of a canary's arms that failed, without what is refused by no fault of theirs.", "canary", "arm", "op")
	canaryRefused = desc("zmy_canary_refused_total",
		"Operations of a canary's arms that failed by no fault of theirs, or by none that can be proven.", "canary", "arm", "op")
	canaryP99 = desc("zmy_canary_p99_seconds", "99th percentile of durations in the window by which arms are compared.",
		"canary", "arm", "op")

	shadowTrials    = desc("zmy_shadow_trials_total", "Operations that were tried on a candidate.", "shadow", "op")
	shadowDifferent = desc("zmy_shadow_different_total", "Trials in which the candidate differed from the incumbent.", "shadow", "op")
	shadowPanics    = desc("zmy_shadow_panics_total", "Trials in which the candidate panicked.", "shadow", "op")
	shadowSkipped   = desc("zmy_shadow_skipped_total", "Sampled operations that could not be tried.", "shadow", "op")
	shadowDropped   = desc("zmy_shadow_dropped_total", "Sampled operations for which the queue had no room.", "shadow", "op")
	shadowSeconds   = desc("zmy_shadow_seconds_total", "Time of the same operations, by codec: incumbent or candidate.",
		"shadow", "op", "side")
	shadowBytes = desc("zmy_shadow_bytes_total", "Bytes of the same messages, by codec: incumbent or candidate.",
		"shadow", "op", "side")
)

// read lists the descriptions of these metrics for Describe.
var read []*prometheus.Desc

func desc(name, help string, labels ...string) *prometheus.Desc {
	d := prometheus.NewDesc(name, help, labels, nil)
	read = append(read, d)
	return d
}

// counted returns the metrics that this package counts itself.
func (m *Metrics) counted() []prometheus.Collector {
	return []prometheus.Collector{m.codecs.duration, m.codecs.size, m.codecs.errors, m.fallbacks,
		m.calls.duration, m.calls.size, m.calls.errors, m.events.publish, m.events.lag, m.events.ended}
}

// Describe implements [prometheus.Collector].
func (m *Metrics) Describe(ch chan<- *prometheus.Desc) {
	for _, c := range m.counted() {
		c.Describe(ch)
	}
	for _, d := range read {
		ch <- d
	}
}

// Collect implements [prometheus.Collector].
func (m *Metrics) Collect(ch chan<- prometheus.Metric) {
	for _, c := range m.counted() {
		c.Collect(ch)
	}
	s := sink(ch)
	for name, p := range m.opt.Pools {
		stats := p.Stats()
		s.counter(poolGets, float64(stats.Hits), name, "hit")
		s.counter(poolGets, float64(stats.Misses), name, "miss")
		s.counter(poolDropped, float64(stats.Dropped), name)
	}
	for group, states := range m.opt.Breakers {
		for state, n := range states() {
			s.gauge(breakers, float64(n), group, state)
		}
	}
	for name, now := range m.opt.Degraders {
		s.degrader(name, now)
	}
	for name, counts := range m.opt.Services {
		for outcome, n := range counts() {
			s.counter(serviceOutcomes, float64(n), name, outcome)
		}
	}
	m.mu.Lock()
	hubs := maps.Clone(m.hubs)
	m.mu.Unlock()
	for name, h := range hubs {
		s.hub(name, h.Stats())
	}
	for _, c := range m.opt.Canaries {
		s.canary(c.State())
	}
	for name, x := range m.opt.Shadows {
		r := x.Report()
		s.shadow(name, "marshal", r.Marshal)
		s.shadow(name, "unmarshal", r.Unmarshal)
	}
}

// sink is the channel to which Collect sends metrics.
type sink chan<- prometheus.Metric

func (s sink) counter(d *prometheus.Desc, v float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
}

func (s sink) gauge(d *prometheus.Desc, v float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
}

// standing sends a gauge for each of the states: 1 for in, the state that name has, and 0 for the
// others.
func standing[S ~string](s sink, d *prometheus.Desc, name string, in S, states ...S) {
	for _, state := range states {
		v := 0.0
		if state == in {
			v = 1
		}
		s.gauge(d, v, name, string(state))
	}
}

// degraderStates are the states of package degrade of adapters/grpcx.
var degraderStates = []string{"primary", "half-open", "fallback"}

func (s sink) degrader(name string, now func() (string, float64, uint64)) {
	state, share, trips := now()
	standing(s, degraderState, name, state, degraderStates...)
	s.gauge(degraderShare, share, name)
	s.counter(degraderTrips, float64(trips), name)
}

var phases = []canary.Phase{canary.Idle, canary.Running, canary.Paused, canary.RolledBack, canary.Promoted}

func (s sink) canary(c canary.State) {
	s.gauge(canaryShare, c.Share, c.Name)
	standing(s, canaryPhase, c.Name, c.Phase, phases...)
	for arm, x := range map[canary.Arm][2][]canary.Signals{
		canary.Incumbent: {c.Total.Incumbent, c.Window.Incumbent},
		canary.Candidate: {c.Total.Candidate, c.Window.Candidate},
	} {
		for _, g := range x[0] {
			s.counter(canaryOperations, float64(g.Samples), c.Name, arm.String(), g.Op)
			s.counter(canaryErrors, float64(g.Errors), c.Name, arm.String(), g.Op)
			s.counter(canaryRefused, float64(g.Refused), c.Name, arm.String(), g.Op)
		}
		for _, g := range x[1] {
			s.gauge(canaryP99, g.P99.Seconds(), c.Name, arm.String(), g.Op)
		}
	}
}

func (s sink) shadow(name, op string, o shadow.Operation) {
	s.counter(shadowTrials, float64(o.Trials), name, op)
	s.counter(shadowDifferent, float64(o.Different), name, op)
	s.counter(shadowPanics, float64(o.Panics), name, op)
	s.counter(shadowSkipped, float64(o.Skipped), name, op)
	s.counter(shadowDropped, float64(o.Dropped), name, op)
	for side, c := range map[string]shadow.Cost{"incumbent": o.Incumbent, "candidate": o.Candidate} {
		s.counter(shadowSeconds, c.Duration.Seconds(), name, op, side)
		s.counter(shadowBytes, float64(c.Bytes), name, op, side)
	}
}
