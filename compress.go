package zmy

import (
	"fmt"
	"slices"

	"github.com/zmylab/zmy/wire"
)

// Compression says how bytes were compressed. The numbers are part of the format.
type Compression uint8

// The compressions.
const (
	Uncompressed Compression = iota
	LZ4                      // one LZ4 block
	Zstd                     // Zstandard frames, RFC 8878
)

// String returns the compression's usual name, as "zstd".
func (c Compression) String() string {
	switch c {
	case Uncompressed:
		return "none"
	case LZ4:
		return "lz4"
	case Zstd:
		return "zstd"
	}
	return fmt.Sprintf("compression %d", uint8(c))
}

// Compressor compresses bodies of envelopes and chunks of streams. The core module contains none,
// so that it needs only the standard library; module adapters/zstdx has LZ4 and Zstandard. The
// methods must be safe for concurrent use.
type Compressor interface {
	// ID returns the number of this compression. Envelopes and streams store it in their headers.
	ID() Compression
	// Compress appends the compressed form of src to dst.
	Compress(dst, src []byte) ([]byte, error)
	// Decompress appends the decompressed src to dst. It should have rawLen bytes, a number within
	// the reader's limits. Decompress must fail as soon as there are more bytes than that, and must
	// not use more memory than a small multiple of rawLen. The reader refuses a result of fewer
	// bytes.
	Decompress(dst, src []byte, rawLen int) ([]byte, error)
}

// rawHead is the size in bytes of the u32 in front of compressed bytes. It holds rawLen, their
// length before compression.
const rawHead = 4

// squeeze appends rawLen and the compressed raw to dst. It reports false, and appends nothing, if
// the two together would not be shorter than raw.
func squeeze(c Compressor, dst, raw []byte) ([]byte, bool, error) {
	s := len(dst)
	dst = wire.Extend(dst, rawHead)
	wire.PutU32(dst[s:], uint32(len(raw)))
	dst, err := c.Compress(dst, raw)
	if err != nil {
		return dst, false, fmt.Errorf("%w: %w", ErrCompression, err)
	}
	if len(dst)-s >= len(raw) {
		return dst[:s], false, nil
	}
	return dst, true, nil
}

// unsqueeze reverses squeeze: it appends the decompressed b to dst. It compares the size with
// maxRaw before it looks for a Compressor. So all readers return the same error for a message that
// is too large, whatever Compressors they have.
func unsqueeze(known []Compressor, id Compression, dst, b []byte, maxRaw int) ([]byte, error) {
	if len(b) < rawHead {
		return dst, fmt.Errorf("%w: %d bytes cannot hold the size", ErrTruncated, len(b))
	}
	rawLen := wire.U32(b)
	if uint64(rawLen) > uint64(maxRaw) {
		return dst, fmt.Errorf("%w: %d bytes once decompressed, MaxRaw is %d", ErrTooLarge, rawLen, maxRaw)
	}
	if rawLen == 0 { // squeeze compresses only what becomes shorter, so never 0 bytes
		return dst, fmt.Errorf("%w: nothing, in compressed form", ErrLength)
	}
	i := slices.IndexFunc(known, func(c Compressor) bool { return c.ID() == id })
	if i < 0 {
		return dst, fmt.Errorf("%w: no Compressor for %s in the options; module adapters/zstdx has it", ErrCompression, id)
	}
	s := len(dst)
	out, err := known[i].Decompress(slices.Grow(dst, int(rawLen)), b[rawHead:], int(rawLen))
	if err != nil {
		return dst, fmt.Errorf("%w: %w", ErrCompression, err)
	}
	if len(out)-s != int(rawLen) {
		return dst, fmt.Errorf("%w: %d bytes decompressed, %d announced", ErrLength, len(out)-s, rawLen)
	}
	return out, nil
}
