// Package feed is the traffic of events that `zmy load sse` has `zmy serve -mock` publish: what is
// asked for, when events are due, what stands in them, and how that is read again.
//
// Events are published by the server itself, since a request for each would be measured with it.
// They come at random times that wait for nobody, each tells when it was due, and latencies count
// from there: what holds the publisher up is felt by the events that it makes late.
//
// NOTE, the map: feed.go is what client and server say to each other; event.go an event's making and reading;
// publish.go the publisher.
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

// Where zmy serve -mock answers.
const (
	// GET ?run=RUN follows the events of a run; POST of a Request publishes some, and is answered
	// with a Report when all are
	EventsPath = "/load/events"
	StatePath  = "/load/state" // GET is answered with a State; POST collects garbage before
)

// Codecs are those that events can be in.
var Codecs = []codec.Codec{codec.StdJSON{}, codec.FXJSON{}, codec.ZMY{}, msgpackx.Codec{Tag: "json"}, cborx.Codec{}, codec.Gob{}}

// Names are those of Codecs.
func Names() (names []string) {
	for _, c := range Codecs {
		names = append(names, c.Name())
	}
	return names
}

// Lookup finds one of Codecs.
func Lookup(name string) (codec.Codec, error) {
	i := slices.Index(Names(), name)
	if i < 0 {
		return nil, fmt.Errorf("there is no codec %q for events, only %q", name, Names())
	}
	return Codecs[i], nil
}

// Request asks for events.
type Request struct {
	Run   string        `json:"run"`   // whose events they are: lower case letters and digits
	Codec string        `json:"codec"` // of their data; events have it as their type
	From  int           `json:"from"`  // the first one's number, from which they count
	Rate  float64       `json:"rate"`  // events a second
	Burst int           `json:"burst"` // events at each time at which some are due
	Size  int           `json:"size"`  // bytes of an event as JSON; 0: as it is drawn, some 230
	For   time.Duration `json:"for_ns"`
	Seed  uint64        `json:"seed"` // of times and contents
}

var runName = regexp.MustCompile(`^[a-z0-9]{1,32}$`)

// CheckRun reports what is wrong with the name of a run.
func CheckRun(name string) error {
	if !runName.MatchString(name) {
		return fmt.Errorf("run %q: want 1 to 32 lower case letters and digits", name)
	}
	return nil
}

// Check reports what is wrong with a request.
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

// MaxSize is that of an event as JSON; as base64 it stays below what a hub takes.
const MaxSize = 512 << 10

// Topic is that of a run.
func Topic(run string) string { return "load." + run }

// Report tells what was published.
type Report struct {
	Published int                 `json:"published"` // events, numbered from Request.From
	Bytes     int64               `json:"bytes"`     // of their data, before it became base64
	Late      *openloop.Histogram `json:"late"`      // how long after they were due, in ns
}

// State is that of a server.
type State struct {
	Flush  string    `json:"flush"`  // its flush policy
	Codecs []string  `json:"codecs"` // that events can be in
	Stats  sse.Stats `json:"stats"`  // of its hub
}
