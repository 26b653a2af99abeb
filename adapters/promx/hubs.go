package promx

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zmylab/zmy/sse"
)

// Metrics from the counts of a hub.
var (
	hubConnections = desc("zmy_sse_connections", "Connections that are open.", "hub")
	hubPublished   = desc("zmy_sse_published_total", "Messages published by this hub.", "hub")
	hubEvents      = desc("zmy_sse_events_total", "Records seen in the broker's log.", "hub")
	hubEncoded     = desc("zmy_sse_encoded_total", "Frames made of records, each once for all connections.", "hub")
	hubDelivered   = desc("zmy_sse_delivered_total", "Events written to connections.", "hub")
	hubBytes       = desc("zmy_sse_written_bytes_total", "Bytes written to connections.", "hub")
	hubReplayed    = desc("zmy_sse_replayed_total", "Of the events delivered, those sent again.", "hub")
	hubDropped     = desc("zmy_sse_dropped_total", "Events that slow connections lost.", "hub")
	hubResets      = desc("zmy_sse_resets_total", "Events by which connections were told to start anew.", "hub")
	hubRefused     = desc("zmy_sse_refused_total", "Requests that were not admitted.", "hub")
	hubSlow        = desc("zmy_sse_slow_total", "Connections that ended since the client fell behind or a write took too long.", "hub")
	hubInvalid     = desc("zmy_sse_invalid_total", "Records in the broker's log that no event can be made of.", "hub")
)

func (s sink) hub(name string, x sse.Stats) {
	s.gauge(hubConnections, float64(x.Connections), name)
	for d, n := range map[*prometheus.Desc]uint64{
		hubPublished: x.Published, hubEvents: x.Events, hubEncoded: x.Encoded, hubDelivered: x.Delivered,
		hubBytes: x.Bytes, hubReplayed: x.Replayed,
		hubDropped: x.Dropped, hubResets: x.Resets, hubRefused: x.Refused, hubSlow: x.Slow, hubInvalid: x.Invalid,
	} {
		s.counter(d, float64(n), name)
	}
}

// AddHub collects the counts of h under a name. Hubs are not a field of [Options] because a hub
// that is opened with [Metrics.Events] needs the metrics first. AddHub replaces an earlier hub of
// the same name.
func (m *Metrics) AddHub(name string, h *sse.Hub) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hubs[name] = h
}

// eventMetrics are metrics that hubs report as things happen.
type eventMetrics struct {
	publish, lag *prometheus.HistogramVec
	ended        *prometheus.CounterVec
}

func newEventMetrics(o *Options) eventMetrics {
	return eventMetrics{
		publish: o.durations("zmy_sse_publish_duration_seconds", "Time that the broker took for a message, failures among them.", "hub"),
		lag: o.durations("zmy_sse_lag_seconds",
			"From when an event was published until it was written to a connection, the oldest of each flush.", "hub"),
		ended: counter("zmy_sse_ended_total", "Connections that have ended and requests that were refused, by reason.", "hub", "reason"),
	}
}

// Events returns functions for the option sse.WithMetrics of the hub with that name. They measure
// how long publishing takes, how long after their publishing events are written, and why
// connections end. They cost some 100 ns for each flush of a connection.
//
//	hub, err := sse.Open(ctx, broker, sse.WithMetrics(m.Events("orders")))
//	m.AddHub("orders", hub)
func (m *Metrics) Events(hub string) sse.Metrics {
	publish, lag := m.events.publish.WithLabelValues(hub), m.events.lag.WithLabelValues(hub)
	ended := func(why sse.Reason) { m.events.ended.WithLabelValues(hub, string(why)).Inc() }
	return sse.Metrics{
		Publish:    func(_ int, took time.Duration, _ error) { publish.Observe(took.Seconds()) },
		Refuse:     ended,
		Disconnect: func(why sse.Reason, _ time.Duration) { ended(why) },
		Write: func(_, _ int, d time.Duration) {
			if d > 0 { // else no event was written, or the publisher's clock is ahead
				lag.Observe(d.Seconds())
			}
		},
	}
}
