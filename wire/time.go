package wire

import (
	"math"
	"time"
)

// TimeLen is the encoded size of a time in bytes: i64 seconds since 0001-01-01T00:00:00Z, then u32
// nanoseconds. The zero time.Time has zero bytes only.
const TimeLen = 12

const (
	unixToYear1 = 62135596800 // seconds from year 1 to 1970
	minUnix     = -31557014167219200
	maxUnix     = 31556889864403199 // java.time.Instant's MIN and MAX
)

// PutTime sets the first 12 bytes of b to the instant t, without its zone and its monotonic clock.
// It reports false, and leaves b undefined, if t is outside the years ±1,000,000,000.
func PutTime(b []byte, t time.Time) bool {
	s := t.Unix()
	PutU64(b, uint64(s+unixToYear1))
	PutU32(b[8:], uint32(t.Nanosecond()))
	return minUnix <= s && s <= maxUnix
}

// Time reads the first 12 bytes of b as an instant in UTC. It reports false if they are not valid.
func Time(b []byte) (time.Time, bool) {
	s, ns := int64(U64(b)), U32(b[8:])
	if ns >= 1e9 || s < minUnix+unixToYear1 || s > maxUnix+unixToYear1 {
		return time.Time{}, false
	}
	return time.Unix(s-unixToYear1, int64(ns)).UTC(), true
}

// ZoneTimeLen is the encoded size in bytes of a time with its zone: the time, then i32 seconds east
// of UTC, within ±18 hours.
const ZoneTimeLen = 16

const maxZone = 18 * 3600

// ZoneMemory is the size in bytes of the time.Location that [ZoneTime] may allocate.
const ZoneMemory = 224

// PutZoneTime is [PutTime], followed by the offset of the zone: 16 bytes in all.
func PutZoneTime(b []byte, t time.Time) bool {
	_, east := t.Zone()
	PutU32(b[TimeLen:], uint32(int32(east)))
	return PutTime(b, t) && -maxZone <= east && east <= maxZone
}

// ZoneTime reads the first 16 bytes of b as an instant, in UTC or in a zone without a name. It
// reports false if they are not valid.
func ZoneTime(b []byte) (time.Time, bool) {
	t, ok := Time(b)
	east := int32(U32(b[TimeLen:]))
	if east < -maxZone || east > maxZone {
		return time.Time{}, false
	}
	if east != 0 {
		t = t.In(time.FixedZone("", int(east)))
	}
	return t, ok
}

// PutUnixNano sets the first 8 bytes of b to the nanoseconds from 1970 to t. It reports false if t
// is outside the years 1678 to 2262. Zero bytes must mean the zero value here too. So 0 encodes the
// zero time, and the smallest integer encodes the first instant of 1970.
func PutUnixNano(b []byte, t time.Time) bool {
	if t.IsZero() {
		PutU64(b, 0)
		return true
	}
	n := t.UnixNano()
	back := time.Unix(0, n)
	switch {
	case n == math.MinInt64 || !back.Equal(t):
		return false
	case n == 0:
		n = math.MinInt64
	}
	PutU64(b, uint64(n))
	return true
}

// UnixNano returns the time in UTC that [PutUnixNano] wrote to the first 8 bytes of b.
func UnixNano(b []byte) time.Time {
	switch n := int64(U64(b)); n {
	case 0:
		return time.Time{}
	case math.MinInt64:
		return time.Unix(0, 0).UTC()
	default:
		return time.Unix(0, n).UTC()
	}
}

func zonesOK(p []byte) bool {
	for ; len(p) > 0; p = p[ZoneTimeLen:] {
		east := int32(U32(p[TimeLen:]))
		if !timeOK(p) || east < -maxZone || east > maxZone {
			return false
		}
	}
	return true
}

func timeOK(b []byte) bool {
	s, ns := int64(U64(b)), U32(b[8:])
	return ns < 1e9 && s >= minUnix+unixToYear1 && s <= maxUnix+unixToYear1
}

// AppendTimes appends a packed list of times.
func AppendTimes[S ~[]time.Time](b []byte, s S) ([]byte, *Error) {
	n := len(b)
	b = Extend(b, len(s)*TimeLen)
	for i, t := range s {
		if !PutTime(b[n+i*TimeLen:], t) {
			return b, Fail(ErrDomain, 0).At(i, 0)
		}
	}
	return b, nil
}

// DecodeTimes reads the slot b as a packed list of times.
func DecodeTimes[S ~[]time.Time](d *Decoder, b []byte, v *S) *Error {
	if len(b) == 0 {
		*v = nil
		return nil
	}
	s, err := packed(d, b, *v, TimeLen)
	if err != nil {
		return err
	}
	for i := range s {
		t, ok := Time(b[i*TimeLen:])
		if !ok {
			return Fail(ErrDomain, i*TimeLen).At(i, 0)
		}
		s[i] = t
	}
	*v = s
	return nil
}
