package nano

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/codec"
)

// NOTE: the format of streams.
//
// A stream is a sequence of frames, numbered from 1 without gaps; a resumed stream begins with the
// first number that the client lacks. A stream is whole if its last frame is an end. Otherwise it
// was cut short. There are four kinds of frames:
//
//	data      an element, as the codec writes it
//	fault     an element that could not be encoded; the stream goes on
//	complete  the end: these were all elements
//	failed    the end: elements are missing, and a problem document says why
//
// A stream of a JSON codec (application/x-ndjson) has one line for each frame, in UTF-8, ended by a
// line feed:
//
//	{"seq":1,"data":<element>}
//	{"seq":2,"fault":<problem>}
//	{"seq":3,"end":"complete"}
//	{"seq":3,"end":"failed","problem":<problem>}
//
// Streams of all other codecs have binary frames. Their media type is the codec's with -frames at
// its end:
//
//	length  uvarint, the number of bytes that follow
//	kind    1 byte: 1 data, 2 fault, 3 complete, 4 failed
//	seq     uvarint
//	payload the element; for 2 and 4 a problem document as JSON; for 3 nothing
//
// A uvarint is that of encoding/binary, in its shortest form.
//
// Between frames there may be signs of life: a line feed or, in the binary form, a length of 0.
// They have no number and carry nothing.

// frameKind is the kind of a frame: its byte in the binary form.
type frameKind byte

const (
	frameSign     frameKind = 0 // a sign of life
	frameData     frameKind = 1
	frameFault    frameKind = 2
	frameComplete frameKind = 3
	frameFailed   frameKind = 4
)

// frame is one frame. payload is an element or a problem document.
type frame struct {
	kind    frameKind
	seq     uint64
	payload []byte
}

// Errors of streams, for errors.Is.
var (
	// ErrTruncated means that a stream stopped before its end.
	ErrTruncated = errors.New("stream cut short")
	// ErrSequence means that a frame does not have the number after the last one.
	ErrSequence = errors.New("frame out of sequence")
	// ErrFrame means that the bytes are not a frame.
	ErrFrame = errors.New("malformed frame")
)

// ndjson is the media type of streams of JSON.
const ndjson = "application/x-ndjson"

// isJSON reports whether a media type, in lower case and without parameters, is JSON (RFC 8259),
// the older text/json, or based on JSON (RFC 6839, section 3.1).
func isJSON(mediaType string) bool {
	return mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json")
}

// StreamType returns the media type of streams of c: application/x-ndjson for JSON codecs, else
// that of c with -frames at its end.
func StreamType(c codec.Codec) string {
	m := codec.MediaType(c)
	if isJSON(m) {
		return ndjson
	}
	return m + "-frames"
}

// sign returns a sign of life: as a line if lines is set, else in the binary form.
func sign(lines bool) string {
	if lines {
		return "\n"
	}
	return "\x00"
}

