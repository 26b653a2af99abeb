// Package shadow tries a codec on production traffic before anything depends on
// it. A [Codec] does what the incumbent does and answers with what the incumbent
// answers; on a sampled share of operations the candidate works beside it, and
// what would change is counted by the path of the field: Order.Items[].Price.
//
// What is tried:
//
//   - After marshal, the candidate marshals the same value. Bytes of the same
//     format that are equal end the trial; otherwise the candidate's bytes are
//     read (by the incumbent if the format is the same, as clients will, else by
//     the candidate) into a fresh value, which is compared with the original.
//   - After unmarshal, a candidate of the same format reads the same bytes, and
//     must accept or refuse them alike. One of another format marshals the value
//     and reads it back. Either result is compared with the incumbent's.
//   - Streams pass through untried.
//
// A panic of the candidate is recovered and counted. What cannot be recovered are
// the fatal errors of Go's runtime (a stack overflow, a concurrent map write) and
// a candidate that takes all memory. Go cannot interrupt one that hangs: within
// the caller's goroutine the caller would wait, so an untrusted candidate belongs
// on the queue (Options.Queue).
package shadow

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"sync/atomic"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/shadow/diff"
)

// DefaultShare is the share of operations that are tried unless told otherwise.
const DefaultShare = 0.01

// Options of a shadow. The zero value tries 1% of operations in the caller's
// goroutine and shows no contents of values.
type Options struct {
	// Share of operations that are tried, 0.01 being one in a hundred: 0 means
	// DefaultShare, below 0 none until SetShare.
	Share float64

	// Queue moves trials off the caller's goroutine, to at most Workers goroutines
	// behind a queue of this many trials; when it is full a trial is dropped and
	// counted. The caller pays for a copy of the message only. Since the caller may change
	// the value meanwhile, trials work on what the incumbent reads from that
	// copy, so that what the incumbent loses is not seen, and differences are
	// found between what readers get today and would get.
	Queue   int
	Workers int // 0 means 1

	// Immutable promises that values and messages are not changed after they were
	// handed to or returned by the codec. Queued trials then use them as they are.
	Immutable bool

	// Baseline is what the candidate's result is compared with after marshal.
	Baseline Baseline

	// Format says whether both codecs read each other's bytes.
	Format Format

	// Compare says what a difference is. Its Hide is set unless ShowValues.
	Compare diff.Options

	// ShowValues lets examples contain contents of values: production data may then
	// be found in logs and on state pages. Compare.Show can redact them.
	ShowValues bool

	// MaxPaths bounds the differences that are counted apart; 0 means 100. What is
	// found beyond them is counted in sum.
	MaxPaths int
	// MaxBytes is the longest message that is tried; 0 means 1 MiB. Longer ones are
	// counted as skipped.
	MaxBytes int

	// OnFinding is called for each difference found, on the goroutine of the trial.
	OnFinding func(Finding)
}

// Baseline is what a candidate's result is compared with after marshal.
type Baseline uint8

const (
	// Original is the value that was marshaled: does the candidate keep it? What
	// the incumbent changes alike is marked as shared.
	Original Baseline = iota
	// RoundTrip is what the incumbent reads from its own bytes: what changes for
	// readers? It finds, for instance, an int behind any that JSON's readers know as
	// float64. It costs one more unmarshal.
	RoundTrip
)

// Format says whether two codecs share their bytes.
type Format uint8

const (
	// Auto takes codecs with the same preferred media type for SameFormat.
	Auto Format = iota
	// SameFormat: each reads what the other writes.
	SameFormat
	// OtherFormat: each reads its own bytes only.
	OtherFormat
)

// Codec is the incumbent with a candidate in its shadow. It is a [codec.Wrapper]:
// its name, bytes, errors and powers are the incumbent's.
type Codec struct {
	incumbent codec.Codec
	*trials
}

// trials are what all forms of one shadow share.
type trials struct {
	candidate codec.Codec
	reader    codec.Codec // the incumbent without anybody's context
	opt       Options
	same      bool // one format
	share     atomic.Uint64
	queue     queue
	findings  findings
}

// New returns incumbent with candidate in its shadow. It panics if either is nil:
// that is a mistake in the program.
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
	return m == codec.MediaType(b) && m != "application/octet-stream" // which says nothing
}

// SetShare changes the share of operations that are tried, within 0 and 1.
func (t *trials) SetShare(share float64) {
	t.share.Store(uint64(min(max(share, 0), 1) * (1 << 32)))
}

// Share is the share of operations that are tried.
func (t *trials) Share() float64 { return float64(t.share.Load()) / (1 << 32) }

// sampled draws whether an operation is tried. Drawn, and not every hundredth: a
// pattern in the traffic must not hide from the trials, and no counter is shared
// between processors.
func (t *trials) sampled() bool {
	share := t.share.Load()
	return share != 0 && uint64(rand.Uint32()) < share
}
