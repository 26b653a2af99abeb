package nano

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/zmylab/zmy/codec"
)

// trusted is how much memory a Content-Length alone can take; more follows the bytes that arrive.
const trusted = 64 << 10

// readBody returns the whole body in a buffer that the caller releases.
func (x *Exchange) readBody() (*codec.Buffer, error) {
	defer x.body.close()
	src, err := x.bodySource()
	if err != nil {
		return nil, err
	}
	limit, known := x.s.maxBody, int64(-1)
	if src.gz == nil {
		known = x.r.ContentLength
	}
	buf := x.s.pool.Get(int(min(max(known, 512)+1, trusted)))
	buf.B, err = readLimited(buf.B, src, limit, known)
	if err != nil {
		p := x.readProblem(err, len(buf.B))
		buf.Release()
		return nil, p
	}
	x.read = true
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

// bodySource undoes the Content-Encoding. What is compressed and what it becomes are
// both held to the limit, so that a small body cannot become a large one.
func (x *Exchange) bodySource() (*bodyReader, error) {
	x.body = bodyReader{w: x.w, r: x.r.Body}
	src := &x.body
	if !x.serverTimes() {
		x.s.watch.begin(src)
	}
	if x.r.ContentLength < 0 {
		src.r = http.MaxBytesReader(x.w, x.r.Body, x.s.maxBody)
	}
	encoding := x.r.Header["Content-Encoding"]
	if len(encoding) == 0 {
		return src, nil
	}
	switch list := strings.ToLower(strings.Join(encoding, ", ")); list {
	case "", "identity":
		return src, nil
	case "gzip", "x-gzip":
		gz, err := newGzip(src)
		if err != nil {
			return nil, x.readProblem(err, 0)
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
func (x *Exchange) serverTimes() bool {
	s, ok := x.ctx.Context.Value(http.ServerContextKey).(*http.Server)
	return ok && s.ReadTimeout > 0 && s.ReadTimeout <= x.s.readTotal
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
func (x *Exchange) readProblem(err error, n int) *Problem {
	var tooMany *http.MaxBytesError
	p := &Problem{Status: http.StatusBadRequest, Err: err}
	switch {
	case errors.Is(err, errLimit) || errors.As(err, &tooMany):
		p = tooLarge(x.s.maxBody)
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
