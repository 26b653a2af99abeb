package zmy

import (
	"hash/crc32"
	"math"

	"github.com/zmylab/zmy/wire"
)

// Envelope is a message with the facts that a reader needs if it does not know the message's type
// from context. spec/ENVELOPE.md describes the bytes.
type Envelope struct {
	// Fingerprint identifies the message's type; 0 means unknown. Types that differ only in names
	// have the same fingerprint.
	Fingerprint uint64
	// Compression says how the body was compressed. Schema and Message are already decompressed.
	Compression Compression
	// Checksum reports that the envelope had a checksum, and that it was right.
	Checksum bool
	// Schema is the schema block, a message of package schema; nil if the envelope has none.
	Schema []byte
	// Message is the bare message, for Unmarshal. If the body was not compressed, Message and
	// Schema share the memory of the envelope.
	Message []byte
}

// Fingerprinter is implemented by generated code that knows its type's fingerprint.
type Fingerprinter interface {
	ZMYFingerprint() uint64
}

// Describer is implemented by generated code that has its type's schema block, a message of package
// schema.
type Describer interface {
	ZMYSchema() string
}

// EnvelopeOverhead is the size in bytes of an envelope's header: what it adds to its body.
const EnvelopeOverhead = 24

// Flags of the header. All other bits are refused.
const (
	flagChecksum    = 1 << 0
	flagSchema      = 1 << 1
	flagCompression = 3 << 2
	flagStream      = 1 << 4 // chunks follow the body
	flagsKnown      = flagChecksum | flagSchema | flagCompression | flagStream
)

const magic = "ZMY\x01"

// header is the first 24 bytes of an envelope or a stream.
type header struct {
	flags       uint16
	fingerprint uint64
	bodyLen     int
	sum         uint32
}

func (h header) compression() Compression { return Compression(h.flags >> 2 & 3) }

// put writes the header into the first 24 bytes of b. The body must already follow them, because
// the checksum, if the flags ask for one, covers the first 20 bytes of the header and the body.
func (h header) put(b []byte) {
	copy(b, magic)
	wire.PutU16(b[4:], h.flags)
	wire.PutU16(b[6:], 0)
	wire.PutU64(b[8:], h.fingerprint)
	wire.PutU32(b[16:], uint32(h.bodyLen))
	wire.PutU32(b[20:], 0)
	if h.flags&flagChecksum != 0 {
		wire.PutU32(b[20:], checksum(b[:20], b[EnvelopeOverhead:EnvelopeOverhead+h.bodyLen]))
	}
}

// parseHeader reads a header. It refuses flags and bits that have no meaning in this version.
func parseHeader(b []byte) (h header, err error) {
	if len(b) < EnvelopeOverhead {
		return h, failEnvelope(len(b), ErrTruncated, "need %d bytes, have %d", EnvelopeOverhead, len(b))
	}
	if string(b[:3]) != magic[:3] {
		return h, failEnvelope(0, ErrMagic, "it begins with %x; bare messages are for Unmarshal", b[:4])
	}
	if b[3] != magic[3] {
		return h, failEnvelope(3, ErrMagic, "its version is %d, known is 1", b[3])
	}
	// A length beyond MaxInt32 is clamped because int may have 32 bits. No input is that long.
	h = header{wire.U16(b[4:]), wire.U64(b[8:]), int(min(wire.U32(b[16:]), math.MaxInt32)), wire.U32(b[20:])}
	switch {
	case h.flags&^flagsKnown != 0 || h.compression() > Zstd:
		return h, failEnvelope(4, ErrReserved, "flags are %#04x", h.flags)
	case b[6] != 0 || b[7] != 0:
		return h, failEnvelope(6, ErrReserved, "")
	case h.flags&flagChecksum == 0 && h.sum != 0:
		return h, failEnvelope(20, ErrReserved, "there is a checksum without its flag")
	}
	return h, nil
}

// checksum returns the CRC32C over the parts. MakeTable builds the table at its first call and
// returns the same table afterwards. So programs that use no checksums do not build it when they
// start.
func checksum(parts ...[]byte) (sum uint32) {
	for _, p := range parts {
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), p)
	}
	return sum
}
