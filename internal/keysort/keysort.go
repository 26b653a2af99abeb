// Package keysort sorts the keys of small maps, for encoders that write them in order. Of a map with
// up to 256 keys, each key gets a head: its first seven bytes as a big-endian number, with the key's
// index in the lowest byte. Heads are single words, so sorting them moves little and compares without
// branches; whole keys are compared only where heads are equal. Up to sixteen heads go through a
// sorting network, whose time does not depend on the random order in which Go ranges over maps. More
// heads are first dealt into 64 buckets. Package wire writes maps of ZMY native by it, and
// fxjson/jsonrt objects; docs/perf has figures of both.
package keysort

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

const (
	Few     = 8   // the largest number of keys that the sorting network takes
	Many    = 256 // the largest number of keys whose index fits into a head
	maxSkip = 64  // if all keys agree in this many bytes, whole keys are compared
)

// Head returns the head of the key s with index i.
func Head(s string, i int) uint64 { return beginning(s)&^255 | uint64(i&255) }

// Index returns the index of a head's key.
func Index(head uint64) int { return int(head & 255) }

// beginning returns the first eight bytes of s as a big-endian number, with zeros after a shorter s.
// If two such numbers differ, they order as the strings do; if they are equal, the strings may
// differ.
func beginning(s string) uint64 {
	switch n := len(s); {
	case n >= 8:
		return be64(s)
	case n >= 4:
		return be32(s)<<32 | be32(s[n-4:])<<(64-8*n)&math.MaxUint32
	case n == 0:
		return 0
	default: // of 1 to 3 bytes; for n < 3 the middle byte is the first or the last
		return uint64(s[0])<<56 | uint64(s[n/2])<<(56-8*(n/2)) | uint64(s[n-1])<<(64-8*n)
	}
}

// be64 returns s[:8] as a big-endian number. The compiler combines the eight loads into one.
func be64(s string) uint64 {
	s = s[:8]
	return uint64(s[7]) | uint64(s[6])<<8 | uint64(s[5])<<16 | uint64(s[4])<<24 |
		uint64(s[3])<<32 | uint64(s[2])<<40 | uint64(s[1])<<48 | uint64(s[0])<<56
}

func be32(s string) uint64 {
	s = s[:4]
	return uint64(uint32(s[3]) | uint32(s[2])<<8 | uint32(s[1])<<16 | uint32(s[0])<<24)
}

// SortFew sorts the first n heads, one to eight, by their keys and returns them. It uses the
// sorting networks for four and for eight values that need the fewest comparisons (Knuth, The Art
// of Computer Programming, volume 3, section 5.3.4).
func SortFew(h *[Few]uint64, keys *[Few]string, n int) []uint64 {
	const last = math.MaxUint64 // fills up the network; it sorts after every key's head
	switch {
	case n == 1:
		return h[:1]
	case n <= 4:
		for i := n; i < 4; i++ {
			h[i] = last
		}
		a, b, c, d := h[0], h[1], h[2], h[3]
		a, c = min(a, c), max(a, c)
		b, d = min(b, d), max(b, d)
		a, b = min(a, b), max(a, b)
		c, d = min(c, d), max(c, d)
		b, c = min(b, c), max(b, c)
		h[0], h[1], h[2], h[3] = a, b, c, d
	default:
		for i := n; i < Few; i++ {
			h[i] = last
		}
		sort8(h)
	}
	for i := 1; i < n; i++ {
		if (h[i-1]^h[i])>>8 == 0 {
			sortRuns(h[:n], nil, keys[:], 0)
			break
		}
	}
	return h[:n]
}

func sort8(h *[8]uint64) {
	a0, a1, a2, a3, a4, a5, a6, a7 := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
	a0, a2 = min(a0, a2), max(a0, a2)
	a1, a3 = min(a1, a3), max(a1, a3)
	a4, a6 = min(a4, a6), max(a4, a6)
	a5, a7 = min(a5, a7), max(a5, a7)
	a0, a4 = min(a0, a4), max(a0, a4)
	a1, a5 = min(a1, a5), max(a1, a5)
	a2, a6 = min(a2, a6), max(a2, a6)
	a3, a7 = min(a3, a7), max(a3, a7)
	a0, a1 = min(a0, a1), max(a0, a1)
	a2, a3 = min(a2, a3), max(a2, a3)
	a4, a5 = min(a4, a5), max(a4, a5)
	a6, a7 = min(a6, a7), max(a6, a7)
	a2, a4 = min(a2, a4), max(a2, a4)
	a3, a5 = min(a3, a5), max(a3, a5)
	a1, a4 = min(a1, a4), max(a1, a4)
	a3, a6 = min(a3, a6), max(a3, a6)
	a1, a2 = min(a1, a2), max(a1, a2)
	a3, a4 = min(a3, a4), max(a3, a4)
	a5, a6 = min(a5, a6), max(a5, a6)
	h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7] = a0, a1, a2, a3, a4, a5, a6, a7
}

