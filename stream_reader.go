package zmy

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/zmylab/zmy/wire"
)

// Reader reads a stream that a Writer has written. It reads no byte beyond the
// end of the stream, and makes two small reads for each chunk: a bufio.Reader
// below helps where those are expensive. It is not safe for concurrent use.
type Reader struct {
	o     OpenOptions
	r     io.Reader
	h     header
	about Envelope
	seq   uint64 // of the next chunk
	off   int64
	head  [chunkHead]byte
	num   [8]byte
	buf   []byte // the chunk as it came
	raw   []byte // the chunk decompressed
	msg   []byte // a record of several chunks
	count int    // records begun
	err   error  // once set, every call returns it

	started bool // the header has been read
	inside  bool // chunks of the current record are left
}

// NewReader reads the stream r.
func NewReader(r io.Reader) *Reader { return OpenOptions{}.NewReader(r) }

// NewReader is the function of that name under these options.
func (o OpenOptions) NewReader(r io.Reader) *Reader { return &Reader{o: o, r: r} }

// About returns what the stream's header says: fingerprint, compression and
// schema. Its Message is nil.
func (r *Reader) About() (Envelope, error) {
	r.start()
	if r.started {
		return r.about, nil
	}
	return Envelope{}, r.err
}

// Unmarshal stores the next record into v, a pointer to a type with generated
// code. It returns io.EOF behind the last one. A record that is not a message of
// the type spoils nothing: the next call reads the next.
func (r *Reader) Unmarshal(v any) error {
	msg, err := r.ReadMessage()
	if err != nil {
		return err
	}
	o := r.o
	if o.Unmarshal.aliases() {
		msg = slices.Clone(msg)
	}
	return o.unmarshal("read stream", r.about.Fingerprint, msg, v)
}

// ReadMessage returns the next record, of at most MaxRaw bytes; it is valid until
// the next call. It returns io.EOF behind the last one.
func (r *Reader) ReadMessage() ([]byte, error) {
	raw, last, err := r.begin()
	for r.msg = r.msg[:0]; err == nil; raw, last, err = r.chunk(0) {
		if maxRaw := r.o.maxRaw(); len(raw) > maxRaw-len(r.msg) {
			r.err = r.fail(ErrTooLarge, "record of more than %d bytes (MaxRaw)", maxRaw)
			return nil, r.err
		}
		if last && len(r.msg) == 0 {
			return raw, nil // most records are one chunk
		}
		r.msg = append(r.msg, raw...)
		if last {
			return r.msg, nil
		}
	}
	return nil, err
}

// Messages ranges over the records that are left, until the first error.
func (r *Reader) Messages() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			msg, err := r.ReadMessage()
			if err == io.EOF || !yield(msg, err) || err != nil {
				return
			}
		}
	}
}

// Record returns the next record for reading piece by piece: it may be of any
// size. It is valid until the next call, which skips what was not read.
func (r *Reader) Record() (io.Reader, error) {
	raw, last, err := r.begin()
	if err != nil {
		return nil, err
	}
	return &recordReader{r, raw, last, r.count}, nil
}

type recordReader struct {
	r     *Reader
	raw   []byte
	last  bool
	count int
}

func (p *recordReader) Read(b []byte) (n int, err error) {
	if p.count != p.r.count {
		return 0, p.r.fail(ErrSequence, "another record is being read")
	}
	for len(p.raw) == 0 {
		if p.last {
			return 0, io.EOF
		}
		if p.raw, p.last, err = p.r.chunk(0); err != nil {
			return 0, err
		}
	}
	n = copy(b, p.raw)
	p.raw = p.raw[n:]
	return n, nil
}

// begin reads the first chunk of the next record, behind what is left of the
// current one.
func (r *Reader) begin() (raw []byte, last bool, err error) {
	r.start()
	for r.inside && r.err == nil {
		_, _, _ = r.chunk(0) // its error stays in r.err
	}
	if r.err != nil {
		return nil, false, r.err
	}
	r.count++
	return r.chunk(chunkFirst)
}

// start reads the header.
func (r *Reader) start() {
	if r.started || r.err != nil {
		return
	}
	var head [EnvelopeOverhead]byte
	if r.read(head[:]); r.err == nil {
		r.header(head[:])
	}
}

