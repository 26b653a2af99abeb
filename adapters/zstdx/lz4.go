package zstdx

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pierrec/lz4/v4"
	"github.com/zmylab/zmy"
)

// LZ4 compresses with the block format of LZ4. It is faster than Zstandard, and its output is
// larger. The zero value is ready to use.
type LZ4 struct {
	// Level is the level of the slower encoding with smaller output, such as lz4.Level9. 0 means
	// the fast encoding.
	Level lz4.CompressionLevel
}

var _ zmy.Compressor = LZ4{}

// ID returns zmy.LZ4.
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
	if n == 0 && len(src) > 0 { // the library reports that the output would not be smaller
		return append(dst, make([]byte, len(src))...), nil
	}
	return dst[:len(dst)+n], nil
}

// Decompress appends the decompressed src to dst. It fails unless that is exactly rawLen bytes.
func (LZ4) Decompress(dst, src []byte, rawLen int) ([]byte, error) {
	if rawLen == 0 {
		return dst, errAnnounced // never a block; and the library's assembly needs room
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
