package wire

import "bytes"

// String returns b as a string of the result: of memory that the message
// shares, or under CopyEach of its own.
func (d *Decoder) String(b []byte) string {
	if d.CopyEach {
		return ownString(b)
	}
	return String(b)
}

// Bytes returns b likewise, with its capacity cut; nil when empty.
func (d *Decoder) Bytes(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return d.share(b)
}

// share is Bytes that keeps what is empty apart from nil.
func (d *Decoder) share(b []byte) []byte {
	if d.CopyEach {
		b = ownBytes(b)
	}
	return b[:len(b):len(b)]
}

//go:noinline
func ownString(b []byte) string { return string(b) }

//go:noinline
func ownBytes(b []byte) []byte { return bytes.Clone(b) }
