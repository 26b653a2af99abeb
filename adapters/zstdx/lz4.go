package zstdx

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pierrec/lz4/v4"
	"github.com/zmylab/zmy"
)

// LZ4 compresses by the block format of LZ4: faster than Zstandard and larger.
// The zero value is ready to use.
type LZ4 struct {
	// Level of the slower, smaller encoding, as lz4.Level9; 0 is the fast one.
	Level lz4.CompressionLevel
}

var _ zmy.Compressor = LZ4{}

// ID is zmy.LZ4.
func (LZ4) ID() zmy.Compression { return zmy.LZ4 }

// Compress appends one block to dst.
func (c LZ4) Compress(dst, src []byte) ([]byte, error) {
	room := lz4.CompressBlockBound(len(src))
	dst = slices.Grow(dst, room)
	out := dst[len(dst) : len(dst)+room]
	var n int
	var err error
	if c.Level == 0 {
		n, err = lz4.CompressBlock(src, out, nil)
	} else {
		n, err = lz4.CompressBlockHC(src, out, c.Level, nil, nil)
	}
	if err != nil {
		return dst, fmt.Errorf("lz4: %w", err)
	}
	if n == 0 && len(src) > 0 { // its way to say that nothing was gained
		return append(dst, make([]byte, len(src))...), nil
	}
	return dst[:len(dst)+n], nil
}

// Decompress appends what src stands for to dst, at most rawLen bytes.
func (LZ4) Decompress(dst, src []byte, rawLen int) ([]byte, error) {
	if rawLen == 0 {
		return dst, errAnnounced // no block; and the library's assembly wants room
	}
	dst, out := exactly(dst, rawLen)
	n, err := lz4.UncompressBlock(src, out[:rawLen])
	switch {
	case errors.Is(err, lz4.ErrInvalidSourceShortBuffer):
		return dst, errAnnounced
	case err != nil:
		return dst, fmt.Errorf("lz4: %w", err)
	}
	return finish(dst, out[:n], rawLen)
}
