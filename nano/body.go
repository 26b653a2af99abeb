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

// trusted is how much memory a Content-Length alone can take; more follows the bytes that arrive.
const trusted = 64 << 10

// reading is the body while it is read, and what it was decoded into.
type reading struct {
	body bodyReader
	in   any // what Decode stored into
}

// readBody returns the whole body in a buffer that the caller releases.
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

// errLimit: more than the limit has arrived.
var errLimit = errors.New("body too large")

// readLimited appends r to b until it ends. A known size spares the read that would
// only find the end.
func readLimited(b []byte, r io.Reader, limit, known int64) ([]byte, error) {
	for int64(len(b)) != known {
		if len(b) == cap(b) {
			b = slices.Grow(b, max(len(b), 512)) // doubled: as much as has arrived
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

// bodySource undoes the Content-Encoding. The limit holds for the bytes before and after
// decompression, so a small body cannot become a large one.
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

// serverTimes reports whether the server limits the time of the whole request closely enough.
func (q *call) serverTimes() bool {
	s, ok := q.ctx.Context.Value(http.ServerContextKey).(*http.Server)
	return ok && s.ReadTimeout > 0 && s.ReadTimeout <= q.s.readTotal
}

// bodyReader reads a body under the eyes of a watch, and through gz if that is set.
type bodyReader struct {
	w    http.ResponseWriter
	r    io.Reader
	gz   *gzip.Reader
	bare bool // reads go to r though gz is set: they come from gz

	shard      *watchShard // nil where nobody watches
	prev, next *bodyReader // on its list
	moved      atomic.Bool // something was read since the last tick
	late       bool        // its read is to end
	ended      bool        // … which the deadline that was set does
	age, still uint32      // ticks since the beginning, and without a move
}

// Read reads what the codec sees.
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

// close ends the watch: net/http reads on in the background, to notice that a client
// goes, and would take a deadline's passing for that.
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

// readProblem says why a body could not be read after n bytes of it.
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

// watch limits how long the bodies of a service may stand still and how long they may take. A
// deadline for each body would be set and lifted with each request, though hardly one passes, and
// the runtime wakes a thread for many of them (docs/perf/nano.md). Instead, a timer goes through a
// list of the bodies that are being read, and ends a late read by a deadline in the past. A limit
// is therefore exceeded by up to a tenth of the shorter one, and by at most a second.
type watch struct {
	period time.Duration // of the timer; 0 if there is no limit
	idle   uint32        // periods that a body may stand still
	total  uint32        // … and take; both at least one
	shards [8]watchShard
}

// watchShard has some of the bodies, so that processors seldom meet.
type watchShard struct {
	w     *watch
	mu    sync.Mutex
	first *bodyReader
	timed bool // the timer runs
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

// positive is d, or forever where it is no limit.
func positive(d time.Duration) time.Duration {
	if d <= 0 {
		return forever
	}
	return d
}

func (w *watch) periods(d time.Duration) uint32 {
	return uint32(min((positive(d)-1)/w.period+1, 1<<32-1))
}

// begin has b watched until end.
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

// end takes b off the list, and what was done to its connection back.
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

// limitDrain sets a deadline for what net/http reads of a body that was not read to its end: up to
// 256 KiB before it sends the status, and again behind the answer, however long the client takes.
// net/http lifts the deadline before the next request. HTTP/2 reads nothing. A request of length 0
// has a body all the same where middleware has wrapped it (http.MaxBytesHandler).
func (q *call) limitDrain() {
	if q.read || q.r.ContentLength == 0 || q.r.ProtoMajor != 1 || q.r.Body == nil || q.r.Body == http.NoBody ||
		q.serverTimes() || q.decoded() {
		return
	}
	if d := min(positive(q.s.readIdle), positive(q.s.readTotal)); d != forever {
		q.limited = setReadDeadline(q.w, time.Now().Add(d))
	}
}

// liftDrain lifts limitDrain's deadline between the first write of an answer and its last: once the
// body is at its end, net/http reads on to notice that the client goes, and takes a deadline's
// passing for that.
func (q *call) liftDrain() {
	if q.limited {
		q.limited = false
		setReadDeadline(q.w, time.Time{})
	}
}
