package codec

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// Framed makes a Streamer of any codec. Each message becomes a frame: its length as an unsigned
// varint (encoding/binary), then its bytes. Frames of more than limit bytes are neither written nor
// read. The reader allocates memory as bytes arrive, not for a length alone.
func Framed(c Codec, limit int) Streamer { return framed{c, limit} }

type framed struct {
	c     Codec
	limit int
}

func (f framed) NewEncoder(w io.Writer) Encoder { return &frameEncoder{framed: f, w: w} }

func (f framed) NewDecoder(r io.Reader) Decoder {
	return &frameDecoder{framed: f, r: bufio.NewReader(r)}
}

type frameEncoder struct {
	framed
	w   io.Writer
	buf []byte // reused
}

// Encode writes one frame with one call of Write.
func (e *frameEncoder) Encode(v any) error {
	const room = binary.MaxVarintLen64
	var err error
	if cap(e.buf) < room {
		e.buf = make([]byte, room, 512)
	}
	// The length comes first, but is known only after marshaling. So leave room for it, and then
	// write it right before the message.
	e.buf, err = Append(e.c, e.buf[:room], v)
	if err != nil {
		return err
	}
	n := len(e.buf) - room
	if n > e.limit {
		return NewError(e.c, OpEncode, v, fmt.Errorf("%w: %d bytes, limit %d", ErrTooLarge, n, e.limit))
	}
	var head [room]byte
	k := binary.PutUvarint(head[:], uint64(n))
	copy(e.buf[room-k:], head[:k])
	_, err = e.w.Write(e.buf[room-k:])
	return NewError(e.c, OpEncode, v, err)
}

type frameDecoder struct {
	framed
	r   *bufio.Reader
	buf []byte // reused: a codec keeps no reference to its input
}

func (d *frameDecoder) Decode(v any) error {
	n, err := binary.ReadUvarint(d.r)
	if err == io.EOF {
		return io.EOF // between two frames
	}
	if err != nil {
		return NewError(d.c, OpDecode, v, err)
	}
	if n > uint64(max(d.limit, 0)) {
		return NewError(d.c, OpDecode, v, fmt.Errorf("%w: %d bytes, limit %d", ErrTooLarge, n, d.limit))
	}
	if d.buf, err = readN(d.r, d.buf[:0], int(n)); err != nil {
		return NewError(d.c, OpDecode, v, err)
	}
	return d.c.Unmarshal(d.buf, v)
}

// readN appends n bytes of r to b. It grows b only as bytes arrive, so a large length alone costs
// no memory.
func readN(r io.Reader, b []byte, n int) ([]byte, error) {
	const step = 64 << 10
	for n > 0 {
		k := min(n, step)
		start := len(b)
		b = append(b, make([]byte, k)...)
		if _, err := io.ReadFull(r, b[start:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return b, err
		}
		n -= k
	}
	return b, nil
}
