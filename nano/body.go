package nano

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/codec"
)

// NOTE: who bounds a body. decode refuses a Content-Length beyond the limit before anything is
// read. http.MaxBytesReader bounds a body without a Content-Length. readLimited bounds what gzip
// makes of any body. The watch bounds the time in which a body is read, unless the http.Server
// does. limitDrain bounds the time for the rest of a body that nobody reads.

// trusted is the largest buffer, in bytes, that is allocated for a Content-Length before bytes
// arrive.
const trusted = 64 << 10

// reading is the body while it is read, and the value that it was decoded into.
type reading struct {
	body bodyReader
	in   any // the target of Decode
}

// readBody reads the whole body into a buffer, which the caller releases.
func (d *reading) readBody(q *call) (*codec.Buffer, error) {
	defer d.body.close()
	src, err := d.bodySource(q)
	if err != nil {
		return nil, err
	}
	limit, known := q.s.maxBody, int64(-1)
	if src.gz == nil {
		known = q.r.ContentLength
	}
	buf := q.s.pool.Get(int(min(max(known, 512)+1, trusted)))
	buf.B, err = readLimited(buf.B, src, limit, known)
	if err != nil {
		p := q.readProblem(err, len(buf.B))
		buf.Release()
		return nil, p
	}
	q.read = true
	return buf, nil
}

// errLimit means that more bytes than the limit have arrived.
var errLimit = errors.New("body too large")

