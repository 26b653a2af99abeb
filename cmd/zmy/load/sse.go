package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/feed"
)

// SSE is a measurement of streams of events: each rate with each size and codec on each target, in
// rounds.
type SSE struct {
	Targets  []*Target
	Conns    int       // connections to each target
	Rates    []float64 // events published per second
	Burst    int       // events published at each due time
	Sizes    []int     // bytes of an event as JSON, 0 for the size of the sample
	Codecs   []string
	For      time.Duration // time at each point
	Rounds   int           // how often everything is measured; each round has an order of its own
	Warm     time.Duration // length of a point on each target before all others, which is not reported; 0 for none
	Timeout  time.Duration // for a connection to open; and time without an event after which missing events are lost
	Seed     uint64
	Progress func(what string)
}

// Target is a server that publishes events on demand: zmy serve -mock.
type Target struct {
	URL   string                                   // without a slash at the end
	Usage func(ctx context.Context) (Usage, error) // usage of its process so far; may be nil
	State feed.State                               // set by Run before the first connection
}

// Usage is the processor time and memory of a process.
type Usage struct {
	CPU time.Duration // processor time since the process started
	RSS int64         // resident memory in bytes
}

// SSEResult has the measurements. If Run was stopped, it has the measurements up to then.
type SSEResult struct {
	Groups []*SSEGroup `json:"groups"`
	Points []*SSEPoint `json:"points"`         // in the order in which they were measured
	Warm   []*SSEPoint `json:"warm,omitempty"` // on servers that had just started; not reported as figures, but their faults count
}

// SSEGroup describes the connections to one target.
type SSEGroup struct {
	Flush  string         `json:"flush"`
	Wanted int            `json:"wanted"`
	Open   int            `json:"open"`
	Errors map[string]int `json:"errors,omitempty"`        // failed attempts to connect, by cause
	Opened *Histogram     `json:"opened"`                  // time from the request to the first byte of its stream
	Alone  Usage          `json:"alone"`                   // usage of the server before there were connections, after garbage collection
	With   Usage          `json:"with"`                    // usage of the server with all connections open, after garbage collection
	Why    string         `json:"usage_unknown,omitempty"` // reason why usage is unknown
}

// enough is the least number of connections for which PerConn is known. The memory of fewer
// connections cannot be told from the memory that the server and its log take.
const enough = 500

// PerConn returns the server's memory for one connection in bytes, and whether it is known.
func (g *SSEGroup) PerConn(u Usage) (bytes float64, known bool) {
	return float64(u.RSS-g.Alone.RSS) / float64(max(g.Open, 1)), g.Alone.RSS > 0 && u.RSS > 0 && g.Open >= enough
}

// SSEPoint is the measurement of one codec, size and rate on one target in one round.
type SSEPoint struct {
	Round      int            `json:"round"`
	Group      int            `json:"group"` // index of its SSEGroup
	Flush      string         `json:"flush"`
	Codec      string         `json:"codec"`
	Rate       float64        `json:"rate"`
	Burst      int            `json:"burst"`
	Size       int            `json:"size"`
	For        time.Duration  `json:"for_ns"`
	Conns      int            `json:"conns"`
	Partial    bool           `json:"partial,omitempty"` // stopped before everything was published; events under way do not count as lost
	Published  int            `json:"published"`
	Delivered  int64          `json:"delivered"` // deliveries: each event counts once for each connection
	Seconds    float64        `json:"seconds"`   // from the beginning to the last delivery
	Lost       int64          `json:"lost"`
	Told       int64          `json:"told"` // lost events that a reset or a gap announced
	Duplicated int64          `json:"duplicated"`
	Disordered int64          `json:"out_of_order"`
	Damaged    int64          `json:"damaged"` // differs from what others got under the same ID, or is no event of this load
	Resets     int64          `json:"resets"`
	Gaps       int64          `json:"gaps"`
	Reconnects int            `json:"reconnects"`
	Errors     map[string]int `json:"errors,omitempty"` // why connections ended or could not be opened
	Bytes      int64          `json:"data_bytes"`       // size of the events' data, as the codec made it
	Sent       int64          `json:"sent_bytes"`       // the same data in the stream, where binary data is base64
	Latency    *Histogram     `json:"latency"`          // from when an event was due until it was read in full
	First      *Histogram     `json:"first_byte"`       // from when an event was due until its first byte came
	Late       *Histogram     `json:"late"`             // how late events were published
	Decode     *Histogram     `json:"decode"`           // time for base64 and codec, once for each event
	Server     Usage          `json:"server"`           // processor time of the point, memory at its end
	Collected  int64          `json:"collected_rss"`    // memory after garbage collection
	Client     time.Duration  `json:"client_cpu_ns"`
}

// Wrong returns the number of wrong deliveries. Each is a fault of the server.
func (p *SSEPoint) Wrong() int64 { return p.Lost + p.Duplicated + p.Disordered + p.Damaged }

// Wrong returns the number of wrong deliveries in all points.
func (r *SSEResult) Wrong() (n int64) {
	for _, p := range r.all() {
		n += p.Wrong()
	}
	return n
}

// all returns all points, including those for warming up.
func (r *SSEResult) all() []*SSEPoint { return slices.Concat(r.Warm, r.Points) }

