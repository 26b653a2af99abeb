package sse

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/zmylab/zmy/codec"
)

// ErrTooLarge is wrapped by errors about an event that exceeds a limit.
var ErrTooLarge = codec.WithClass(codec.ClassLimit, errors.New("event too large"))

// DefaultMaxEvent is the default limit for the data of an event, in bytes, in reading and
// publishing: 1 MiB.
const DefaultMaxEvent = 1 << 20

// Reader reads a stream as the standard says (WHATWG HTML, sections 9.2.5 and 9.2.6). An event that
// is cut off by the end of the stream is not returned. The tests compare it with a slow parser that
// follows the standard's text (oracle_test.go).
type Reader struct {
	// Comment, if set, is called with the text of each comment. The text is valid during the call.
	Comment func(text []byte)

	src  io.Reader
	max  int
	buf  []byte // buf[r:w] was read from src and is not consumed yet
	r, w int
	scan int // buf[r:scan] has no line break
	err  error

	started bool // the check for a byte order mark is done
	skipLF  bool // the last line ended with CR, so an LF that follows belongs to it
	data    []byte
	typ     []byte
	name    string // the last event's type as a string: types often repeat, and then need no allocation
	id      []byte // set by the lines read so far
	lastID  string // set by the last empty line
	retry   time.Duration
	hasTry  bool
}

// NewReader returns a reader of src. It fails on a line, or on the data of an event, of more than
// maxEvent bytes; 0 means [DefaultMaxEvent]. lastID is the last event ID of earlier connections, ""
// for a new stream.
func NewReader(src io.Reader, maxEvent int, lastID string) *Reader {
	return &Reader{src: src, max: cmp.Or(max(maxEvent, 0), DefaultMaxEvent), id: []byte(lastID), lastID: lastID}
}

// LastID returns the last event ID: that of the last event, or one that the stream has set since.
func (r *Reader) LastID() string { return r.lastID }

// Retry returns the reconnection time that the stream has set, and whether it has set one.
func (r *Reader) Retry() (time.Duration, bool) { return r.retry, r.hasTry }

// Buffered returns how many bytes were read from the source but not consumed by Next. It is 0 if
// the next event begins with the source's next byte.
func (r *Reader) Buffered() int { return r.w - r.r }

// Next returns the next event. Its data is valid until the next call. Its ID is the last event ID,
// set by this event or an earlier one. Its type is never "". At the end of the stream the error is
// [io.EOF], even within an event. Errors of the source are returned unchanged.
func (r *Reader) Next() (Event, error) {
	r.data = r.data[:0]
	for {
		line, err := r.line()
		if err != nil {
			return Event{}, err
		}
		if len(line) > 0 {
			if err := r.field(line); err != nil {
				r.err = err
				return Event{}, err
			}
			continue
		}
		if string(r.id) != r.lastID {
			r.lastID = string(r.id)
		}
		if len(r.data) == 0 { // no data field: even an empty one would have left a line break
			r.typ = r.typ[:0]
			continue
		}
		return Event{ID: r.lastID, Type: r.takeType(), Data: r.data[:len(r.data)-1]}, nil
	}
}

func (r *Reader) takeType() string {
	if len(r.typ) == 0 {
		return "message"
	}
	if r.name != string(r.typ) {
		r.name = string(r.typ)
	}
	r.typ = r.typ[:0]
	return r.name
}

// field processes a line that is not empty.
func (r *Reader) field(line []byte) error {
	name, value, _ := bytes.Cut(line, colon)
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	switch string(name) {
	case "":
		if r.Comment != nil {
			r.Comment(value)
		}
	case "data":
		r.data = append(appendValid(r.data, value), '\n')
		if len(r.data) > r.max+1 {
			return r.tooLarge("data")
		}
	case "event":
		r.typ = appendValid(r.typ[:0], value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			r.id = appendValid(r.id[:0], value)
		}
	case "retry":
		r.setRetry(value)
	}
	return nil
}

var colon = []byte{':'}

// setRetry sets the reconnection time. It ignores a value that is empty or not all digits. A time
// longer than a Duration can hold becomes the longest one.
func (r *Reader) setRetry(value []byte) {
	const longest = int64(1<<63-1) / int64(time.Millisecond)
	ms := int64(0)
	for _, c := range value {
		if c < '0' || c > '9' {
			return
		}
		ms = min(ms*10+int64(c-'0'), longest)
	}
	if len(value) > 0 {
		r.retry, r.hasTry = time.Duration(ms)*time.Millisecond, true
	}
}

func (r *Reader) tooLarge(what string) error {
	return fmt.Errorf("sse: read: %w: %s of more than %d bytes; raise the limit or publish less", ErrTooLarge, what, r.max)
}

// line returns the next line without its end, valid until the next call.
func (r *Reader) line() ([]byte, error) {
	for {
		if line, ok := r.buffered(); ok {
			return line, nil
		}
		if r.err != nil {
			return nil, r.err
		}
		// The name and its colon do not count as data.
		if r.w-r.r > r.max+len("data: ") {
			r.err = r.tooLarge("a line")
			return nil, r.err
		}
		r.fill()
	}
}

// buffered returns the next line if all of it was read. A line that ends with CR is returned at
// once: the byte that follows could be long in coming.
func (r *Reader) buffered() ([]byte, bool) {
	if !r.start() {
		return nil, false
	}
	if r.skipLF && r.r < r.w {
		r.skipLF = false
		if r.buf[r.r] == '\n' {
			r.r++
		}
	}
	r.scan = max(r.scan, r.r)
	rest := r.buf[r.scan:r.w]
	end := bytes.IndexByte(rest, '\n')
	if end >= 0 {
		rest = rest[:end]
	}
	if cr := bytes.IndexByte(rest, '\r'); cr >= 0 {
		end = cr
		r.skipLF = true
	}
	if end < 0 {
		r.scan = r.w
		return nil, false
	}
	line := r.buf[r.r : r.scan+end]
	r.r = r.scan + end + 1
	return line, true
}

// start skips a byte order mark at the beginning of the stream. It returns false if it needs more
// bytes.
func (r *Reader) start() bool {
	const mark = "\uFEFF"
	if r.started {
		return true
	}
	have := string(r.buf[:min(r.w, len(mark))])
	if have == mark[:len(have)] && len(have) < len(mark) && r.err == nil {
		return false
	}
	if have == mark {
		r.r = len(mark)
	}
	r.started = true
	return true
}

// fill makes room in the buffer and reads once.
func (r *Reader) fill() {
	if r.r > 0 {
		copy(r.buf, r.buf[r.r:r.w])
		r.w, r.scan, r.r = r.w-r.r, r.scan-r.r, 0
	}
	if r.w == len(r.buf) {
		bigger := make([]byte, max(1024, 2*len(r.buf)))
		copy(bigger, r.buf[:r.w])
		r.buf = bigger
	}
	for range 100 {
		n, err := r.src.Read(r.buf[r.w:])
		r.w += n
		r.err = err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}