// readLimited appends r to b until r ends. known is the number of bytes to expect, or -1. If it is
// known, readLimited skips the last read, which would only return EOF.
func readLimited(b []byte, r io.Reader, limit, known int64) ([]byte, error) {
	for int64(len(b)) != known {
		if len(b) == cap(b) {
			b = slices.Grow(b, max(len(b), 512)) // at most twice as large as what has arrived
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if int64(len(b)) > limit {
			return b, errLimit
		}
		if err == io.EOF && (known < 0 || int64(len(b)) == known) {
			return b, nil
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// bodySource returns a reader of the body without its Content-Encoding. The limit holds before and
// after decompression, so a small body cannot become a large one.
func (d *reading) bodySource(q *call) (*bodyReader, error) {
	d.body = bodyReader{w: q.w, r: q.r.Body}
	src := &d.body
	if !q.serverTimes() {
		q.s.watch.begin(src)
	}
	if q.r.ContentLength < 0 {
		src.r = http.MaxBytesReader(q.w, q.r.Body, q.s.maxBody)
	}
	encoding := q.r.Header["Content-Encoding"]
	if len(encoding) == 0 {
		return src, nil
	}
	switch list := strings.ToLower(strings.Join(encoding, ", ")); list {
	case "", "identity":
		return src, nil
	case "gzip", "x-gzip":
		gz, err := newGzip(src)
		if err != nil {
			return nil, q.readProblem(err, 0)
		}
		src.gz = gz
		return src, nil
	default:
		return nil, &Problem{
			Status: http.StatusUnsupportedMediaType, Detail: fmt.Sprintf("Content-Encoding %q is not supported", clip(list)),
			Header: http.Header{"Accept-Encoding": {"gzip, identity"}}, // RFC 9110, section 12.5.3
		}
	}
}

// serverTimes reports whether the http.Server itself limits the time of a request to no more than
// the service allows for a body.
func (q *call) serverTimes() bool {
	s, ok := q.ctx.Context.Value(http.ServerContextKey).(*http.Server)
	return ok && s.ReadTimeout > 0 && s.ReadTimeout <= q.s.readTotal
}

// bodyReader reads a body, through gz if that is set, and is observed by a watch.
type bodyReader struct {
	w    http.ResponseWriter
	r    io.Reader
	gz   *gzip.Reader
	bare bool // gz is reading: its reads of the bodyReader go to r

	shard      *watchShard // nil if it is not watched
	prev, next *bodyReader // in the shard's list
	moved      atomic.Bool // something was read since the last tick
	late       bool        // a limit was exceeded
	ended      bool        // a deadline in the past was set, which ends the read
	age, still uint32      // ticks since the beginning, and since bytes last arrived
}

// Read reads the body as the codec is to see it: decompressed.
func (b *bodyReader) Read(p []byte) (int, error) {
	if b.gz != nil && !b.bare {
		b.bare = true // gz reads from b
		n, err := b.gz.Read(p)
		b.bare = false
		return n, err
	}
	n, err := b.r.Read(p)
	if b.shard != nil && n > 0 {
		b.moved.Store(true)
	}
	return n, err
}

// close takes b off its watch. net/http goes on reading in the background to notice when a client
// leaves. If a deadline passed during that read, net/http would conclude that the client has left.
func (b *bodyReader) close() {
	b.end()
	if b.gz != nil {
		gzips.Put(b.gz)
		b.gz = nil
	}
}

var gzips sync.Pool

func newGzip(r io.Reader) (*gzip.Reader, error) {
	if z, ok := gzips.Get().(*gzip.Reader); ok {
		if err := z.Reset(r); err != nil {
			gzips.Put(z)
			return nil, err
		}
		return z, nil
	}
	return gzip.NewReader(r)
}

// readProblem returns the answer to a body that could not be read to its end. n is the number of
// bytes that were read.
func (q *call) readProblem(err error, n int) *Problem {
	var tooMany *http.MaxBytesError
	p := &Problem{Status: http.StatusBadRequest, Err: err}
	switch {
	case errors.Is(err, errLimit) || errors.As(err, &tooMany):
		p = tooLarge(q.s.maxBody)
		p.Err = err
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.Status, p.Detail = http.StatusRequestTimeout, fmt.Sprintf("the body stood still or took too long, after %d bytes", n)
		p.Header = http.Header{"Connection": {"close"}}
	case errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum):
		p.Detail = "the body is not gzip, which its Content-Encoding says it is"
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		p.Detail = fmt.Sprintf("the body ends after %d bytes, before it is complete", n)
	default:
		p.Detail = "the body cannot be read"
	}
	return p
}

// watch limits how long the bodies of a service may go without a byte, and how long they may take.
// A deadline for each body would have to be set and lifted with each request, although hardly one
// ever passes. The runtime would also wake a thread for many of them (docs/perf/nano.md). Instead,
// one timer goes through lists of the bodies that are being read, and ends a late read by a
// deadline in the past. A limit is therefore exceeded by up to a tenth of the shorter one, and by
// at most a second.
type watch struct {
	period time.Duration // between two ticks of the timer; 0 if there is no limit
	idle   uint32        // periods that a body may go without a byte
	total  uint32        // periods that a body may take; both are at least 1
	shards [8]watchShard
}

// watchShard has the list of a part of the bodies, so that processors seldom wait for one lock.
type watchShard struct {
	w     *watch
	mu    sync.Mutex
	first *bodyReader
	timed bool // the timer is set
	_     [32]byte
}

func newWatch(idle, total time.Duration) *watch {
	w := new(watch)
	least := min(positive(idle), positive(total))
	if least == forever {
		return w
	}
	w.period = min(max(least/10, time.Millisecond), time.Second)
	w.idle, w.total = w.periods(idle), w.periods(total)
	for i := range w.shards {
		w.shards[i].w = w
	}
	return w
}

const forever = 1<<63 - 1

// positive returns d, or forever if d is 0 or less, which means no limit.
func positive(d time.Duration) time.Duration {
	if d <= 0 {
		return forever
	}
	return d
}

func (w *watch) periods(d time.Duration) uint32 {
	return uint32(min((positive(d)-1)/w.period+1, 1<<32-1))
}

// begin watches b until end is called.
func (w *watch) begin(b *bodyReader) {
	if w.period == 0 {
		return
	}
	s := &w.shards[rand.Uint32()%uint32(len(w.shards))]
	s.mu.Lock()
	defer s.mu.Unlock()
	b.shard, b.next = s, s.first
	if b.next != nil {
		b.next.prev = b
	}
	s.first = b
	if !s.timed {
		s.timed = true
		time.AfterFunc(w.period, s.tick)
	}
}

// end takes b off the list, and lifts the deadline if tick has set one.
func (b *bodyReader) end() {
	s := b.shard
	if s == nil {
		return
	}
	b.shard = nil
	s.mu.Lock()
	if b.next != nil {
		b.next.prev = b.prev
	}
	if b.prev != nil {
		b.prev.next = b.next
	} else {
		s.first = b.next
	}
	b.prev, b.next = nil, nil
	s.mu.Unlock()
	if b.ended {
		setReadDeadline(b.w, time.Time{})
	}
}

// tick ends the reads that are late. A body on the list still has its handler running, so its
// ResponseWriter is valid while the lock is held; setting a deadline does not block.
func (s *watchShard) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for b := s.first; b != nil; b = b.next {
		b.age++
		b.still++
		if b.moved.Swap(false) {
			b.still = 0
		}
		if !b.late && (b.still > s.w.idle || b.age > s.w.total) {
			b.late, b.ended = true, setReadDeadline(b.w, time.Unix(1, 0))
		}
	}
	if s.timed = s.first != nil; s.timed {
		time.AfterFunc(s.w.period, s.tick)
	}
}

// limitDrain sets a deadline for the rest of a body that was not read to its end. Without a
// deadline, net/http waits for the rest however long the client takes: for up to 256 KiB before it
// sends the status, and again after the answer. net/http lifts the deadline before the next
// request. In HTTP/2, net/http does not read the rest. A request of length 0 has a body too if
// middleware has wrapped it (http.MaxBytesHandler).
func (q *call) limitDrain() {
	if q.read || q.r.ContentLength == 0 || q.r.ProtoMajor != 1 || q.r.Body == nil || q.r.Body == http.NoBody ||
		q.serverTimes() || q.decoded() {
		return
	}
	if d := min(positive(q.s.readIdle), positive(q.s.readTotal)); d != forever {
		q.limited = setReadDeadline(q.w, time.Now().Add(d))
	}
}

// liftDrain lifts the deadline of limitDrain between the first and the last write of an answer.
// Once the body has ended, net/http goes on reading to notice when the client leaves. If the
// deadline passed then, net/http would conclude that the client has left.
func (q *call) liftDrain() {
	if q.limited {
		q.limited = false
		setReadDeadline(q.w, time.Time{})
	}
}