// sort16 sorts two halves and merges them: all heads of the lower half are compared with those of the
// upper one in reverse order, then heads at half the distance, and so on (Batcher's bitonic merge,
// the same section).
func sort16(h *[16]uint64) {
	sort8((*[8]uint64)(h[:8]))
	sort8((*[8]uint64)(h[8:]))
	for i := range 8 {
		h[i], h[15-i] = min(h[i], h[15-i]), max(h[i], h[15-i])
	}
	for _, d := range [...]int{4, 2, 1} {
		for i := range 8 {
			j := i&^(d-1)<<1 | i&(d-1)
			h[j&15], h[(j+d)&15] = min(h[j&15], h[(j+d)&15]), max(h[j&15], h[(j+d)&15])
		}
	}
}

// Sort sorts the heads of keys, at most 256, which it sets itself. spare is as long as heads.
func Sort(heads, spare []uint64, keys []string) {
	if len(heads) <= 16 {
		var h [16]uint64
		for i := range h {
			h[i] = math.MaxUint64
		}
		for i, k := range keys[:len(heads)] {
			h[i&15] = Head(k, i)
		}
		if len(heads) <= 8 {
			sort8((*[8]uint64)(h[:8]))
		} else {
			sort16(&h)
		}
		copy(heads, h[:])
		sortRuns(heads, spare, keys, 7)
		return
	}
	for i := range heads {
		heads[i] = uint64(i)
	}
	sortMany(heads, spare, keys, 0)
}

// sortMany sorts heads by their keys. Of each head only the index in its lowest byte need be set.
// The first skip bytes are the same in all these keys. The heads are dealt into 64 buckets by the
// first six bits in which any two differ, then sorted by insertion, which is fast because few share
// a bucket. spare is as long as heads.
func sortMany(heads, spare []uint64, keys []string, skip int) {
	var differ uint64
	for {
		differ = 0
		for i, h := range heads {
			k := keys[h&255]
			h = beginning(k[min(skip, len(k)):])&^255 | h&255
			heads[i] = h
			differ |= h ^ heads[0]
		}
		differ &^= 255
		if differ>>32 != 0 || skip >= maxSkip {
			break
		}
		skip += bits.LeadingZeros64(differ|255) / 8 // skip the bytes that all keys share
	}
	if differ == 0 {
		slices.SortFunc(heads, func(a, b uint64) int { return strings.Compare(keys[a&255], keys[b&255]) })
		return
	}
	shift := max(58-bits.LeadingZeros64(differ), 8)
	var next [64]uint8 // 256 heads in one bucket wrap to 0: harmless, all others are empty
	for _, h := range heads {
		next[h>>shift&63]++
	}
	sum := uint8(0)
	for i, c := range &next {
		next[i] = sum
		sum += c
	}
	for _, h := range heads {
		at := &next[h>>shift&63]
		spare[*at] = h
		*at++
	}
	for i, h := range spare {
		for ; i > 0 && heads[i-1] > h; i-- {
			heads[i] = heads[i-1]
		}
		heads[i] = h
	}
	sortRuns(heads, spare, keys, skip+7)
}

// sortRuns finds the runs of equal heads in heads, which is sorted, and sorts each run by whole
// keys. The keys of a run agree in their first skip bytes.
//
//go:noinline
func sortRuns(heads, spare []uint64, keys []string, skip int) {
	for len(heads) > 0 {
		n := 1
		for n < len(heads) && (heads[0]^heads[n])>>8 == 0 {
			n++
		}
		if n > Few {
			sortMany(heads[:n], spare[:n], keys, skip)
		} else {
			for i, h := range heads[:n] {
				for ; i > 0 && keys[heads[i-1]&255] > keys[h&255]; i-- {
					heads[i] = heads[i-1]
				}
				heads[i] = h
			}
		}
		heads = heads[n:]
	}
}
