package fit

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// Sketch estimates the number of distinct values, with a standard error of 6.5% (HyperLogLog:
// Flajolet, Fusy, Gandouet and Meunier 2007, with linear counting for few values). For each of 256
// groups of hashes it keeps the largest number of leading zeros.
//
// The ranks of a single value would show some ten bits of its hash, by which somebody could test a
// guess. So a file has ranks only for fewest values or more, where one wrong guess in seven looks as right
// as a true one; for fewer it has their number alone. Sketches without ranks merge to the larger
// number, since values of which there are few are mostly the same everywhere.
type Sketch struct {
	rank [registers]uint8
	few  int // the largest number of values that was read from a file without ranks
}

// fewest is the number of distinct values from which on a file has their ranks.
const fewest = 64

const registers = 256

func (s *Sketch) add(hash uint64) {
	i := hash >> 56
	s.rank[i] = max(s.rank[i], uint8(bits.LeadingZeros64(hash<<8|1)+1))
}

// Count returns the estimate.
func (s *Sketch) Count() float64 {
	if s == nil {
		return 0
	}
	return max(s.ranked(), float64(s.few))
}

// ranked returns the estimate by the ranks.
func (s *Sketch) ranked() float64 {
	sum, empty := 0.0, 0
	for _, r := range s.rank {
		sum += math.Ldexp(1, -int(r))
		if r == 0 {
			empty++
		}
	}
	const alpha = 0.7213 / (1 + 1.079/registers)
	raw := alpha * registers * registers / sum
	if raw <= 2.5*registers && empty > 0 {
		return registers * math.Log(float64(registers)/float64(empty))
	}
	return raw
}

// MarshalText writes the number of values if it is below fewest. Otherwise it writes the ranks in
// base64: all, or if few are not 0, pairs of place and rank.
func (s *Sketch) MarshalText() ([]byte, error) {
	if n := math.Round(s.Count()); n < fewest || s.ranked() == 0 {
		return strconv.AppendInt([]byte("about "), int64(n), 10), nil
	}
	var pairs []byte
	for i, r := range s.rank {
		if r > 0 {
			pairs = append(pairs, byte(i), r)
		}
	}
	if len(pairs) >= registers {
		pairs = s.rank[:]
	}
	return base64.StdEncoding.AppendEncode(nil, pairs), nil
}

// UnmarshalText reads what MarshalText writes.
func (s *Sketch) UnmarshalText(text []byte) error {
	*s = Sketch{}
	if n, ok := bytes.CutPrefix(text, []byte("about ")); ok {
		few, err := strconv.Atoi(string(n))
		if err != nil || few < 0 || few >= fewest {
			return fmt.Errorf("fit: a sketch without ranks is of %.20q values, not 0 to %d", n, fewest-1)
		}
		s.few = few
		return nil
	}
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	if len(b) > registers || len(b)%2 > 0 {
		return errors.New("fit: a sketch of distinct values has the wrong length")
	}
	if len(b) == registers {
		copy(s.rank[:], b)
	} else {
		for i := 0; i < len(b); i += 2 {
			s.rank[b[i]] = b[i+1]
		}
	}
	for _, r := range s.rank {
		if r > 57 {
			return errors.New("fit: a sketch of distinct values has a rank beyond 57")
		}
	}
	return nil
}

// hashed is the number of bytes of a string that hash and classify look at.
const hashed = 4 << 10

// hash hashes the length and the first 4 KiB of a string, in all processes alike.
func hash(s string) uint64 {
	h := mix(uint64(len(s)) + 0x9e3779b97f4a7c15)
	s = s[:min(len(s), hashed)]
	for ; len(s) >= 8; s = s[8:] {
		var w [8]byte
		copy(w[:], s)
		h = mix(h ^ binary.LittleEndian.Uint64(w[:]))
	}
	var w [8]byte
	copy(w[:], s)
	return mix(h ^ binary.LittleEndian.Uint64(w[:]))
}

// mix is the finalizer of splitmix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
