// Package load sends requests to services over HTTP in an open loop, and reports latencies, for
// `zmy load`.
//
// NOTE, the map: load.go says what is measured and runs it, client.go sends a request, self.go runs
// the demo service as a process of its own, show.go makes the report. view.go has what this report
// shares with the reports on events and on gRPC.
package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
)

// HTTP is a measurement: each rate with each mocked latency and each Accept.
type HTTP struct {
	URL      string
	Method   string
	Header   http.Header
	Body     []byte
	Accept   []string        // values of the header Accept, one series for each; empty for no header
	QPS      []float64       // requests a second
	Latency  []time.Duration // requested by X-Latency-Ms; 0 requests none
	For      time.Duration   // time at each point
	Conns    int             // limit of connections
	Timeout  time.Duration   // limit for one request
	Seed     uint64
	CPU      func() (time.Duration, bool) // processor time of the server so far, and whether it is known; may be nil
	Progress func(what string)
}

// Point is the measurement of one rate with one latency and one Accept.
type Point struct {
	Accept   string         `json:"accept,omitempty"`
	QPS      float64        `json:"qps"`
	Latency  time.Duration  `json:"latency_ns"`
	For      time.Duration  `json:"for_ns"`  // time in which requests were due
	Seconds  float64        `json:"seconds"` // from the first request that counts until the last answer
	Sent     int            `json:"sent"`    // requests
	OK       int            `json:"ok"`      // answers of 2xx
	Errors   map[string]int `json:"errors,omitempty"`
	Bytes    int64          `json:"bytes"`    // total size of the bodies that were read
	Response *Histogram     `json:"response"` // time since a request was due, for answers of 2xx
	Service  *Histogram     `json:"service"`  // time since it was sent
	Late     *Histogram     `json:"late"`     // how late it was sent
	Open     int            `json:"most_open"`
	CPU      time.Duration  `json:"server_cpu_ns,omitempty"`
}

// Valid reports whether there were good answers and requests were sent when they were due.
func (p *Point) Valid() bool { return p.punctual(0.5) }

// punctual reports whether the generator's lateness is small compared with a percentile of the
// responses.
func (p *Point) punctual(q float64) bool {
	return p.Response.N() > 0 && openloop.Punctual(p.Late, p.Response, q)
}

// Failed returns the number of requests without a good answer.
func (p *Point) Failed() int { return p.Sent - p.OK }

// Check returns an error if a setting is wrong. Unless remote is set it refuses hosts other than
// this machine, since a load is an attack on a host that does not expect it.
func (h *HTTP) Check(remote bool) error {
	u, err := url.Parse(h.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("%q is no URL of a service: want http://127.0.0.1:8080/sessions/demo", h.URL)
	}
	if host := u.Hostname(); !remote && !IsHere(host) {
		return fmt.Errorf("%s is not this machine; add -remote if you may put load on it", host)
	}
	for _, q := range h.QPS {
		if q <= 0 || q > 1e6 {
			return fmt.Errorf("-qps %g: want more than 0 and at most 1000000 requests a second", q)
		}
	}
	switch {
	case len(h.QPS) == 0:
		return errors.New("-qps: no rate is given")
	case h.For < 100*time.Millisecond:
		return fmt.Errorf("-for %s: want at least 100ms", h.For)
	case h.Conns < 1 || h.Conns > 1<<16:
		return fmt.Errorf("-conns %d: want 1 to 65536", h.Conns)
	case h.Timeout <= 0:
		return fmt.Errorf("-timeout %s: want more than 0", h.Timeout)
	}
	for _, l := range h.Latency {
		if l < 0 || l%time.Millisecond != 0 {
			return fmt.Errorf("-latency %s: want whole milliseconds", l)
		}
	}
	return nil
}

// IsHere reports whether a host, without a port, is this machine.
func IsHere(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

// Run measures all points, low rates first. If ctx ends, it returns the points so far and the
// error.
func (h *HTTP) Run(ctx context.Context) ([]*Point, error) {
	c := newClient(h)
	defer c.close()
	if err := c.probe(ctx); err != nil {
		return nil, err
	}
	accepts := h.Accept
	if len(accepts) == 0 {
		accepts = []string{""}
	}
	latencies := h.Latency
	if len(latencies) == 0 {
		latencies = []time.Duration{0}
	}
	var points []*Point
	all := len(accepts) * len(latencies) * len(h.QPS)
	for _, q := range h.QPS { // series take turns at each rate, so that changes of the machine's speed affect all of them
		for _, l := range latencies {
			for _, a := range accepts {
				p := &Point{Accept: a, QPS: q, Latency: l, For: h.For}
				if err := c.point(ctx, p); err != nil {
					return points, err
				}
				points = append(points, p)
				if h.Progress != nil {
					h.Progress(fmt.Sprintf("%d of %d: %g/s %s", len(points), all, p.QPS, p.Accept))
				}
			}
		}
	}
	return points, nil
}
