// Package shadow tries a codec on production traffic before anything depends on it. A [Codec] returns
// the results of the incumbent. On a sampled share of operations it also tries the candidate, and
// counts the differences by the path of the field: Order.Items[].Price.
//
// Trials:
//
//   - After marshal, the candidate marshals the same value. If both have the same format and the bytes
//     are equal, the trial ends. Otherwise the candidate's bytes are read into a new value, which is
//     compared with the original. They are read by the incumbent if the format is the same, as clients
//     will read them, else by the candidate.
//   - After unmarshal, a candidate of the same format reads the same bytes. It must accept or refuse
//     them as the incumbent did. A candidate of another format marshals the value and reads that. The
//     result is compared with the incumbent's.
//   - Streams are not tried.
//
// A panic of the candidate is recovered and counted. Fatal errors of Go's runtime (a stack overflow, a
// concurrent map write) and exhausted memory cannot be recovered. Go cannot interrupt a candidate that
// hangs, and without a queue the caller would wait for it. So try an untrusted candidate behind a
// queue (Options.Queue).
package shadow

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"sync/atomic"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/shadow/diff"
)

// DefaultShare is the default share of operations that are tried.
const DefaultShare = 0.01

// Options are the options of a shadow. The zero value tries 1% of operations in the caller's
// goroutine, and shows no contents of values.
type Options struct {
	// Share is the share of operations that are tried; 0.01 is one in a hundred. 0 means
	// DefaultShare. A negative share means none, until SetShare.
	Share float64

	// Queue, if it is above 0, makes trials wait in a queue of this length and run in up to Workers
	// goroutines of their own. If the queue is full, a trial is dropped and counted. The caller's
	// goroutine only copies the message. Since the caller may change the value meanwhile, a trial
	// uses the value that the incumbent reads from that copy. So a trial compares what readers get
	// today with what they would get from the candidate, and does not see what the incumbent itself
	// loses.
	Queue   int
	Workers int // 0 means 1

	// Immutable promises that nobody changes values and messages after they were passed to the
	// codec or returned by it. Queued trials then use them without a copy.
	Immutable bool

	// Baseline is what the candidate's result is compared with after marshal.
	Baseline Baseline

	// Format says whether both codecs read each other's bytes.
	Format Format

	// Compare says what counts as a difference. Its Hide is set unless ShowValues is.
	Compare diff.Options

	// ShowValues lets findings contain contents of values. Production data may then appear in logs
	// and on state pages; Compare.Show can redact it.
	ShowValues bool

	// MaxPaths limits the number of differences that are counted separately; 0 means 100. Further
	// ones are counted together.
	MaxPaths int
	// MaxBytes is the length of the longest message that is tried; 0 means 1 MiB. Longer ones count
	// as skipped.
	MaxBytes int

	// OnFinding is called for each difference found, on the goroutine of the trial.
	OnFinding func(Finding)
}

// Baseline is what a candidate's result is compared with after marshal.
type Baseline uint8

const (
	// Original is the value that was marshaled. It shows whether the candidate keeps the value. A
	// difference that the incumbent makes too is marked as shared.
	Original Baseline = iota
	// RoundTrip is the value that the incumbent reads from its own bytes. It shows what changes for
	// readers: for instance an int behind any, which readers of JSON get as float64. It costs one
	// more unmarshal.
	RoundTrip
)

// Format says whether two codecs share their bytes.
type Format uint8

const (
	// Auto means SameFormat if both codecs have the same preferred media type, else OtherFormat.
	Auto Format = iota
	// SameFormat means that each codec reads the bytes of the other.
	SameFormat
	// OtherFormat means that each codec reads only its own bytes.
	OtherFormat
)

// Codec works as the incumbent does, and also tries a candidate. It is a [codec.Wrapper]: its name,
// bytes, errors and powers are those of the incumbent.
type Codec struct {
	incumbent codec.Codec
	*trials
}

// trials is the state that all copies of one shadow, for different contexts, share.
type trials struct {
	candidate codec.Codec
	reader    codec.Codec // the incumbent without the context of a request
	opt       Options
	same      bool // both have the same format
	share     atomic.Uint64
	queue     queue
	findings  findings
}

// New returns a Codec that works as incumbent does, and tries candidate. It panics if one of the
// two is nil, which is a mistake in the program.
func New(incumbent, candidate codec.Codec, o Options) *Codec {
	if incumbent == nil || candidate == nil {
		panic(errors.New("shadow: New: incumbent and candidate must not be nil"))
	}
	o.Workers = max(o.Workers, 1)
	o.MaxPaths = cmp.Or(max(o.MaxPaths, 0), 100)
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), 1<<20)
	o.Compare.Hide = o.Compare.Hide || !o.ShowValues
	t := &trials{candidate: candidate, reader: incumbent, opt: o, same: sameFormat(incumbent, candidate, o.Format)}
	t.queue.init(o.Queue, o.Workers, t.run)
	t.findings.init(o.MaxPaths)
	c := &Codec{incumbent, t}
	c.SetShare(cmp.Or(o.Share, DefaultShare))
	return c
}

func sameFormat(a, b codec.Codec, f Format) bool {
	if f != Auto {
		return f == SameFormat
	}
	m := codec.MediaType(a)
	return m == codec.MediaType(b) && m != "application/octet-stream" // the media type of codecs that have none
}

// SetShare changes the share of operations that are tried. It is limited to 0 to 1.
func (t *trials) SetShare(share float64) {
	t.share.Store(uint64(min(max(share, 0), 1) * (1 << 32)))
}

// Share returns the share of operations that are tried.
func (t *trials) Share() float64 { return float64(t.share.Load()) / (1 << 32) }

// sampled draws at random whether an operation is tried. Trying every hundredth one could miss a
// pattern in the traffic, and would need a counter that processors share.
func (t *trials) sampled() bool {
	share := t.share.Load()
	return share != 0 && uint64(rand.Uint32()) < share
}
