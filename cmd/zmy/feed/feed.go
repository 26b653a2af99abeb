// Package feed is the traffic of events that `zmy load sse` has `zmy serve -mock` publish: the
// request for events, the times when they are due, their contents, and how a client reads them.
//
// The server publishes the events itself, because otherwise the cost of one request for each event
// would be part of the measurement. Events are due at random times, independent of earlier events.
// Each has the time when it was due, and latencies count from that time. So if the publisher is
// delayed, its events show the delay.
//
// NOTE, the map: feed.go has what client and server exchange, event.go makes and reads events,
// publish.go is the publisher.
package feed

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/zmylab/zmy/adapters/cborx"
	"github.com/zmylab/zmy/adapters/msgpackx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/sse"
)

// Paths at which zmy serve -mock answers.
const (
	// GET ?run=RUN follows the events of a run. POST with a Request publishes events, and is
	// answered with a Report when all are published.
	EventsPath = "/load/events"
	StatePath  = "/load/state" // GET is answered with a State; POST first runs the garbage collector
)

// Codecs are the codecs in which events can be published.
var Codecs = []codec.Codec{codec.StdJSON{}, codec.FXJSON{}, codec.ZMY{}, msgpackx.Codec{Tag: "json"}, cborx.Codec{}, codec.Gob{}}

// Names returns the names of Codecs.
func Names() (names []string) {
	for _, c := range Codecs {
		names = append(names, c.Name())
	}
	return names
}

// Lookup returns the codec of that name from Codecs.
func Lookup(name string) (codec.Codec, error) {
	i := slices.Index(Names(), name)
	if i < 0 {
		return nil, fmt.Errorf("there is no codec %q for events, only %q", name, Names())
	}
	return Codecs[i], nil
}

// Request asks the server to publish events.
type Request struct {
	Run   string        `json:"run"`   // the run to which the events belong: lower case letters and digits
	Codec string        `json:"codec"` // codec of the events' data; it is also the events' type
	From  int           `json:"from"`  // number of the first event
	Rate  float64       `json:"rate"`  // events a second
	Burst int           `json:"burst"` // events at each due time
	Size  int           `json:"size"`  // bytes of an event as JSON; 0 for the size of the sample, about 230
	For   time.Duration `json:"for_ns"`
	Seed  uint64        `json:"seed"` // seed of due times and contents
}

var runName = regexp.MustCompile(`^[a-z0-9]{1,32}$`)

// CheckRun returns an error if name is not a valid name of a run.
func CheckRun(name string) error {
	if !runName.MatchString(name) {
		return fmt.Errorf("run %q: want 1 to 32 lower case letters and digits", name)
	}
	return nil
}

// Check returns an error if the request is not valid.
func (r *Request) Check() error {
	if err := CheckRun(r.Run); err != nil {
		return err
	}
	if _, err := Lookup(r.Codec); err != nil {
		return err
	}
	switch {
	case r.From < 0:
		return errors.New("from: want a number from 0 on")
	case !(r.Rate > 0 && r.Rate <= 1e5):
		return fmt.Errorf("rate %g: want more than 0 and at most 100000 events a second", r.Rate)
	case r.Burst < 1 || r.Burst > 1000:
		return fmt.Errorf("burst %d: want 1 to 1000 events", r.Burst)
	case r.Size < 0 || r.Size > MaxSize:
		return fmt.Errorf("size %d: want at most %d bytes", r.Size, MaxSize)
	case r.For <= 0 || r.For > time.Hour:
		return fmt.Errorf("for %s: want more than 0 and at most an hour", r.For)
	}
	return nil
}

// MaxSize limits the size of an event as JSON, in bytes. As base64 such an event is still below the
// hub's limit.
const MaxSize = 512 << 10

// Topic returns the topic of a run's events.
func Topic(run string) string { return "load." + run }

// Report says what was published.
type Report struct {
	Published int                 `json:"published"` // events, numbered from Request.From
	Bytes     int64               `json:"bytes"`     // size of the events' data, before base64
	Late      *openloop.Histogram `json:"late"`      // how long after they were due, in ns
}

// State is the state of a server.
type State struct {
	Flush  string    `json:"flush"`  // name of the server's flush policy
	Codecs []string  `json:"codecs"` // codecs in which it can publish events
	Stats  sse.Stats `json:"stats"`  // counters of the server's hub
}
