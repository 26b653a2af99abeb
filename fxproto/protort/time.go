package protort

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/zmylab/zmy/internal/pbwire"
)

// The tags of google.protobuf.Timestamp and google.protobuf.Duration.
const (
	tagSeconds = 1 << 3
	tagNanos   = 2 << 3
)

const second = int64(time.Second)

// MaxTime is the largest number of bytes that Time and Duration write.
const MaxTime = 1 + 2*(1+pbwire.MaxVarint)

// HasTime reports whether t is written as a field without presence.
func HasTime(t time.Time) bool { return t != time.Time{} }

// Time writes the length of a Timestamp and its content.
func Time(b []byte, i int, t time.Time) int {
	seconds, nanos := t.Unix(), uint64(t.Nanosecond())
	if uint64(seconds-1) >= 1<<35-1 || nanos == 0 || len(b)-i < MaxTime {
		return known(b, i, seconds, int64(nanos))
	}
	n, k := pbwire.SizeVarint(uint64(seconds)), pbwire.SizeVarint(nanos) // nanos have 30 bits
	b[i] = byte(2 + n + k)
	binary.LittleEndian.PutUint64(b[i+1:], tagSeconds|(spread(uint64(seconds))|more(n))<<8)
	binary.LittleEndian.PutUint64(b[i+2+n:], tagNanos|(spread(nanos)|more(k))<<8)
	return i + 3 + n + k
}

// Duration writes the length of a Duration and its content.
func Duration(b []byte, i int, d time.Duration) int {
	return known(b, i, int64(d)/second, int64(d)%second)
}

func known(b []byte, i int, seconds, nanos int64) int {
	start := i + 1
	i = start
	if seconds != 0 {
		b[i] = tagSeconds
		i = Varint(b, i+1, uint64(seconds))
	}
	if nanos != 0 {
		b[i] = tagNanos
		i = Varint(b, i+1, uint64(nanos))
	}
	b[start-1] = byte(i - start)
	return i
}

// SizeTime returns the number of bytes that Time writes.
func SizeTime(t time.Time) int { return sizeKnown(t.Unix(), int64(t.Nanosecond())) }

// SizeDuration returns the number of bytes that Duration writes.
func SizeDuration(d time.Duration) int { return sizeKnown(int64(d)/second, int64(d)%second) }

func sizeKnown(seconds, nanos int64) int {
	n := 1
	if seconds != 0 {
		n += 1 + pbwire.SizeVarint(uint64(seconds))
	}
	if nanos != 0 {
		n += 1 + pbwire.SizeVarint(uint64(nanos))
	}
	return n
}

// Epoch returns the time of an empty Timestamp.
func Epoch() time.Time { return time.Unix(0, 0).UTC() }

// pair is the content of a Timestamp or a Duration.
type pair struct {
	seconds, nanos       int64
	hasSeconds, hasNanos bool
}

// MergeTime merges the Timestamp b into t. left is how many levels of messages are allowed.
func MergeTime(t *time.Time, b []byte, left int) bool {
	p, ok := readPair(b)
	if !ok || left < 1 || p.nanos < 0 || p.nanos >= second {
		return false
	}
	if !(p.hasSeconds && p.hasNanos) && !t.IsZero() {
		p.complete(t.Unix(), int64(t.Nanosecond()))
	}
	*t = time.Unix(p.seconds, p.nanos).UTC()
	return true
}

// MergeDuration merges the Duration b into d.
func MergeDuration(d *time.Duration, b []byte, left int) bool {
	p, ok := readPair(b)
	if !ok || left < 1 || !p.isDuration() {
		return false
	}
	p.complete(int64(*d)/second, int64(*d)%second)
	sum := p.seconds*second + p.nanos
	switch {
	case p.seconds > 0 && p.nanos > 0 && sum < 0:
		sum = math.MaxInt64
	case p.seconds < 0 && p.nanos < 0 && sum > 0:
		sum = math.MinInt64
	}
	*d = time.Duration(sum)
	return true
}

// complete sets the parts that the message does not have.
func (p *pair) complete(seconds, nanos int64) {
	if !p.hasSeconds {
		p.seconds = seconds
	}
	if !p.hasNanos {
		p.nanos = nanos
	}
}

// isDuration reports whether time.Duration holds the pair unchanged.
func (p *pair) isDuration() bool {
	const most = math.MaxInt64 / second
	switch {
	case p.seconds > most || p.seconds < -most, p.nanos <= -second || p.nanos >= second:
		return false
	case p.seconds > 0:
		return p.nanos >= 0 && p.seconds*second+p.nanos > 0
	case p.seconds < 0:
		return p.nanos <= 0 && p.seconds*second+p.nanos < 0
	}
	return true
}

func readPair(b []byte) (p pair, ok bool) {
	if len(b) >= 9 && b[0] == tagSeconds { // both parts, and nothing else
		s, n := fewBytes(binary.LittleEndian.Uint64(b[1:]))
		rest := len(b) - 2 - n
		if n > 0 && 0 < rest && rest <= 8 && b[1+n] == tagNanos {
			if x, k := fewBytes(binary.LittleEndian.Uint64(b[len(b)-8:]) >> (64 - 8*uint(rest))); k == rest {
				return pair{int64(s), int64(int32(x)), true, true}, true
			}
		}
	}
	for i := 0; i < len(b); {
		var x uint64
		switch tag := b[i]; tag {
		case tagSeconds, tagNanos:
			if x, i = Uvarint(b, i+1); i < 0 {
				return p, false
			}
			if tag == tagSeconds {
				p.seconds, p.hasSeconds = int64(x), true
			} else {
				p.nanos, p.hasNanos = int64(int32(x)), true
			}
		default:
			num, t, n := pbwire.ConsumeTag(b[i:])
			if n < 0 {
				return p, false
			}
			i += n
			if n = pbwire.ConsumeValue(num, t, b[i:], pbwire.MaxDepth); n < 0 {
				return p, false
			}
			if x, _ = pbwire.ConsumeVarint(b[i:]); t == pbwire.VarintType && num == 1 { // a tag that is longer than it has to be
				p.seconds, p.hasSeconds = int64(x), true
			} else if t == pbwire.VarintType && num == 2 {
				p.nanos, p.hasNanos = int64(int32(x)), true
			}
			i += n
		}
	}
	return p, true
}