// Check returns an error if a setting is wrong.
func (s *SSE) Check() error {
	if len(s.Targets) == 0 {
		return errors.New("there is no server")
	}
	for _, t := range s.Targets {
		u, err := url.Parse(t.URL)
		if err != nil || u.Scheme != "http" || u.Host == "" {
			return fmt.Errorf("%q is no URL of zmy serve: want http://127.0.0.1:8080", t.URL)
		}
		if host := u.Hostname(); !IsHere(host) {
			return fmt.Errorf("%s is not this machine: zmy serve publishes events for loads of its own machine alone, whose clock "+
				"they tell the time by", host)
		}
	}
	switch {
	case s.Conns < 1 || s.Conns > 1<<20:
		return fmt.Errorf("-conns %d: want 1 to %d", s.Conns, 1<<20)
	case s.Rounds < 1 || s.Rounds > 1000:
		return fmt.Errorf("-rounds %d: want 1 to 1000", s.Rounds)
	case s.Timeout <= 0:
		return fmt.Errorf("-timeout %s: want more than 0", s.Timeout)
	case len(s.Rates) == 0 || len(s.Sizes) == 0 || len(s.Codecs) == 0:
		return errors.New("-rate, -size and -codecs: want at least one of each")
	}
	for _, rate := range s.Rates {
		for _, size := range s.Sizes {
			for _, codec := range s.Codecs {
				if err := s.request("check", &SSEPoint{Rate: rate, Burst: s.Burst, Size: size, Codec: codec,
					For: s.For}).Check(); err != nil {
					return err
				}
			}
		}
		if expected := rate * s.For.Seconds() / float64(s.Burst); expected < 1 {
			return fmt.Errorf("-rate %g for %s: less than one event is due; raise one of them", rate, s.For)
		}
	}
	return nil
}

// request returns the request to publish a point's events. Events are the same for all points of a
// round, and differ between rounds.
func (s *SSE) request(run string, p *SSEPoint) *feed.Request {
	return &feed.Request{Run: run, Codec: p.Codec, Rate: p.Rate, Burst: p.Burst, Size: p.Size, For: p.For, Seed: s.Seed + uint64(p.Round)}
}

func (s *SSE) say(format string, args ...any) {
	if s.Progress != nil {
		s.Progress(fmt.Sprintf(format, args...))
	}
}

// Run opens all connections, warms up every target, then measures all points in each round. If ctx
// ends or a server fails, it returns the results so far and the error.
func (s *SSE) Run(ctx context.Context) (*SSEResult, error) {
	out := &SSEResult{}
	var groups []*group
	defer func() {
		for _, g := range groups {
			g.close()
		}
	}()
	for _, t := range s.Targets {
		g, err := openGroup(ctx, s, t)
		if g != nil {
			groups, out.Groups = append(groups, g), append(out.Groups, &g.SSEGroup)
		}
		if err != nil {
			return out, err
		}
	}
	measure := func(p *SSEPoint, to *[]*SSEPoint) error {
		err := groups[p.Group].point(ctx, p)
		if p.Delivered > 0 || err == nil {
			*to = append(*to, p)
		}
		return err
	}
	for _, p := range s.warming(groups) {
		if err := measure(p, &out.Warm); err != nil {
			return out, err
		}
		s.say("warmed up: flush %s", p.Flush)
	}
	n, each := 0, len(s.points(groups, 0))
	for round := range s.Rounds {
		for _, p := range s.points(groups, round) {
			if err := measure(p, &out.Points); err != nil {
				return out, err
			}
			n++
			s.say("%d of %d: %s, %g/s, flush %s: %d deliveries", n, each*s.Rounds, p.Codec, p.Rate, p.Flush, p.Delivered)
		}
	}
	return out, nil
}

// points returns the points of a round in random order. So no codec or server always meets the same
// state of the machine or always comes after the same other point.
func (s *SSE) points(groups []*group, round int) (points []*SSEPoint) {
	for _, rate := range s.Rates {
		for _, size := range s.Sizes {
			for _, codec := range s.Codecs {
				for i, g := range groups {
					points = append(points, &SSEPoint{Round: round, Group: i, Flush: g.Flush, Codec: codec,
						Rate: rate, Burst: s.Burst, Size: size, For: s.For, Conns: g.Open})
				}
			}
		}
	}
	order := rand.New(rand.NewPCG(s.Seed, uint64(round)))
	order.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	return points
}

// warming returns a first point for each target, which makes the heap, the stacks and the buffers
// of connections grow.
func (s *SSE) warming(groups []*group) (points []*SSEPoint) {
	if s.Warm == 0 {
		return nil
	}
	for i, g := range groups {
		points = append(points, &SSEPoint{Group: i, Flush: g.Flush, Codec: s.Codecs[0], Rate: s.Rates[0],
			Burst: s.Burst, Size: s.Sizes[0], For: s.Warm, Conns: g.Open})
	}
	return points
}

// check asks a target for its state, and returns an error if it lacks a codec.
func (t *Target) check(ctx context.Context, codecs []string) error {
	if err := call(ctx, "GET", t.URL+feed.StatePath, nil, &t.State); err != nil {
		return fmt.Errorf("%w; want a server started by zmy serve -mock", err)
	}
	for _, c := range codecs {
		if !slices.Contains(t.State.Codecs, c) {
			return fmt.Errorf("%s has no events in codec %q, only in %q", t.URL, c, t.State.Codecs)
		}
	}
	return nil
}
