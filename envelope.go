package zmy

import (
	"hash/crc32"
	"math"

	"github.com/zmylab/zmy/wire"
)

// Envelope is a message together with what a reader needs who does not know it
// from its context. spec/ENVELOPE.md has the bytes.
type Envelope struct {
	// Fingerprint is that of the message's type; 0 is unknown. Types that differ
	// in names only share it.
	Fingerprint uint64
	// Compression is how the body travelled.
	Compression Compression
	// Checksum reports that the envelope had one, which was right.
	Checksum bool
	// Schema is the schema block, a message of package schema; nil for none.
	Schema []byte
	// Message is the bare message, for Unmarshal. It and Schema share the
	// memory of the envelope if that was not compressed.
	Message []byte
}

// Fingerprinter is a type whose generated code knows its fingerprint.
type Fingerprinter interface {
	ZMYFingerprint() uint64
}

// Describer is a type whose generated code has its schema block, a message of
// package schema.
type Describer interface {
	ZMYSchema() string
}

// EnvelopeOverhead is how many bytes an envelope takes around its body.
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

// header is the first 24 bytes.
type header struct {
	flags       uint16
	fingerprint uint64
	bodyLen     int
	sum         uint32
}

func (h header) compression() Compression { return Compression(h.flags >> 2 & 3) }

// put writes the header into the first 24 bytes of b, whose rest is the body,
// with the checksum over both if the flags ask for it.
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

// parseHeader reads a header and refuses whatever this version gives no meaning to.
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
	h = header{wire.U16(b[4:]), wire.U64(b[8:]), int(min(wire.U32(b[16:]), math.MaxInt32)), wire.U32(b[20:])} // more is more than there is
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

// check holds the header's checksum against the bytes: the header as it came,
// and the body.
func (h header) check(head, body []byte) error {
	if h.flags&flagChecksum == 0 {
		return nil
	}
	if got := checksum(head[:20], body); got != h.sum {
		return failEnvelope(20, ErrChecksum, "it is %#08x, the bytes have %#08x", h.sum, got)
	}
	return nil
}

// checksum is CRC32C over the parts. The table is made on first use, so that
// programs which do not use it start no later for it.
func checksum(parts ...[]byte) (sum uint32) {
	for _, p := range parts {
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), p)
	}
	return sum
}
