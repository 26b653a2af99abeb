package canary

import (
	"math"
	"math/bits"
)

// Buckets is how many parts the keys are divided into: a share is exact to one
// hundredth of a percent.
const Buckets = 10_000

// bucketsOf is how many buckets a share from 0 to 1 is served by. Shares are compared
// by it: two that round to one number are one.
func bucketsOf(share float64) uint64 { return uint64(math.Round(share * Buckets)) }

// Bucket returns the bucket of a key under a seed, 0 to Buckets-1. It is the same
// in all processes and versions of this package, so that a key stays with its
// arm. Other seeds divide the keys independently.
//
// It is FNV-1a of 64 bits (draft-eastlake-fnv) started from the seed, with the finalizer of
// MurmurHash3 (fmix64), since the high bits of FNV depend little on the last bytes. It does not
// withstand keys chosen to collide: a client that chooses its key chooses its arm at worst.
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
