package zmy

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/zmylab/zmy/wire"
)

// NOTE: A stream is the header of an envelope, perhaps with a schema block, and then chunks. Three
// layers read it. next reads a chunk and checks its bytes: flags, size, checksum. chunk checks its
// place: whether it begins or continues a record. ReadMessage and Record make records of chunks.
// After an error of these layers it is unknown where the next chunk begins. So the field err keeps
// the error, and all later calls return it. An error about the content of one record does not end
// the stream.

// Reader reads a stream that a Writer wrote. It reads no byte beyond the end of the stream. It
// makes two small reads for each chunk, so wrap r in a bufio.Reader if reads are expensive. It is
// not safe for concurrent use.
type Reader struct {
	o     OpenOptions
	r     io.Reader
	h     header
	about Envelope
	seq   uint64 // number of the next chunk
	off   int64
	head  [chunkHead]byte
	num   [8]byte
	buf   []byte // the chunk as received
	raw   []byte // the chunk decompressed
	msg   []byte // the chunks of a record joined, if it has several
	count int    // records begun so far
	err   error  // once set, every call returns it

	started bool // the header has been read
	inside  bool // the current record has more chunks
}

// NewReader returns a Reader of the stream r. It reads nothing yet.
func NewReader(r io.Reader) *Reader { return OpenOptions{}.NewReader(r) }

// NewReader is like the function NewReader, with these options.
func (o OpenOptions) NewReader(r io.Reader) *Reader { return &Reader{o: o, r: r} }

// About returns the facts in the stream's header: fingerprint, compression and schema. Its Message
// is nil. It reads the header if that has not been read.
func (r *Reader) About() (Envelope, error) {
	r.start()
	if r.started {
		return r.about, nil
	}
	return Envelope{}, r.err
}

// Unmarshal stores the next record into v, a pointer to a struct. After the last record it returns
// io.EOF. If a record is not a message of v's type, the stream stays usable: the next call reads
// the next record.
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

// ReadMessage returns the next record, of at most MaxRaw bytes. The slice is valid until the next
// call. After the last record it returns io.EOF.
func (r *Reader) ReadMessage() ([]byte, error) {
	raw, last, err := r.begin()
	for r.msg = r.msg[:0]; err == nil; raw, last, err = r.chunk(0) {
		if maxRaw := r.o.maxRaw(); len(raw) > maxRaw-len(r.msg) {
			r.err = r.fail(ErrTooLarge, "record of more than %d bytes (MaxRaw)", maxRaw)
			return nil, r.err
		}
		if last && len(r.msg) == 0 {
			return raw, nil // most records have one chunk
		}
		r.msg = append(r.msg, raw...)
		if last {
			return r.msg, nil
		}
	}
	return nil, err
}

// Messages ranges over the remaining records. It ends after the first error. Each slice is valid
// until the next iteration.
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

// Record returns a reader of the next record, which may be of any size. The reader is valid until
// the next call of r, which skips the bytes that were not read.
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

// begin reads the first chunk of the next record. It skips the remaining chunks of the current one.
func (r *Reader) begin() (raw []byte, last bool, err error) {
	r.start()
	for r.inside && r.err == nil {
		_, _, _ = r.chunk(0) // r.err keeps its error
	}
	if r.err != nil {
		return nil, false, r.err
	}
	r.count++
	return r.chunk(chunkFirst)
}

// start reads the stream's header, unless it was read or reading has failed.
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

// chunk reads one chunk and returns its bytes, decompressed, and whether it ends the record. first
// is chunkFirst if the chunk must begin a record, 0 if it must continue one.
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

// next reads the next chunk and decompresses it. It does not check the order of chunks.
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
	if flags&chunkCompressed == 0 || r.err != nil {
		return r.buf, flags
	}
	var err error
	if r.raw, err = unsqueeze(r.o.Compressors, r.about.Compression, r.raw[:0], r.buf, r.o.maxRaw()); err != nil {
		r.err = r.failAt(at+chunkHead, err, "")
	}
	return r.raw, flags
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

// readN reads n bytes and appends them to b. Memory grows with the bytes that arrive, because n
// comes from an untrusted header.
func (r *Reader) readN(b []byte, n int) []byte {
	for n > 0 && r.err == nil {
		k := min(n, max(16<<10, len(b))) // doubles, so that copying takes time linear in n
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
