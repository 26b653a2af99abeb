package wire

import "bytes"

// String returns b as a string. With CopyEach the string has its own memory; otherwise it shares
// that of the message.
func (d *Decoder) String(b []byte) string {
	if d.CopyEach {
		return ownString(b)
	}
	return String(b)
}

// Bytes returns b with the same memory as String, and with cap equal to len; nil if b is empty.
func (d *Decoder) Bytes(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return d.share(b)
}

// share is Bytes, except that an empty b does not become nil.
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
