package zmy

import (
	"math"

	"github.com/zmylab/zmy/wire"
)

// OpenOptions limits and directs what Open and readers of streams accept. The zero value is safe
// for hostile bytes.
type OpenOptions struct {
	// Unmarshal limits the sizes. MaxWire limits the envelope, and each chunk of a stream, before
	// decompression. MaxRaw limits the body of the envelope, and each chunk, after decompression.
	// It also limits each record that is read as one message. A message in an envelope may have up
	// to MaxRaw bytes.
	Unmarshal UnmarshalOptions
	// Compressors are the ones that messages may need. A body whose compression is not among them
	// is refused.
	Compressors []Compressor
	// NeedChecksum refuses envelopes without a checksum.
	NeedChecksum bool
}

// Open takes an envelope apart and checks it, but not the message in it. It refuses bare messages:
// it never guesses.
func Open(b []byte) (Envelope, error) { return OpenOptions{}.Open(b) }

// Unseal stores the message in the envelope b into v, a pointer to a struct.
func Unseal(b []byte, v any) error { return OpenOptions{}.Unseal(b, v) }

// Open is like the function Open, with these options.
func (o OpenOptions) Open(b []byte) (Envelope, error) { return o.open(nil, b) }

// Unseal is like the function Unseal, with these options.
func (o OpenOptions) Unseal(b []byte, v any) error {
	buf := new([]byte)
	if !o.Unmarshal.aliases() {
		buf = rawBuffers.Get().(*[]byte)
		defer putRaw(buf)
	}
	e, err := o.open(buf, b)
	if err != nil {
		return err
	}
	return o.unmarshal("open envelope", e.Fingerprint, e.Message, v)
}

// open implements Open. A compressed body is decompressed into buf, or into new memory if buf is
// nil.
func (o OpenOptions) open(buf *[]byte, b []byte) (e Envelope, err error) {
	if maxWire := o.maxWire(); len(b) > maxWire {
		return e, failEnvelope(0, ErrTooLarge, "%d bytes, MaxWire is %d", len(b), maxWire)
	}
	h, err := parseHeader(b)
	if err != nil {
		return e, err
	}
	body := b[EnvelopeOverhead:]
	switch {
	case h.flags&flagStream != 0:
		return e, failEnvelope(4, ErrReserved, "this is a stream; read it with NewReader")
	case h.bodyLen > len(body):
		return e, failEnvelope(len(b), ErrTruncated, "need %d bytes of body, have %d", h.bodyLen, len(body))
	case h.bodyLen < len(body):
		return e, failEnvelope(EnvelopeOverhead+h.bodyLen, ErrLength, "%d bytes follow the body", len(body)-h.bodyLen)
	}
	return o.body(buf, h, b[:EnvelopeOverhead], body)
}

// body checks the body of an envelope and splits it. head is the bytes of the header h.
func (o OpenOptions) body(buf *[]byte, h header, head, body []byte) (e Envelope, err error) {
	if err := o.sum(h, head, body); err != nil {
		return e, err
	}
	e = Envelope{Fingerprint: h.fingerprint, Compression: h.compression(), Checksum: h.flags&flagChecksum != 0}
	if e.Compression != Uncompressed {
		if body, err = o.decompress(buf, e.Compression, body); err != nil {
			return Envelope{}, err
		}
	}
	if h.flags&flagSchema != 0 {
		if e.Schema, body, err = splitSchema(body); err != nil {
			return Envelope{}, err
		}
	}
	e.Message = body
	return e, nil
}

// sum compares the header's checksum, if there is one, with the checksum of head and body. head is
// the header as received. If the header has no checksum, sum fails only if NeedChecksum is set.
func (o OpenOptions) sum(h header, head, body []byte) error {
	if h.flags&flagChecksum == 0 {
		if o.NeedChecksum {
			return failEnvelope(4, ErrChecksum, "there is none")
		}
		return nil
	}
	if got := checksum(head[:20], body); got != h.sum {
		return failEnvelope(20, ErrChecksum, "it is %#08x, the bytes have %#08x", h.sum, got)
	}
	return nil
}

func (o OpenOptions) decompress(buf *[]byte, id Compression, body []byte) ([]byte, error) {
	var dst []byte
	if buf != nil {
		dst = (*buf)[:0]
	}
	dst, err := unsqueeze(o.Compressors, id, dst, body, o.maxRaw())
	if err != nil {
		return nil, failEnvelope(EnvelopeOverhead, err, "")
	}
	if buf != nil {
		*buf = dst
	}
	return dst, nil
}

// splitSchema splits a payload into the schema block at its start and the message.
func splitSchema(b []byte) (schema, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, failEnvelope(EnvelopeOverhead, ErrTruncated, "no room for the size of the schema")
	}
	n := uint64(wire.U32(b))
	if n > uint64(len(b)-4) {
		return nil, nil, failEnvelope(EnvelopeOverhead, ErrTruncated, "schema of %d bytes, have %d", n, len(b)-4)
	}
	return b[4 : 4+n : 4+n], b[4+n:], nil
}

// Inner returns the options with which to unmarshal or view a message of n bytes from Open or from
// a Reader. The message's size is limited by MaxRaw, since MaxWire has been checked before
// decompression. The default budget grows with the message.
func (o OpenOptions) Inner(n int) UnmarshalOptions {
	u := o.Unmarshal
	u.MaxRaw = o.maxRaw()
	u.MaxWire = u.MaxRaw
	if u.Budget <= 0 {
		u.Budget = max(DefaultBudget, 16*int64(min(n, math.MaxInt32)))
	}
	return u
}

func (o OpenOptions) maxWire() int { return limit(o.Unmarshal.MaxWire, DefaultMaxWire) }
func (o OpenOptions) maxRaw() int {
	return limit(o.Unmarshal.MaxRaw, max(DefaultMaxRaw, o.maxWire()))
}
