package zmy

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/zmylab/zmy/wire"
)

// DefaultChunkSize is the largest number of bytes of a record in one chunk if the option ChunkSize
// is 0.
const DefaultChunkSize = 64 << 10

// Flags of a chunk. All other bits are refused.
const (
	chunkFirst      = 1 << 0 // the record begins
	chunkLast       = 1 << 1 // the record ends
	chunkCompressed = 1 << 2
	chunkEOS        = 1 << 3 // the stream ends
)

const (
	chunkHead = 8         // u32 length and flags, u32 checksum
	maxChunk  = 1<<24 - 1 // of the payload
	maxFlags  = chunkEOS<<1 - 1
)

// Writer writes a stream: any number of records, each usually one message, in chunks of limited
// size. Each chunk is one call of the underlying Write, so wrap w in a bufio.Writer to write many
// small records. A Writer is not safe for concurrent use.
type Writer struct {
	o    SealOptions
	w    io.Writer
	size int    // bytes of a record in one chunk, before compression
	seq  uint64 // number of the next chunk
	off  int64
	buf  []byte // the chunk to be written, after the stream's header if it is the first
	num  [8]byte
	open bool // a record is being written
	err  error

	asked SealOptions  // the options as given; o adds the fingerprint and schema of the first value
	typ   reflect.Type // type of the first value
}

// NewWriter returns a Writer of a stream to w. It writes nothing before the first record.
func NewWriter(w io.Writer) *Writer { return SealOptions{}.NewWriter(w) }

// NewWriter is like the function NewWriter, with these options. MaxWire limits each chunk. MaxRaw
// limits each message that Marshal or WriteMessage writes, but not records written piece by piece.
func (o SealOptions) NewWriter(w io.Writer) *Writer {
	size := min(limit(o.ChunkSize, DefaultChunkSize), o.maxWire()-chunkHead, maxChunk)
	return &Writer{o: o, asked: o, w: w, size: max(size, 1)}
}

// Marshal writes v as one record. With the option Describe the stream has the schema of its first
// value, and Marshal refuses values of other types.
func (w *Writer) Marshal(v any) error {
	buf := rawBuffers.Get().(*[]byte)
	defer putRaw(buf)
	msg, err := w.o.record().Append((*buf)[:0], v)
	if err != nil {
		return err // nothing has been written, so the stream stays usable
	}
	*buf = msg // it may have grown: putRaw keeps the larger memory
	if err := w.describe(v); err != nil {
		return err
	}
	return w.WriteMessage(msg)
}

// describe puts the fingerprint and the schema of v's type into the stream's header, if that has
// not been written. Afterwards v must have the type that the header describes.
func (w *Writer) describe(v any) (err error) {
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case w.seq == 0:
		w.typ = t
		w.o, err = w.asked.of(v)
	case w.asked.Describe && w.asked.Schema == nil && w.typ != nil && t != w.typ:
		err = w.fail(ErrSequence, "the stream's schema is that of %v, not of %v: start another stream for it", w.typ, t)
	}
	return err
}

// record returns the options for marshalling a message that will be cut into chunks: MaxWire limits
// the chunks, not the message.
func (o SealOptions) record() MarshalOptions {
	m := o.Marshal
	m.MaxRaw = o.maxRaw()
	m.MaxWire = m.MaxRaw
	return m
}

// WriteMessage writes msg, a message from Marshal, as one record.
func (w *Writer) WriteMessage(msg []byte) error {
	if maxRaw := w.o.maxRaw(); len(msg) > maxRaw {
		return w.fail(ErrTooLarge, "record of %d bytes, MaxRaw is %d", len(msg), maxRaw)
	}
	if w.open {
		return w.fail(ErrSequence, "close the open record first")
	}
	flags := byte(chunkFirst)
	for len(msg) > w.size && w.err == nil {
		w.chunk(flags, msg[:w.size])
		msg, flags = msg[w.size:], 0
	}
	w.chunk(flags|chunkLast, msg)
	return w.err
}

// Record starts a record of any size that is written piece by piece. It needs memory for one chunk
// only. Close the record before writing anything else.
func (w *Writer) Record() io.WriteCloser {
	if w.open && w.err == nil {
		w.err = w.fail(ErrSequence, "close the open record first")
	}
	w.open = true
	return &recordWriter{w: w, flags: chunkFirst}
}