func (r *Reader) header(head []byte) {
	r.h, r.err = parseHeader(head)
	switch {
	case r.err != nil:
	case r.h.flags&flagStream == 0:
		r.err = r.failAt(4, ErrReserved, "this is an envelope; use Unseal, or Receive, which reads both")
	case r.h.bodyLen > r.o.maxWire()-EnvelopeOverhead:
		r.err = r.failAt(16, ErrTooLarge, "schema block of %d bytes, MaxWire is %d", r.h.bodyLen, r.o.maxWire())
	case r.h.flags&flagSchema == 0 && r.h.bodyLen > 0:
		r.err = r.failAt(16, ErrLength, "there is no schema block, but it has %d bytes", r.h.bodyLen)
	}
	if r.err != nil {
		return
	}
	schema := r.readN([]byte{}, r.h.bodyLen)
	if r.err == nil {
		r.err = r.o.sum(r.h, head, schema)
	}
	if r.started = r.err == nil; r.started {
		r.about = Envelope{Fingerprint: r.h.fingerprint, Compression: r.h.compression(), Checksum: r.h.flags&flagChecksum != 0}
		if r.h.flags&flagSchema != 0 {
			r.about.Schema = schema
		}
	}
}

// chunk reads one chunk and returns its bytes, decompressed. first is chunkFirst
// where a record begins, else 0.
func (r *Reader) chunk(first uint32) (raw []byte, last bool, err error) {
	raw, flags := r.next()
	switch {
	case r.err != nil:
	case flags&chunkEOS != 0:
		if first == 0 {
			r.err = r.fail(ErrSequence, "the stream ends inside a record")
		} else {
			r.err = io.EOF
		}
	case flags&chunkFirst != first:
		r.err = r.fail(ErrSequence, "flags are %#x", flags)
	case flags&chunkLast == 0 && len(raw) == 0:
		r.err = r.fail(ErrLength, "an empty chunk that ends nothing")
	}
	if r.err != nil {
		r.inside = false
		return nil, false, r.err
	}
	last = flags&chunkLast != 0
	r.inside = !last
	return raw, last, nil
}

// next reads the next chunk, whatever it is.
func (r *Reader) next() (raw []byte, flags uint32) {
	at, head := r.off, r.head[:]
	r.read(head)
	if r.err != nil {
		return nil, 0
	}
	n, sum := wire.U32(head), wire.U32(head[4:])
	n, flags = n&maxChunk, n>>24
	switch {
	case flags > maxFlags:
		r.err = r.failAt(at, ErrReserved, "flags are %#x", flags)
	case flags&chunkEOS != 0 && (flags != chunkEOS || n > 0):
		r.err = r.failAt(at, ErrReserved, "the last chunk has %d bytes, and its flags are %#x", n, flags)
	case flags&chunkCompressed != 0 && r.about.Compression == Uncompressed:
		r.err = r.failAt(at, ErrReserved, "a compressed chunk in a stream without compression")
	case int64(n) > int64(r.o.maxWire())-chunkHead:
		r.err = r.failAt(at, ErrTooLarge, "chunk of %d bytes, MaxWire is %d", n+chunkHead, r.o.maxWire())
	}
	if r.err != nil {
		return nil, 0
	}
	r.buf = r.readN(r.buf[:0], int(n))
	if r.err != nil {
		return nil, 0
	}
	if !r.about.Checksum {
		if sum != 0 {
			r.err = r.failAt(at+4, ErrReserved, "there is a checksum in a stream without")
		}
	} else if got := chunkSum(&r.num, r.seq, head[:4], r.buf); got != sum {
		r.err = r.failAt(at+4, ErrChecksum, "chunk %d was damaged, or stands in another's place", r.seq)
	}
	r.seq++
	if flags&chunkCompressed != 0 && r.err == nil {
		return r.decompressed(at), flags
	}
	return r.buf, flags
}

func (r *Reader) decompressed(at int64) []byte {
	var err error
	if r.raw, err = unsqueeze(r.o.Compressors, r.about.Compression, r.raw[:0], r.buf, r.o.maxRaw()); err != nil {
		r.err = r.failAt(at+chunkHead, err, "")
	}
	return r.raw
}

// read fills b, or sets r.err.
func (r *Reader) read(b []byte) {
	n, err := io.ReadFull(r.r, b)
	r.off += int64(n)
	switch {
	case err == nil:
	case err == io.EOF && r.off == 0:
		r.err = r.fail(ErrTruncated, "there is nothing")
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		r.err = r.fail(ErrTruncated, "the stream ends without its last chunk")
	default:
		r.err = fmt.Errorf("zmy: read stream: %w", err)
	}
}

// readN appends n bytes to b. Memory grows with what arrives, not with what a
// length promises.
func (r *Reader) readN(b []byte, n int) []byte {
	for n > 0 && r.err == nil {
		k := min(n, max(16<<10, len(b)))
		s := len(b)
		b = wire.Extend(b, k)
		r.read(b[s:])
		n -= k
	}
	return b
}

func (r *Reader) fail(code error, format string, args ...any) error {
	return r.failAt(r.off, code, format, args...)
}

func (r *Reader) failAt(off int64, code error, format string, args ...any) error {
	return &EnvelopeError{"read stream", off, code, fmt.Sprintf(format, args...)}
}
