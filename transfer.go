package zmy

import (
	"errors"
	"fmt"
	"io"
)

// Send writes v to w as one envelope if that is within MaxWire, else as a stream of one record. It
// reports whether it wrote a stream. Receive reads both.
func Send(w io.Writer, v any) (streamed bool, err error) { return SealOptions{}.Send(w, v) }

// Receive reads an envelope or a stream of one record, as Send writes them, from r and stores the
// value into v, a pointer to a struct. It reads no byte beyond the end, so values may follow each
// other. If r ends before the first byte, it returns io.EOF. To read a stream of several records
// use NewReader.
func Receive(r io.Reader, v any) error { return OpenOptions{}.Receive(r, v) }

// Send is like the function Send, with these options. It refuses values of more than MaxRaw bytes
// and sends all others. A value whose envelope, after compression, exceeds MaxWire is sent as a
// stream in chunks within MaxWire.
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

// Receive is like the function Receive, with these options. MaxWire limits an envelope, and each
// chunk of a stream, before decompression. MaxRaw limits the value after decompression. A
// compressed value needs its Compressor among the Compressors.
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

// receive reads the body of an envelope and stores its message into v.
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

// only stores the record of a stream that must have exactly one.
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
