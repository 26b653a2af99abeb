package zstdx

import (
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/zmylab/zmy"
)

// ZstdOptions directs [NewZstd]. The zero value is a good default.
type ZstdOptions struct {
	// Level is how much time compression may take; 0 is zstd.SpeedDefault.
	Level zstd.EncoderLevel
	// Dictionary is one that `zstd --train` has made of messages of the type; nil
	// for none. Both sides need it, and it should never change while messages
	// that need it are about.
	Dictionary []byte
	// Raw is any typical content as a dictionary, known by RawID on both sides; nil for none.
	Raw   []byte
	RawID uint32
}

// Zstd compresses by Zstandard (RFC 8878), one frame each. It is safe for
// concurrent use and best shared: its tables take some MB.
type Zstd struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

var _ zmy.Compressor = (*Zstd)(nil)

// NewZstd returns a compressor.
func NewZstd(o ZstdOptions) (*Zstd, error) {
	if o.Level == 0 {
		o.Level = zstd.SpeedDefault
	}
	enc := []zstd.EOption{zstd.WithEncoderLevel(o.Level), zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true)}
	dec := []zstd.DOption{zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderConcurrency(0)}
	if o.Dictionary != nil {
		enc = append(enc, zstd.WithEncoderDict(o.Dictionary))
		dec = append(dec, zstd.WithDecoderDicts(o.Dictionary))
	}
	if o.Raw != nil {
		enc = append(enc, zstd.WithEncoderDictRaw(o.RawID, o.Raw))
		dec = append(dec, zstd.WithDecoderDictRaw(o.RawID, o.Raw))
	}
	e, err := zstd.NewWriter(nil, enc...)
	if err != nil {
		return nil, fmt.Errorf("zstdx: %w", err)
	}
	d, err := zstd.NewReader(nil, dec...)
	if err != nil {
		return nil, fmt.Errorf("zstdx: %w", err)
	}
	return &Zstd{e, d}, nil
}

// ID is zmy.Zstd.
func (*Zstd) ID() zmy.Compression { return zmy.Zstd }

// Compress appends one frame to dst. The envelope has a checksum, so the frame
// has none.
func (z *Zstd) Compress(dst, src []byte) ([]byte, error) { return z.enc.EncodeAll(src, dst), nil }

// Decompress appends what src stands for to dst, at most rawLen bytes.
func (z *Zstd) Decompress(dst, src []byte, rawLen int) ([]byte, error) {
	dst, out := exactly(dst, rawLen)
	out, err := z.dec.DecodeAll(src, out)
	if err != nil {
		return dst, fmt.Errorf("zstd: %w", err)
	}
	return finish(dst, out, rawLen)
}

// exactly gives dst room for n bytes, and returns that room too, as an empty
// slice of capacity n.
func exactly(dst []byte, n int) (grown, room []byte) {
	dst = slices.Grow(dst, n)
	return dst, dst[len(dst) : len(dst) : len(dst)+n]
}

// finish appends out, which was decompressed in the room of dst.
func finish(dst, out []byte, n int) ([]byte, error) {
	if len(out) != n {
		return dst, errAnnounced
	}
	return dst[:len(dst)+n], nil
}

var errAnnounced = errors.New("not as many bytes as announced")
