package zstdx

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/zmylab/zmy"
)

// ZstdOptions are the options of [NewZstd]. The zero value is a good default.
type ZstdOptions struct {
	// Level sets how much time compression may take; 0 means zstd.SpeedDefault.
	Level zstd.EncoderLevel
	// Dictionary was made by `zstd --train` from messages of the type; nil means none. Both sides
	// need it, and it must not change as long as messages that need it exist.
	Dictionary []byte
	// Raw is typical content that is used as a dictionary; nil means none. Both sides know it by
	// RawID.
	Raw   []byte
	RawID uint32
}

// Zstd compresses with Zstandard (RFC 8878), one frame for each call. It is safe for concurrent
// use. Share one, since its tables take some MB.
type Zstd struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

var _ zmy.Compressor = (*Zstd)(nil)

// NewZstd returns a compressor.
func NewZstd(o ZstdOptions) (*Zstd, error) {
	o.Level = cmp.Or(o.Level, zstd.SpeedDefault)
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

// ID returns zmy.Zstd.
func (*Zstd) ID() zmy.Compression { return zmy.Zstd }

// Compress appends one frame to dst. The frame has no checksum, since the envelope has one.
func (z *Zstd) Compress(dst, src []byte) ([]byte, error) { return z.enc.EncodeAll(src, dst), nil }

// Decompress appends the decompressed src to dst. It fails unless that is exactly rawLen bytes.
func (z *Zstd) Decompress(dst, src []byte, rawLen int) ([]byte, error) {
	dst, out := exactly(dst, rawLen)
	out, err := z.dec.DecodeAll(src, out)
	if err != nil {
		return dst, fmt.Errorf("zstd: %w", err)
	}
	return finish(dst, out, rawLen)
}

// exactly grows dst by room for n bytes. It also returns that room, as an empty slice of capacity
// n.
func exactly(dst []byte, n int) (grown, room []byte) {
	dst = slices.Grow(dst, n)
	return dst, dst[len(dst) : len(dst) : len(dst)+n]
}

// finish returns dst with out, which was decompressed into dst's room. It fails unless out has n
// bytes.
func finish(dst, out []byte, n int) ([]byte, error) {
	if len(out) != n {
		return dst, errAnnounced
	}
	return dst[:len(dst)+n], nil
}

var errAnnounced = errors.New("not as many bytes as announced")
