package sample

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"time"
)

// Pick returns one element of a list that is not empty, all equally likely.
func Pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// Chance is true with probability p.
func Chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// Bytes returns n random bytes, nil if n is 0.
func Bytes(r *rand.Rand, n int) []byte {
	if n == 0 {
		return nil
	}
	b := make([]byte, (n+7)&^7)
	for i := 0; i < n; i += 8 {
		binary.LittleEndian.PutUint64(b[i:], r.Uint64())
	}
	return b[:n:n]
}

// Hex returns n random bytes as 2n lower-case digits.
func Hex(r *rand.Rand, n int) string { return hex.EncodeToString(Bytes(r, n)) }

// Token returns n random bytes in URL-safe base64 without padding, the shape of
// session tokens and API keys.
func Token(r *rand.Rand, n int) string {
	return base64.RawURLEncoding.EncodeToString(Bytes(r, n))
}

// UUID returns a UUID of version 7 (RFC 9562, section 5.7) made at the instant t.
func UUID(r *rand.Rand, t time.Time) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], uint64(t.UnixMilli())<<16|r.Uint64()>>48)
	binary.BigEndian.PutUint64(b[8:], r.Uint64())
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	var s [36]byte
	hex.Encode(s[0:], b[0:4])
	hex.Encode(s[9:], b[4:6])
	hex.Encode(s[14:], b[6:8])
	hex.Encode(s[19:], b[8:10])
	hex.Encode(s[24:], b[10:16])
	s[8], s[13], s[18], s[23] = '-', '-', '-', '-'
	return string(s[:])
}

// BigInt returns a positive integer of exactly n bits, n > 0: a ledger or account
// number beyond 64 bits.
func BigInt(r *rand.Rand, n int) *big.Int {
	b := Bytes(r, (n+7)/8)
	x := new(big.Int).SetBytes(b)
	x.Rsh(x, uint(len(b)*8-n))
	return x.SetBit(x, n-1, 1)
}

// All instants lie in one year, so that they have the same number of digits in
// Unix notation.
var (
	epoch = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
	span  = 365 * 24 * time.Hour
)

// Time returns an instant of 2025 in UTC with nanoseconds, as time.Now gives.
func Time(r *rand.Rand) time.Time {
	return epoch.Add(time.Duration(r.Int64N(int64(span))))
}
