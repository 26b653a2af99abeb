package canary

import (
	"math"
	"math/bits"
)

// Buckets is the number of parts into which keys are divided. So a share is exact to one hundredth
// of a percent.
const Buckets = 10_000

// bucketsOf returns the number of buckets that a share, from 0 to 1, gets. Shares with the same
// number of buckets are equal.
func bucketsOf(share float64) uint64 { return uint64(math.Round(share * Buckets)) }

// Bucket returns the bucket of a key, 0 to Buckets-1. With one seed it is the same in all processes
// and all versions of this package, so that a key stays with its arm. Different seeds divide the
// keys independently.
//
// It is FNV-1a of 64 bits (draft-eastlake-fnv), started from the seed. The finalizer of MurmurHash3
// (fmix64) follows, since the high bits of FNV depend little on the last bytes of a key. It does
// not withstand keys that are chosen to collide: a client that chooses its key can choose its arm,
// but no more.
func Bucket(seed uint64, key string) uint64 {
	h := 14695981039346656037 ^ mix(seed)
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	high, _ := bits.Mul64(mix(h), Buckets)
	return high
}

// mix is fmix64.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
