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

// NOTE: the form of streams.
//
// A stream is a sequence of frames, numbered from 1 (or, resumed, from the first that the client
// lacks) without gaps. It is whole if its last frame is an end; whatever else stops it has cut it
// short. There are four kinds:
//
//	data      an element, as the codec writes it
//	fault     an element that could not be encoded; the stream goes on
//	complete  the end: that was all
//	failed    the end: there is more, and a problem document says why it does not come
//
// Codecs of JSON have one line each (application/x-ndjson), UTF-8, ended by a line feed:
//
//	{"seq":1,"data":<element>}
//	{"seq":2,"fault":<problem>}
//	{"seq":3,"end":"complete"}
//	{"seq":3,"end":"failed","problem":<problem>}
//
// All others have binary frames (their media type with -frames behind it):
//
//	length  uvarint, of all that follows
//	kind    1 byte: 1 data, 2 fault, 3 complete, 4 failed
//	seq     uvarint
//	payload the element; a problem document as JSON for 2 and 4; nothing for 3
//
// uvarint is the encoding of encoding/binary in its shortest form.
//
// Between frames a line feed or, in the binary form, a length of 0 is a sign of life: it has no
// number and says nothing.

// frameKind is the kind of a frame, by its byte in the binary form.
type frameKind byte

const (
	frameSign     frameKind = 0 // of life
	frameData     frameKind = 1
	frameFault    frameKind = 2
	frameComplete frameKind = 3
	frameFailed   frameKind = 4
)

// frame is one frame; payload is an element or a problem document.
type frame struct {
	kind    frameKind
	seq     uint64
	payload []byte
}

// Errors of streams, for errors.Is.
var (
	// ErrTruncated: a stream stopped before its end.
	ErrTruncated = errors.New("stream cut short")
	// ErrSequence: a frame has another number than the one that was due.
	ErrSequence = errors.New("frame out of sequence")
	// ErrFrame: bytes that are no frame.
	ErrFrame = errors.New("malformed frame")
)

// ndjson is the media type of streams of JSON.
const ndjson = "application/x-ndjson"

// isJSON reports whether a media type, in lower case and without parameters, is one of JSON (RFC
// 8259), the older text/json, or built on JSON (RFC 6839, section 3.1).
func isJSON(mediaType string) bool {
	return mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json")
}

// StreamType returns the media type of streams of c.
func StreamType(c codec.Codec) string {
	m := codec.MediaType(c)
	if isJSON(m) {
		return ndjson
	}
	return m + "-frames"
}

// sign is a sign of life in the form of the stream.
func sign(lines bool) string {
	if lines {
		return "\n"
	}
	return "\x00"
}

// appendFrame appends a frame in the form of the stream.
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
	for i := start; i < len(dst); i++ { // line feeds of JSON are space: within strings they are escaped
		if dst[i] == '\n' || dst[i] == '\r' {
			dst[i] = ' '
		}
	}
	return append(dst, '}', '\n')
}

// frameReader reads the frames of a stream. next returns [io.EOF] at the end of the bytes between
// two frames, which is no end of a stream, and [io.ErrUnexpectedEOF] within one.
type frameReader struct {
	r     *bufio.Reader
	lines bool
	limit int // of a frame in bytes
	buf   []byte
}

func newFrameReader(r io.Reader, lines bool, limit int) *frameReader {
	return &frameReader{r: bufio.NewReader(r), lines: lines, limit: limit}
}

// next returns the next frame, whose payload is good until the call after.
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

// shortest reads a uvarint and refuses longer spellings than need be.
func shortest(b []byte) (v uint64, n int, err error) {
	v, n = binary.Uvarint(b)
	if n <= 0 || n > 1 && b[n-1] == 0 {
		return 0, 0, fmt.Errorf("%w: malformed number", ErrFrame)
	}
	return v, n, nil
}

// fill reads n bytes, taking memory as they arrive.
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

// line reads one line without its end.
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

// envelope is a line; exactly one of Data, Fault and End is there.
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

// problem reads the document of a fault or failure.
func (f frame) problem() (*Problem, error) {
	p := new(Problem)
	if err := json.Unmarshal(bytes.TrimSpace(f.payload), p); err != nil {
		return nil, fmt.Errorf("%w: problem document: %w", ErrFrame, err)
	}
	return p, nil
}
