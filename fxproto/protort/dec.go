package protort

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/internal/pbvalue"
	"github.com/zmylab/zmy/internal/pbwire"
)

// Decoder is the state of a decoder of one message.
type Decoder struct {
	memory  int64  // bytes that may still be charged; negative if the message needs more than allowed
	ahead   int64  // bytes that may still be allocated for elements before these are charged
	share   bool   // strings and bytes share memory with the bytes that are read
	alias   bool   // these are the message itself
	discard bool   // unknown fields are not kept
	reuse   bool   // values are reused
	reset   bool   // the message that is read next replaces a value that is reused
	block   []byte // room for text, if share is false
	size    int    // bytes of a block
}

// maxBlock is the size in bytes of the largest message that is copied at once, and of a block of text
// of larger ones. A text of a quarter of it or more has memory of its own.
const maxBlock = 32 << 10

// Decode returns the decoder of the message b, the bytes that it shall read, and how many levels of
// messages it may read. texts says that the type has strings or bytes.
func Decode(b []byte, o fxproto.UnmarshalOptions, texts bool) (d Decoder, in []byte, left int) {
	d = Decoder{memory: o.MaxMemory, alias: o.Alias, share: o.Alias, discard: o.DiscardUnknown,
		reuse: o.Reuse, reset: o.Reuse, size: min(len(b), maxBlock)}
	left = o.MaxDepth
	if d.memory <= 0 {
		d.memory = fxproto.DefaultMaxMemory + 16*int64(len(b))
	}
	d.ahead = d.memory
	if left <= 0 {
		left = fxproto.DefaultMaxDepth
	}
	if shares && texts && !o.Alias && len(b) <= maxBlock {
		in = make([]byte, len(b)) // the compiler does not clear memory that is overwritten at once
		copy(in, b)
		d.share = true
		return d, in, left
	}
	return d, b, left
}

// Exceeded reports whether the message needs more memory than allowed.
func (d *Decoder) Exceeded() bool { return d.memory < 0 }

// Reuses reports whether values are reused.
func (d *Decoder) Reuses() bool { return d.reuse }

// Recycle says that the message that is read next replaces a value that is reused.
func (d *Decoder) Recycle() { d.reset = true }

// Recycles reports, once, whether Recycle was called for this message.
func (d *Decoder) Recycles() bool {
	is := d.reset
	d.reset = false
	return is
}

// Charge takes n bytes from the budget for memory. It reports whether the budget is exceeded.
func (d *Decoder) Charge(n int64) bool {
	d.memory -= n
	return d.memory < 0
}

// ChargeEntry is Charge for an entry of a map, of which an [Entry] takes slot bytes. more says that the
// field before was an entry of the same map.
func (d *Decoder) ChargeEntry(slot int64, more bool) bool {
	return d.Charge(pbvalue.EntryCost(slot, more))
}

// SizeOf returns the number of bytes of a T in memory.
func SizeOf[T any]() int64 {
	var x T
	return int64(unsafe.Sizeof(x))
}

// Uvarint reads a varint.
func Uvarint(b []byte, i int) (x uint64, next int) {
	if i < len(b) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	return LongUvarint(b, i)
}

// LongUvarint is Uvarint for callers that have seen that the varint has not one byte.
//
//go:noinline
func LongUvarint(b []byte, i int) (x uint64, next int) {
	if i >= 0 && len(b)-i >= 8 {
		if x, n := fewBytes(binary.LittleEndian.Uint64(b[i:])); n > 0 {
			return x, i + n
		}
	}
	for shift := 0; i < len(b); shift += 7 {
		c := b[i]
		i++
		if shift == 63 && c > 1 {
			return 0, -1
		}
		x |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return x, i
		}
	}
	return 0, -1
}