// appendFrame appends f as a line if lines is set, else in the binary form.
func appendFrame(dst []byte, lines bool, f frame) []byte {
	if lines {
		return appendLine(dst, f)
	}
	var seq [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(seq[:], f.seq)
	dst = binary.AppendUvarint(dst, uint64(1+n+len(f.payload)))
	dst = append(dst, byte(f.kind))
	dst = append(dst, seq[:n]...)
	return append(dst, f.payload...)
}

func appendLine(dst []byte, f frame) []byte {
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendUint(dst, f.seq, 10)
	switch f.kind {
	case frameData:
		dst = append(dst, `,"data":`...)
	case frameFault:
		dst = append(dst, `,"fault":`...)
	case frameComplete:
		return append(dst, `,"end":"complete"}`+"\n"...)
	case frameFailed:
		dst = append(dst, `,"end":"failed","problem":`...)
	}
	start := len(dst)
	dst = append(dst, f.payload...)
	for i := start; i < len(dst); i++ { // a line feed in JSON is white space: in strings it is escaped
		if dst[i] == '\n' || dst[i] == '\r' {
			dst[i] = ' '
		}
	}
	return append(dst, '}', '\n')
}

// frameReader reads the frames of a stream. If the bytes end between two frames, next returns
// [io.EOF], whether or not the last frame was an end. If they end within a frame, it returns
// [io.ErrUnexpectedEOF].
type frameReader struct {
	r     *bufio.Reader
	lines bool
	limit int // largest frame in bytes
	buf   []byte
}

func newFrameReader(r io.Reader, lines bool, limit int) *frameReader {
	return &frameReader{r: bufio.NewReader(r), lines: lines, limit: limit}
}

// next returns the next frame. Its payload is valid until the next call.
func (d *frameReader) next() (frame, error) {
	if d.lines {
		line, err := d.line()
		if err != nil {
			return frame{}, err
		}
		if len(line) == 0 {
			return frame{kind: frameSign}, nil
		}
		return parseLine(line)
	}
	n, err := d.length()
	if err != nil {
		return frame{}, err
	}
	if n == 0 {
		return frame{kind: frameSign}, nil
	}
	if n > uint64(max(d.limit, 0)) {
		return frame{}, fmt.Errorf("%w: %d bytes, limit %d", codec.ErrTooLarge, n, d.limit)
	}
	if err := d.fill(int(n)); err != nil {
		return frame{}, err
	}
	return parseFrame(d.buf)
}

func (d *frameReader) length() (uint64, error) {
	var b [binary.MaxVarintLen64]byte
	for i := range b {
		c, err := d.r.ReadByte()
		if err != nil {
			if err == io.EOF && i > 0 {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		b[i] = c
		if c < 0x80 {
			n, _, err := shortest(b[:i+1])
			return n, err
		}
	}
	return 0, fmt.Errorf("%w: its length has more than %d bytes", ErrFrame, len(b))
}

// shortest reads a uvarint, and refuses one that is longer than necessary.
func shortest(b []byte) (v uint64, n int, err error) {
	v, n = binary.Uvarint(b)
	if n <= 0 || n > 1 && b[n-1] == 0 {
		return 0, 0, fmt.Errorf("%w: malformed number", ErrFrame)
	}
	return v, n, nil
}

// fill reads n bytes. It allocates as bytes arrive, not the whole length at once.
func (d *frameReader) fill(n int) error {
	d.buf = d.buf[:0]
	for len(d.buf) < n {
		k := min(n-len(d.buf), 64<<10)
		start := len(d.buf)
		d.buf = append(d.buf, make([]byte, k)...)
		if _, err := io.ReadFull(d.r, d.buf[start:]); err != nil {
			return unexpected(err)
		}
	}
	return nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func parseFrame(b []byte) (frame, error) {
	if len(b) < 2 || b[0] < byte(frameData) || b[0] > byte(frameFailed) {
		return frame{}, fmt.Errorf("%w: no kind", ErrFrame)
	}
	f := frame{kind: frameKind(b[0])}
	seq, n, err := shortest(b[1:])
	if err != nil {
		return frame{}, err
	}
	f.seq, f.payload = seq, b[1+n:]
	if f.kind == frameComplete && len(f.payload) > 0 {
		return frame{}, fmt.Errorf("%w: bytes behind the end", ErrFrame)
	}
	return f, nil
}

// line reads one line and returns it without its line feed.
func (d *frameReader) line() ([]byte, error) {
	d.buf = d.buf[:0]
	for {
		part, err := d.r.ReadSlice('\n')
		d.buf = append(d.buf, part...)
		if len(d.buf) > d.limit {
			return nil, fmt.Errorf("%w: a line of more than %d bytes", codec.ErrTooLarge, d.limit)
		}
		if err == nil {
			return d.buf[:len(d.buf)-1], nil
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(d.buf) > 0 {
			err = unexpected(err)
		}
		return nil, err
	}
}

// envelope is a line. Exactly one of Data, Fault and End is set.
type envelope struct {
	Seq     *uint64         `json:"seq"`
	Data    json.RawMessage `json:"data"`
	Fault   json.RawMessage `json:"fault"`
	End     string          `json:"end"`
	Problem json.RawMessage `json:"problem"`
}

func parseLine(line []byte) (frame, error) {
	var e envelope
	if err := json.Unmarshal(line, &e); err != nil {
		return frame{}, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	if e.Seq == nil {
		return frame{}, fmt.Errorf("%w: no seq", ErrFrame)
	}
	f := frame{seq: *e.Seq}
	switch {
	case e.Data != nil && e.Fault == nil && e.End == "" && e.Problem == nil:
		f.kind, f.payload = frameData, e.Data
	case e.Fault != nil && e.Data == nil && e.End == "" && e.Problem == nil:
		f.kind, f.payload = frameFault, e.Fault
	case e.End == "complete" && e.Data == nil && e.Fault == nil && e.Problem == nil:
		f.kind = frameComplete
	case e.End == "failed" && e.Data == nil && e.Fault == nil && e.Problem != nil:
		f.kind, f.payload = frameFailed, e.Problem
	default:
		return frame{}, fmt.Errorf("%w: want one of data, fault and end", ErrFrame)
	}
	return f, nil
}

// problem reads the problem document of a fault or failed frame.
func (f frame) problem() (*Problem, error) {
	p := new(Problem)
	if err := json.Unmarshal(bytes.TrimSpace(f.payload), p); err != nil {
		return nil, fmt.Errorf("%w: problem document: %w", ErrFrame, err)
	}
	return p, nil
}
