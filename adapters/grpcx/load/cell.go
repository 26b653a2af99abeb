// Package load measures gRPC calls of all kinds, by message size, number of streams, flow-control
// window, round trip, compression and codec. It measures one cell of that matrix at a time. It also
// measures many connections at once in an open loop. zmy load grpc runs it.
//
// Over loopback a round trip takes almost no time, so windows make no difference. A wrapper around
// the client's connections adds a round trip.
//
// NOTE, the map of the package:
//
//	cell.go                   what is measured, and the results
//	matrix.go limits.go       the cells, and their limits
//	bench.go worker.go        run a cell, and one of its streams
//	conns.go                  the open loop over many connections
//	form.go form_*.go         the codecs
//	service.go server.go      the server
//	usage.go usage_*.go       what a process has used
//	delay.go sleep*.go        the added round trip
package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
)

// Kind is a kind of call.
type Kind uint8

// The kinds.
const (
	Unary        Kind = iota // one message each way
	ServerStream             // one request, responses until the time is over
	ClientStream             // requests until the time is over, one response
	BidiStream               // both ways: each request is answered by a message
)

// Kinds lists all kinds.
var Kinds = []Kind{Unary, ServerStream, ClientStream, BidiStream}

var kindNames = [...]string{"unary", "server", "client", "bidi"}

// String returns the kind in lower case.
func (k Kind) String() string { return kindNames[k] }

// method returns the name of the method that has this kind.
func (k Kind) method() string { return [...]string{"Echo", "List", "Collect", "Talk"}[k] }

// MarshalText returns what String returns.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what String returns.
func (k *Kind) UnmarshalText(b []byte) error {
	i := slices.Index(kindNames[:], string(b))
	if i < 0 {
		return fmt.Errorf("%q is no kind of calls; there are %s", b, strings.Join(kindNames[:], ", "))
	}
	*k = Kind(i)
	return nil
}

// Cell is one combination in the matrix.
type Cell struct {
	Kind    Kind          `json:"kind"`
	Codec   string        `json:"codec"`
	Blob    bool          `json:"blob"`    // one block of bytes instead of records
	Size    int           `json:"size"`    // bytes of a message, as protobuf; the same content in every codec
	Streams int           `json:"streams"` // streams at the same time, on one connection
	Window  int           `json:"window"`  // bytes of a stream's flow-control window, at both ends; 0 lets gRPC choose (BDP)
	RTT     time.Duration `json:"rtt_ns"`  // added to the network's own round trip
	Gzip    bool          `json:"gzip"`    // messages are compressed both ways
}

// String describes the cell by the value of every axis.
func (c Cell) String() string {
	return fmt.Sprintf("%s %s %s %s, %s, window %s, RTT %s, gzip %s",
		c.Kind, c.Codec, SizeText(c.Size), c.Payload(), plural(c.Streams, "stream"), WindowText(c.Window), RTTText(c.RTT), OnOff(c.Gzip))
}

// Payload returns "blob" or "records".
func (c Cell) Payload() string {
	if c.Blob {
		return "blob"
	}
	return "records"
}

// SizeText formats a size in powers of ten: 100 B, 64 KB, 1 MB.
func SizeText(n int) string { return unitText(n, 1000, "B", "KB", "MB") }

// WindowText formats a window in powers of two: 64 KiB, 1 MiB. BDP stands for 0, which lets gRPC
// choose the window.
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

// RTTText formats a round trip: 0, 0.3 ms, 10 ms.
func RTTText(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'g', 4, 64) + " ms"
}

// OnOff returns "on" or "off".
func OnOff(b bool) string { return map[bool]string{true: "on", false: "off"}[b] }

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// connWindow returns the window of the connection: the sum of its streams' windows, but at most 64
// MiB or one window if that is larger.
func (c Cell) connWindow() int {
	return min(c.Window*max(c.Streams, 1), max(c.Window, 64<<20))
}

// Result is the measurement of a cell.
type Result struct {
	Cell
	Messages int64          `json:"messages"` // that arrived whole: responses, but requests for ClientStream
	Rate     float64        `json:"rate"`     // messages a second
	Seconds  float64        `json:"seconds"`  // until the last message
	Wire     int            `json:"wire"`     // mean bytes of a message in this codec, before compression
	Ping     time.Duration  `json:"ping_ns"`  // median of calls without content, one at a time: the real round trip
	Latency  Latency        `json:"latency"`
	Errors   map[string]int `json:"errors,omitempty"` // by status code, or by what was wrong with a message
	Client   Usage          `json:"client"`           // of the client's process, which may be the server's too
	Server   *Usage         `json:"server,omitempty"` // nil if the server's process is the client's or does not answer
	Shared   bool           `json:"shared,omitempty"` // both ends are one process
}

// MBps returns megabytes (10⁶ bytes) of messages a second, in one direction. Every message counts
// as Cell.Size bytes, even if its codec takes fewer.
func (r *Result) MBps() float64 { return r.Rate * float64(r.Size) / 1e6 }

// Failed returns how many messages or calls went wrong.
func (r *Result) Failed() (n int) {
	for _, k := range r.Errors {
		n += k
	}
	return n
}

// CPU returns the processor time of both ends together. It returns false if one of them is not
// known.
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

// Latency is a distribution of times. For unary calls it has the time of a call. For streams both
// ways it has the time from sending a message to its answer, while several messages are under way.
// For streams of responses it has the time between two responses, for streams of requests the time
// to send one: these two show how evenly a stream flows. A percentile is 0 unless at least 100
// times lie beyond it.
type Latency struct {
	N    int64         `json:"n"` // number of times
	P50  time.Duration `json:"p50_ns,omitempty"`
	P90  time.Duration `json:"p90_ns,omitempty"`
	P99  time.Duration `json:"p99_ns,omitempty"`
	P999 time.Duration `json:"p999_ns,omitempty"`
	Max  time.Duration `json:"max_ns"`

	times *openloop.Histogram // nil if there are none in this process
}

// NewLatency sums up the times of h, which must not be added to afterwards.
func NewLatency(h *openloop.Histogram) Latency {
	at := func(q float64) time.Duration {
		if !h.Sound(q) {
			return 0
		}
		return time.Duration(h.Quantile(q))
	}
	return Latency{N: int64(h.N()), P50: at(0.5), P90: at(0.9), P99: at(0.99), P999: at(0.999), Max: time.Duration(h.Max()), times: h}
}

// Merge returns all times of the given latencies, which must have been measured in this process.
func Merge(of ...Latency) *openloop.Histogram {
	all := new(openloop.Histogram)
	for _, l := range of {
		if l.times != nil {
			all.Add(l.times)
		}
	}
	return all
}

// newTimes returns a histogram. Its memory is allocated already, so the allocation is not measured.
func newTimes() *openloop.Histogram {
	h := new(openloop.Histogram)
	h.Reserve()
	return h
}
