package zmy

import (
	"errors"
	"fmt"
	"io"
)

// Send writes v to w in the form that suits its size: one envelope where that is
// within MaxWire, else a stream of one record. Receive reads both.
func Send(w io.Writer, v any) (streamed bool, err error) { return SealOptions{}.Send(w, v) }

// Receive reads from r what one Send has written, be it an envelope or a stream of
// one record, and stores it into v, a pointer to a struct. It reads no byte
// beyond it, so that values may follow each other, and returns io.EOF where r ends
// before its first byte. A stream of several records is for NewReader.
func Receive(r io.Reader, v any) error { return OpenOptions{}.Receive(r, v) }

// Send is the function of that name under these options: values of more than
// MaxRaw bytes are refused, all others are sent. Values that do not get below
// MaxWire by the Compressor go as a stream, in chunks that do.
func (o SealOptions) Send(w io.Writer, v any) (streamed bool, err error) {
	buf, out := rawBuffers.Get().(*[]byte), rawBuffers.Get().(*[]byte)
	defer putRaw(buf)
	defer putRaw(out)
	msg, err := o.record().Append((*buf)[:0], v)
	if err != nil {
		return false, err
	}
	*buf = msg
	if o, err = o.of(v); err != nil {
		return false, err
	}
	b, err := o.AppendMessage((*out)[:0], msg)
	switch {
	case err == nil:
		*out = b
		if _, err = w.Write(b); err != nil {
			err = fmt.Errorf("zmy: send: %w", err)
		}
		return false, err
	case !errors.Is(err, ErrTooLarge):
		return false, err
	}
	s := o.NewWriter(w)
	if err = s.WriteMessage(msg); err == nil {
		err = s.Close()
	}
	return true, err
}

// Receive is the function of that name under these options: MaxWire limits an
// envelope, and each chunk of a stream, as they come; MaxRaw the value decompressed.
// What a Compressor wrote needs it among the Compressors.
func (o OpenOptions) Receive(r io.Reader, v any) error {
	s := o.NewReader(r)
	var head [EnvelopeOverhead]byte
	if s.read(head[:]); s.off == 0 && errors.Is(s.err, ErrTruncated) {
		return io.EOF
	}
	if s.err != nil {
		return s.err
	}
	h, err := parseHeader(head[:])
	if err != nil {
		return err
	}
	if h.flags&flagStream != 0 {
		s.header(head[:])
		return s.only(v)
	}
	if maxWire := o.maxWire(); h.bodyLen > maxWire-EnvelopeOverhead {
		return failEnvelope(16, ErrTooLarge, "body of %d bytes, MaxWire is %d", h.bodyLen, maxWire)
	}
	return o.receive(s, h, head[:], v)
}

// receive reads the body of an envelope.
func (o OpenOptions) receive(s *Reader, h header, head []byte, v any) error {
	in, buf := new([]byte), new([]byte)
	if !o.Unmarshal.aliases() {
		in, buf = rawBuffers.Get().(*[]byte), rawBuffers.Get().(*[]byte)
		defer putRaw(in)
		defer putRaw(buf)
	}
	*in = s.readN((*in)[:0], h.bodyLen)
	if s.err != nil {
		return s.err
	}
	e, err := o.body(buf, h, head, *in)
	if err != nil {
		return err
	}
	return o.unmarshal("open envelope", e.Fingerprint, e.Message, v)
}

// only stores the one record of a stream.
func (r *Reader) only(v any) error {
	if err := r.Unmarshal(v); err == io.EOF {
		return r.fail(ErrCount, "the stream has no record")
	} else if err != nil {
		return err
	}
	switch _, err := r.Record(); err {
	case io.EOF:
		return nil
	case nil:
		return r.fail(ErrCount, "the stream has more than one record; use NewReader")
	default:
		return err
	}
}
