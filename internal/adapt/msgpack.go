package adapt

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/zmylab/zmy/codec"
)

// MessagePackLengths returns an error of class limit if b, MessagePack from any source, announces an
// array or map with more elements than bytes follow. Libraries make room for what is announced: a
// message of a hundred bytes got gigabytes. It reports nothing else that is wrong with b.
//
// Only headers for more than 15 elements can announce much. Their first bytes are rare, so that most
// messages are only searched for them, which takes some nanoseconds.
func MessagePackLengths(b []byte) error {
	for c := byte(0xdc); ; c++ { // the headers of larger arrays and maps: 0xdc to 0xdf
		if bytes.IndexByte(b, c) >= 0 {
			return messagePackLengths(b)
		}
		if c == 0xdf {
			return nil
		}
	}
}

// messagePackLengths goes through b header by header. What elements are in what does not matter, as
// each takes at least a byte of what follows.
func messagePackLengths(b []byte) error {
	for len(b) > 0 {
		c := b[0]
		b = b[1:]
		var sizes, elems, skip int // bytes of a length; elements for each of its units; bytes of content
		switch {
		case c <= 0x7f || c >= 0xe0: // small integers
		case c <= 0x8f: // map of up to 15 pairs
		case c <= 0x9f: // array of up to 15
		case c <= 0xbf: // text of up to 31 bytes
			skip = int(c & 0x1f)
		case c <= 0xc3: // nil, false, true
		case c <= 0xc6: // bytes
			sizes = 1 << (c - 0xc4)
		case c <= 0xc9: // extension, with a byte for its type
			sizes, skip = 1<<(c-0xc7), 1
		case c == 0xca:
			skip = 4
		case c == 0xcb:
			skip = 8
		case c <= 0xcf: // unsigned integers
			skip = 1 << (c - 0xcc)
		case c <= 0xd3: // signed integers
			skip = 1 << (c - 0xd0)
		case c <= 0xd8: // extension of fixed size, with a byte for its type
			skip = 1 + 1<<(c-0xd4)
		case c <= 0xdb: // text
			sizes = 1 << (c - 0xd9)
		case c <= 0xdd: // array
			sizes, elems = 2<<(c-0xdc), 1
		default: // map
			sizes, elems = 2<<(c-0xde), 2
		}
		if len(b) < sizes {
			return nil // cut short: the library says so
		}
		var size [8]byte
		copy(size[8-sizes:], b[:sizes])
		n := int64(binary.BigEndian.Uint64(size[:]))
		b = b[sizes:]
		switch {
		case elems == 0:
			n += int64(skip)
		case n*int64(elems) > int64(len(b)):
			return codec.WithClass(codec.ClassLimit, fmt.Errorf("%d elements are announced, and %d bytes follow", n, len(b)))
		default:
			n = 0
		}
		if n > int64(len(b)) {
			return nil
		}
		b = b[n:]
	}
	return nil
}