type recordWriter struct {
	w      *Writer
	buf    []byte
	flags  byte
	closed bool
}

func (r *recordWriter) Write(p []byte) (n int, err error) {
	if r.closed {
		return 0, r.w.fail(ErrSequence, "the record is closed")
	}
	for len(p) > 0 && r.w.err == nil {
		if len(r.buf) == r.w.size { // the buffer is full, and more bytes follow
			r.w.chunk(r.flags, r.buf)
			r.buf, r.flags = r.buf[:0], 0
		}
		k := min(len(p), r.w.size-len(r.buf))
		r.buf = append(r.buf, p[:k]...)
		n, p = n+k, p[k:]
	}
	return n, r.w.err
}

func (r *recordWriter) Close() error {
	if r.closed {
		return r.w.err
	}
	r.closed, r.w.open = true, false
	r.w.chunk(r.flags|chunkLast, r.buf)
	return r.w.err
}

// Close ends the stream. Without Close readers report that the stream is truncated. Close does not
// close the underlying writer.
func (w *Writer) Close() error {
	switch {
	case errors.Is(w.err, errClosed):
		return nil
	case w.open:
		return w.fail(ErrSequence, "close the open record first")
	}
	w.chunk(chunkEOS, nil)
	if w.err != nil {
		return w.err
	}
	w.err = errClosed
	return nil
}

var errClosed = errors.New("zmy: write stream: it is closed")

// chunk writes one chunk. If it is the first, the stream's header precedes it in the same Write. An
// error is kept in w.err, and later calls do nothing.
func (w *Writer) chunk(flags byte, raw []byte) {
	if maxWire := w.o.maxWire(); w.err == nil && w.seq == 0 && len(w.o.Schema) > maxWire-EnvelopeOverhead {
		w.err = w.fail(ErrTooLarge, "schema block of %d bytes, MaxWire is %d", len(w.o.Schema), maxWire)
	}
	if w.err != nil {
		return
	}
	b := w.buf[:0]
	if w.seq == 0 {
		b = w.header(b)
	}
	s := len(b)
	b = wire.Extend(b, chunkHead)
	compressed := false
	if w.o.Compressor != nil && len(raw) > 0 {
		b, compressed, w.err = squeeze(w.o.Compressor, b, raw)
		if w.err != nil {
			w.err = w.fail(w.err, "")
			return
		}
	}
	if compressed {
		flags |= chunkCompressed
	} else {
		b = append(b[:s+chunkHead], raw...)
	}
	n := len(b) - s - chunkHead
	wire.PutU32(b[s:], uint32(n)|uint32(flags)<<24)
	wire.PutU32(b[s+4:], 0)
	if !w.o.NoChecksum {
		wire.PutU32(b[s+4:], chunkSum(&w.num, w.seq, b[s:s+4], b[s+chunkHead:]))
	}
	w.buf = b
	w.seq++
	k, err := w.w.Write(b)
	w.off += int64(k)
	if err != nil {
		w.err = fmt.Errorf("zmy: write stream: %w", err)
	}
}

// header appends the stream's header: an envelope's header whose body is the schema block.
func (w *Writer) header(b []byte) []byte {
	h := header{flags: w.o.flags() | flagStream, fingerprint: w.o.Fingerprint, bodyLen: len(w.o.Schema)}
	if w.o.Compressor != nil {
		h.flags |= uint16(w.o.Compressor.ID()) << 2
	}
	s := len(b)
	b = append(wire.Extend(b, EnvelopeOverhead), w.o.Schema...)
	h.put(b[s:])
	return b
}

func (w *Writer) fail(code error, format string, args ...any) error {
	return &EnvelopeError{"write stream", w.off, code, fmt.Sprintf(format, args...)}
}

// chunkSum returns the checksum of chunk number seq. The number is part of it, so a chunk in the
// place of another has a wrong checksum. scratch is memory for the number: a local array would
// escape to the heap.
func chunkSum(scratch *[8]byte, seq uint64, head, payload []byte) uint32 {
	wire.PutU64(scratch[:], seq)
	return checksum(scratch[:], head, payload)
}
