//go:build !purego && (amd64 || arm64 || loong64 || ppc64le)

package wire

import "unsafe"

// SAFETY: the build tags name little-endian machines that load and store words at any address.
// Loads lie within a string of n bytes, and stores within n bytes of a slice whose length has just
// been checked. A word of w bytes is at an offset from 0 to n-w, and n is at least w. Strings never
// overlap the slices that are written: a message is written into its own buffer.
// BenchmarkOrder/append shows why: this saves a quarter of its time. copyText and copyColumn are
// the twins; TestPut compares them.

func load64(p unsafe.Pointer, off int) uint64     { return *(*uint64)(unsafe.Add(p, off)) }
func store64(p unsafe.Pointer, off int, v uint64) { *(*uint64)(unsafe.Add(p, off)) = v }

// PutText does what [copyText] does. It calls no function, so that it needs no frame: a tenth of the
// time of a small message.
func PutText(b []byte, s string) uint64 {
	n := len(s)
	_ = b[:n]
	p, q := unsafe.Pointer(unsafe.SliceData(b)), unsafe.Pointer(unsafe.StringData(s))
	switch {
	case n >= 16:
		x, y := load64(q, n-16), load64(q, n-8)
		all := x | y
		for i := 0; i < n-16; i += 16 {
			v, w := load64(q, i), load64(q, i+8)
			store64(p, i, v)
			store64(p, i+8, w)
			all |= v | w
		}
		store64(p, n-16, x)
		store64(p, n-8, y)
		return all
	case n >= 8:
		v, w := load64(q, 0), load64(q, n-8)
		store64(p, 0, v)
		store64(p, n-8, w)
		return v | w
	case n >= 4:
		v, w := *(*uint32)(q), *(*uint32)(unsafe.Add(q, n-4))
		*(*uint32)(p), *(*uint32)(unsafe.Add(p, n-4)) = v, w
		return uint64(v | w)
	case n >= 2:
		v, w := *(*uint16)(q), *(*uint16)(unsafe.Add(q, n-2))
		*(*uint16)(p), *(*uint16)(unsafe.Add(p, n-2)) = v, w
		return uint64(v | w)
	case n == 1:
		v := *(*byte)(q)
		*(*byte)(p) = v
		return uint64(v)
	}
	return 0
}

// putColumn does what [copyColumn] does. It copies strings of less than 16 bytes inline.
func putColumn(x []byte, l []string, heads []uint64) (n int, plain bool) {
	n = 2 * (len(heads) + 1)
	_ = x[:n:len(x)]
	base := unsafe.Pointer(unsafe.SliceData(x))
	word := base
	*(*uint16)(word) = uint16(n)
	all := uint64(0)
	for _, h := range heads {
		s := l[h&255]
		at, m := n, len(s)
		n += m
		_ = x[:n:len(x)]
		word = unsafe.Add(word, 2)
		*(*uint16)(word) = uint16(n)
		if m == 0 {
			continue // at may be the end of x, where a pointer would be invalid
		}
		p, q := unsafe.Add(base, at), unsafe.Pointer(unsafe.StringData(s))
		switch {
		case m >= 16:
			all |= PutText(x[at:n], s)
		case m >= 8:
			v, w := load64(q, 0), load64(q, m-8)
			store64(p, 0, v)
			store64(p, m-8, w)
			all |= v | w
		case m >= 4:
			v, w := *(*uint32)(q), *(*uint32)(unsafe.Add(q, m-4))
			*(*uint32)(p), *(*uint32)(unsafe.Add(p, m-4)) = v, w
			all |= uint64(v | w)
		case m >= 2:
			v, w := *(*uint16)(q), *(*uint16)(unsafe.Add(q, m-2))
			*(*uint16)(p), *(*uint16)(unsafe.Add(p, m-2)) = v, w
			all |= uint64(v | w)
		default:
			v := *(*byte)(q)
			*(*byte)(p) = v
			all |= uint64(v)
		}
	}
	return n, all&High == 0
}
