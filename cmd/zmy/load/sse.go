package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/feed"
)

// SSE is what is measured of streams of events: each rate with each size and codec on every target,
// in rounds.
type SSE struct {
	Targets  []*Target
	Conns    int       // to each target
	Rates    []float64 // events a second that are published
	Burst    int       // of them at a time
	Sizes    []int     // bytes of an event as JSON, 0 as it is drawn
	Codecs   []string
	For      time.Duration // at each point
	Rounds   int           // how often all of it is measured, in another order each time
	Warm     time.Duration // of a point on each target before all others, which is not shown; 0 for none
	Timeout  time.Duration // for a connection to open, and without an event until what has not come is lost
	Seed     uint64
	Progress func(what string)
}

// Target is a server that publishes events on demand: zmy serve -mock.
type Target struct {
	URL   string                                   // without a slash at the end
	Usage func(ctx context.Context) (Usage, error) // of its process so far
	State feed.State                               // told by Run, from the beginning
}

// Usage is what a process takes.
type Usage struct {
	CPU time.Duration // since it began
	RSS int64         // resident memory in bytes
}

// SSEResult is what was measured, as far as it came.
type SSEResult struct {
	Groups []*SSEGroup `json:"groups"`
	Points []*SSEPoint `json:"points"`         // in the order in which they were measured
	Warm   []*SSEPoint `json:"warm,omitempty"` // on servers that had just started: no figures, but faults count
}

// SSEGroup is the connections to one target.
type SSEGroup struct {
	Flush  string         `json:"flush"`
	Wanted int            `json:"wanted"`
	Open   int            `json:"open"`
	Errors map[string]int `json:"errors,omitempty"`        // attempts to connect that failed
	Opened *Histogram     `json:"opened"`                  // since a request was sent until the first byte of its stream
	Alone  Usage          `json:"alone"`                   // the server before there were connections, garbage collected
	With   Usage          `json:"with"`                    // when all were open, garbage collected
	Why    string         `json:"usage_unknown,omitempty"` // why
}

// enough is how many connections it takes until their memory stands out from that of the server and
// its log.
const enough = 500

// PerConn is what a connection adds to the server's memory, and whether that is known.
func (g *SSEGroup) PerConn(u Usage) (bytes float64, known bool) {
	return float64(u.RSS-g.Alone.RSS) / float64(max(g.Open, 1)), g.Alone.RSS > 0 && u.RSS > 0 && g.Open >= enough
}

// SSEPoint is one round of one codec, size and rate on one target.
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
	Partial    bool           `json:"partial,omitempty"` // stopped before all was published: what was under way is not lost
	Published  int            `json:"published"`
	Delivered  int64          `json:"delivered"` // each event once for each connection
	Seconds    float64        `json:"seconds"`   // from the beginning to the last delivery
	Lost       int64          `json:"lost"`
	Told       int64          `json:"told"` // of those lost: a reset or a gap stood in their place
	Duplicated int64          `json:"duplicated"`
	Disordered int64          `json:"out_of_order"`
	Damaged    int64          `json:"damaged"` // not what others got under the same ID, or no event of this load
	Resets     int64          `json:"resets"`
	Gaps       int64          `json:"gaps"`
	Reconnects int            `json:"reconnects"`
	Errors     map[string]int `json:"errors,omitempty"` // why connections ended, or did not come about
	Bytes      int64          `json:"data_bytes"`       // of the events' data, as the codec made them
	Sent       int64          `json:"sent_bytes"`       // the same as it stood in the stream, base64 where it is binary
	Latency    *Histogram     `json:"latency"`          // from when an event was due until it was read from its stream whole
	First      *Histogram     `json:"first_byte"`       // until its first byte came
	Late       *Histogram     `json:"late"`             // how late events were published
	Decode     *Histogram     `json:"decode"`           // base64 and codec, once for each event
	Server     Usage          `json:"server"`           // CPU of the point, memory as it stood at its end
	Collected  int64          `json:"collected_rss"`    // memory after garbage was collected
	Client     time.Duration  `json:"client_cpu_ns"`
}

// Wrong is the number of deliveries that should not be: any is a fault.
func (p *SSEPoint) Wrong() int64 { return p.Lost + p.Duplicated + p.Disordered + p.Damaged }

// Wrong is that of all points.
func (r *SSEResult) Wrong() (n int64) {
	for _, p := range r.all() {
		n += p.Wrong()
	}
	return n
}

// all are the points with those of warming up.
func (r *SSEResult) all() []*SSEPoint { return slices.Concat(r.Warm, r.Points) }

// Check looks at the settings.
func (s *SSE) Check() error {
	if len(s.Targets) == 0 {
		return errors.New("there is no server")
	}
	for _, t := range s.Targets {
		u, err := url.Parse(t.URL)
		if err != nil || u.Scheme != "http" || u.Host == "" {
			return fmt.Errorf("%q is no URL of zmy serve: want http://127.0.0.1:8080", t.URL)
		}
		if host := u.Hostname(); host != "localhost" && !net.ParseIP(host).IsLoopback() {
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

// request has a point's events published: in a round the same for all, in the next one others.
func (s *SSE) request(run string, p *SSEPoint) *feed.Request {
	return &feed.Request{Run: run, Codec: p.Codec, Rate: p.Rate, Burst: p.Burst, Size: p.Size, For: p.For, Seed: s.Seed + uint64(p.Round)}
}

func (s *SSE) say(format string, args ...any) {
	if s.Progress != nil {
		s.Progress(fmt.Sprintf(format, args...))
	}
}

// Run opens all connections, warms every target up, then measures all points as often as there are
// rounds. It returns what it has when ctx ends or a server fails.
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

// points are those of a round, in an order of its own: neither the machine's mood nor what was
// measured just before meets the same codec or server each time.
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

// warming is the first point of each target, that grows its heap, its goroutines' stacks and its
// connections' buffers.
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

// check asks a target what it is and whether it can do what is wanted.
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
