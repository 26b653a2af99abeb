// Package load measures gRPC calls of all kinds: by size, number of streams, flow-control window,
// round trip, compression and codec, one cell of that matrix at a time, and many connections at
// once by an open loop. It is what zmy load grpc runs.
//
// Loopback alone shows nothing of windows, since a round trip takes no time there; a round trip is
// put in by a wrapper around the client's connections.
//
// NOTE, the map: cell.go is what is measured and what came out; matrix.go the cells, limits.go
// which there can be; bench.go runs one, worker.go one stream of it; conns.go the open loop over
// many connections. form.go and form_*.go are the codecs, service.go and server.go the server,
// usage.go what a process has used, delay.go and sleep*.go the round trip.
package load

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
)

// Kind is a kind of calls.
type Kind uint8

// The kinds.
const (
	Unary        Kind = iota // a message each way
	ServerStream             // one request, responses until the time is over
	ClientStream             // requests until the time is over, one response
	BidiStream               // both ways, each request answered by a message
)

// Kinds are all of them.
var Kinds = []Kind{Unary, ServerStream, ClientStream, BidiStream}

var kindNames = [...]string{"unary", "server", "client", "bidi"}

// String is the kind in lower case.
func (k Kind) String() string { return kindNames[k] }

// method is the name of the method.
func (k Kind) method() string { return [...]string{"Echo", "List", "Collect", "Talk"}[k] }

// MarshalText is String.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what String has written.
func (k *Kind) UnmarshalText(b []byte) error {
	for i, name := range kindNames {
		if string(b) == name {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no kind of calls; there are %s", b, strings.Join(kindNames[:], ", "))
}

// Cell is one place in the matrix.
type Cell struct {
	Kind    Kind          `json:"kind"`
	Codec   string        `json:"codec"`
	Blob    bool          `json:"blob"`    // one block of bytes in place of records
	Size    int           `json:"size"`    // bytes of a message, as protobuf; the same content in every codec
	Streams int           `json:"streams"` // at a time, on one connection
	Window  int           `json:"window"`  // bytes of a stream's window, at both ends; 0 leaves windows to gRPC's estimate (BDP)
	RTT     time.Duration `json:"rtt_ns"`  // round trip that is added to that of the network
	Gzip    bool          `json:"gzip"`    // messages are compressed, both ways
}

// String spells every axis.
func (c Cell) String() string {
	return fmt.Sprintf("%s %s %s %s, %s, window %s, RTT %s, gzip %s",
		c.Kind, c.Codec, SizeText(c.Size), c.Payload(), plural(c.Streams, "stream"), WindowText(c.Window), RTTText(c.RTT), OnOff(c.Gzip))
}

// Payload is "blob" or "records".
func (c Cell) Payload() string {
	if c.Blob {
		return "blob"
	}
	return "records"
}

// SizeText is 100 B, 64 KB, 1 MB: powers of ten.
func SizeText(n int) string { return unitText(n, 1000, "B", "KB", "MB") }

// WindowText is BDP, 64 KiB, 1 MiB: powers of two.
func WindowText(n int) string {
	if n == 0 {
		return "BDP"
	}
	return unitText(n, 1024, "B", "KiB", "MiB")
}

func unitText(n, step int, units ...string) string {
	for len(units) > 1 && n >= step && n%step == 0 {
		n, units = n/step, units[1:]
	}
	return strconv.Itoa(n) + " " + units[0]
}

// RTTText is 0, 0.3 ms, 10 ms.
func RTTText(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'g', 4, 64) + " ms"
}

// OnOff is on or off.
func OnOff(b bool) string { return map[bool]string{true: "on", false: "off"}[b] }

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// connWindow is the window of a connection: as much as its streams may have together, within
// reason.
func (c Cell) connWindow() int {
	return min(c.Window*max(c.Streams, 1), max(c.Window, 64<<20))
}

// Result is what a cell has come to.
type Result struct {
	Cell
	Messages int64          `json:"messages"` // that arrived whole: responses, for streams of requests the requests
	Rate     float64        `json:"rate"`     // of them a second
	Seconds  float64        `json:"seconds"`  // until the last one
	Wire     int            `json:"wire"`     // mean bytes of a message in this codec, before compression
	Ping     time.Duration  `json:"ping_ns"`  // median of calls without content, one at a time: the round trip as it is
	Latency  Latency        `json:"latency"`
	Errors   map[string]int `json:"errors,omitempty"` // by status code, or what was wrong with a message
	Client   Usage          `json:"client"`           // of the client's process; of both ends where they share one
	Server   *Usage         `json:"server,omitempty"` // of the server's process, nil where it is the client's or does not tell
	Shared   bool           `json:"shared,omitempty"` // both ends are one process
}

// MBps is megabytes (10⁶ bytes) of messages a second, counted in one direction by Cell.Size: as
// many messages of a codec that takes fewer bytes are as many megabytes.
func (r *Result) MBps() float64 { return r.Rate * float64(r.Size) / 1e6 }

// Failed is how many messages or calls went wrong.
func (r *Result) Failed() (n int) {
	for _, k := range r.Errors {
		n += k
	}
	return n
}

// CPU is processor time of both ends, where both are known.
func (r *Result) CPU() (time.Duration, bool) {
	switch {
	case r.Client.CPU == 0:
		return 0, false
	case r.Shared:
		return r.Client.CPU, true
	case r.Server == nil || r.Server.CPU == 0:
		return 0, false
	}
	return r.Client.CPU + r.Server.CPU, true
}

// Latency is the distribution of times. For unary calls it is that of a call, for streams both ways
// from sending a message to its answer, of which there are several under way; for streams of
// responses the time between two of them, for streams of requests how long sending one took. Those
// two say how evenly a stream flows. A percentile is 0 unless 100 times lie beyond it.
type Latency struct {
	N    int64         `json:"n"` // times
	P50  time.Duration `json:"p50_ns,omitempty"`
	P90  time.Duration `json:"p90_ns,omitempty"`
	P99  time.Duration `json:"p99_ns,omitempty"`
	P999 time.Duration `json:"p999_ns,omitempty"`
	Max  time.Duration `json:"max_ns"`

	times *openloop.Histogram // nil for none
}

// NewLatency sums up times, which are not recorded any further.
func NewLatency(h *openloop.Histogram) Latency {
	at := func(q float64) time.Duration {
		if !h.Sound(q) {
			return 0
		}
		return time.Duration(h.Quantile(q))
	}
	return Latency{N: int64(h.N()), P50: at(0.5), P90: at(0.9), P99: at(0.99), P999: at(0.999), Max: time.Duration(h.Max()), times: h}
}

// Merge is the times of all that are given, which were measured in this process.
func Merge(of ...Latency) *openloop.Histogram {
	all := new(openloop.Histogram)
	for _, l := range of {
		if l.times != nil {
			all.Add(l.times)
		}
	}
	return all
}

// newTimes has its memory from the beginning, so that it is no part of what is measured.
func newTimes() *openloop.Histogram {
	h := new(openloop.Histogram)
	h.Reserve()
	return h
}
