//go:build !purego

package protort

import (
	"unicode/utf8"
	"unsafe"
)

// SAFETY: loads and stores are at offsets from 0 to len-8, or len-4, of memory that has len bytes:
// each function has checked the length, and Text that b has i+1+len(s) bytes. They need no
// alignment, since all machines that Go runs on with this build tag allow such access or the compiler
// splits it, and the order of bytes does not matter: bytes are copied, and the mask is the same for
// all of them. For text, unsafe.String requires that the bytes do not change while the string exists:
// they are in memory that the decoder has just filled, or the caller has set the option Alias. The
// twin text_purego.go uses none of this; all tests run with both (-tags purego), and the benchmarks
// of adapters/protox/fxprotobench show what it gains.

// shares says that text can share the memory of bytes.
const shares = true

// highBits has the highest bit of each byte, which ASCII does not set.
const highBits = 0x8080808080808080

func load64(p unsafe.Pointer, at int) uint64     { return *(*uint64)(unsafe.Add(p, at)) }
func store64(p unsafe.Pointer, at int, x uint64) { *(*uint64)(unsafe.Add(p, at)) = x }
func load32(p unsafe.Pointer, at int) uint32     { return *(*uint32)(unsafe.Add(p, at)) }
func store32(p unsafe.Pointer, at int, x uint32) { *(*uint32)(unsafe.Add(p, at)) = x }

// Text writes the length of s and s, or returns -1 if s is not UTF-8. The caller has made room for
// MaxLength+len(s) bytes.
func Text(b []byte, i int, s string) int { return put(b, i, s, true) }

// RawText is [Text] for strings that may have any bytes.
func RawText(b []byte, i int, s string) int { return put(b, i, s, false) }

// Blob is [RawText] for bytes.
func Blob(b []byte, i int, s []byte) int { return put(b, i, text(s), false) }

// put copies a short string as words that overlap in the middle, and checks them while they are in
// registers.
func put(b []byte, i int, s string, check bool) int {
	n := len(s)
	if n > 64 || n == 0 {
		return putLong(b, i, s, check)
	}
	_ = b[i+n]
	to, from := unsafe.Pointer(&b[i]), unsafe.Pointer(unsafe.StringData(s))
	*(*byte)(to) = byte(n)
	to = unsafe.Add(to, 1)
	var all uint64
	switch {
	case n < 4:
		x, y, z := s[0], s[n>>1], s[n-1]
		all = uint64(x | y | z)
		b[i+1], b[i+1+n>>1], b[i+n] = x, y, z
	case n < 8:
		w, x := load32(from, 0), load32(from, n-4)
		all = uint64(w | x)
		store32(to, 0, w)
		store32(to, n-4, x)
	case n <= 16:
		w, x := load64(from, 0), load64(from, n-8)
		all = w | x
		store64(to, 0, w)
		store64(to, n-8, x)
	case n <= 32:
		w, x, y, z := load64(from, 0), load64(from, 8), load64(from, n-16), load64(from, n-8)
		all = w | x | y | z
		store64(to, 0, w)
		store64(to, 8, x)
		store64(to, n-16, y)
		store64(to, n-8, z)
	default:
		w, x, y, z := load64(from, 0), load64(from, 8), load64(from, 16), load64(from, 24)
		all = w | x | y | z
		store64(to, 0, w)
		store64(to, 8, x)
		store64(to, 16, y)
		store64(to, 24, z)
		w, x, y, z = load64(from, n-32), load64(from, n-24), load64(from, n-16), load64(from, n-8)
		all |= w | x | y | z
		store64(to, n-32, w)
		store64(to, n-24, x)
		store64(to, n-16, y)
		store64(to, n-8, z)
	}
	if check && all&highBits != 0 && !utf8.ValidString(s) {
		return -1
	}
	return i + 1 + n
}

// valid reports whether s is UTF-8. ASCII takes no loop over bytes.
func valid(s string) bool {
	n, p := len(s), unsafe.Pointer(unsafe.StringData(s))
	var all uint64
	switch {
	case n >= 8:
		i := 0
		for ; i+64 < n; i += 64 {
			all |= load64(p, i) | load64(p, i+8) | load64(p, i+16) | load64(p, i+24) |
				load64(p, i+32) | load64(p, i+40) | load64(p, i+48) | load64(p, i+56)
		}
		for ; i+32 < n; i += 32 {
			all |= load64(p, i) | load64(p, i+8) | load64(p, i+16) | load64(p, i+24)
		}
		for ; i+8 < n; i += 8 {
			all |= load64(p, i)
		}
		all |= load64(p, n-8)
	case n >= 4:
		all = uint64(load32(p, 0) | load32(p, n-4))
	default:
		for i := range n {
			all |= uint64(s[i])
		}
	}
	return all&highBits == 0 || utf8.ValidString(s)
}

// validBytes reports whether b is UTF-8.
func validBytes(b []byte) bool { return valid(text(b)) }

// text returns b as a string that shares its memory.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