// fewBytes returns the varint of up to 8 bytes at the start of w, and how many bytes it has, 0 for none.
func fewBytes(w uint64) (x uint64, n int) {
	ends := ^w & 0x8080808080808080
	if ends == 0 {
		return 0, 0
	}
	n = bits.TrailingZeros64(ends) + 1
	w &= 0x7f7f7f7f7f7f7f7f & (1<<uint(n) - 1)
	w = w&0x007f007f007f007f | w>>1&0x3f803f803f803f80
	w = w&0x00003fff00003fff | w>>2&0x0fffc0000fffc000
	return w&0x0fffffff | w>>4&0x00fffffff0000000, n / 8
}

// LongSpan reads a length, and returns where the bytes start and end that have this length. Callers
// have seen that the length has not one byte.
//
//go:noinline
func LongSpan(b []byte, i int) (start, end int) {
	n, i := Uvarint(b, i)
	if i < 0 || n > uint64(len(b)-i) {
		return 0, -1
	}
	return i, i + int(n)
}

// Uint32 reads 4 bytes, and Uint64 reads 8.
func Uint32(b []byte, i int) (x uint32, next int) {
	if len(b)-i < 4 {
		return 0, -1
	}
	x, n := pbwire.ConsumeFixed32(b[i:])
	return x, i + n
}

// Uint64 reads 8 bytes.
func Uint64(b []byte, i int) (x uint64, next int) {
	if len(b)-i < 8 {
		return 0, -1
	}
	x, n := pbwire.ConsumeFixed64(b[i:])
	return x, i + n
}

// UnZigZag is the inverse of ZigZag.
func UnZigZag(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }

// Skip skips the value of a field with the given tag. groups is how many groups are around it.
func Skip(b []byte, i int, tag uint64, groups int) int {
	if num := tag >> 3; num == 0 || num > pbwire.MaxNumber {
		return -1
	}
	n := pbwire.ConsumeValue(int32(tag>>3), pbwire.Type(tag&7), b[i:], pbwire.MaxDepth-groups)
	if n < 0 {
		return -1
	}
	return i + n
}

// Deep reports whether that many groups, one within the other, are too many.
func Deep(groups int) bool { return groups > pbwire.MaxDepth }

// Keep appends an unknown field to those that are kept.
func Keep[U ~[]byte](d *Decoder, kept U, field []byte) U {
	if d.discard {
		return kept
	}
	if d.Charge(2 * int64(len(field))) {
		return kept // the decoder fails at the next Charge, or at last by Exceeded
	}
	return append(kept, field...)
}

// Unknown charges for an unknown field of n bytes that Keep would keep.
func (d *Decoder) Unknown(n int) {
	if !d.discard {
		d.memory -= 2 * int64(n)
	}
}

// Run returns how many fields with the given tag follow each other, the one that ends at i included.
// They have lengths.
func Run(b []byte, i int, tag byte) int {
	n := 1
	for i < len(b) && b[i] == tag {
		i++
		if i < len(b) && b[i] < 0x80 {
			i += 1 + int(b[i])
		} else if _, i = LongSpan(b, i); i < 0 {
			break
		}
		n++
	}
	return n
}

// reserve reports whether n slots of size bytes may be allocated before their elements are charged. Slots
// of all levels count together: the first element of a list may be a message with a list.
func (d *Decoder) reserve(n, size int64) bool {
	most := min(d.memory, d.ahead)
	if most < 0 || n > most/size {
		return false
	}
	d.ahead -= n * size
	return true
}

// Grow returns list with room for at least one element more, and for n if the budget allows.
func Grow[T any](d *Decoder, list []T, n int) []T {
	if n > 1 && !d.reserve(int64(n), SizeOf[T]()+1) {
		n = 1
	}
	out := make([]T, len(list), len(list)+max(n, len(list)))
	copy(out, list)
	return out
}

// RunOf returns Run as the size of a new map, of which an [Entry] takes slot bytes.
func (d *Decoder) RunOf(b []byte, i int, tag byte, slot int64) int {
	n := Run(b, i, tag)
	if n > 1 && !d.reserve(int64(n), pbvalue.GrownCost(slot)) {
		return 1
	}
	return n
}
