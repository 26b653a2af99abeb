package wire

import "time"

// TimeLen is the size of a time: i64 seconds since 0001-01-01T00:00:00Z, then
// u32 nanoseconds. The zero time.Time is all zeros.
const TimeLen = 12

const (
	unixToYear1 = 62135596800 // seconds from year 1 to 1970
	minUnix     = -31557014167219200
	maxUnix     = 31556889864403199 // java.time.Instant's MIN and MAX
)

// PutTime sets the first 12 bytes of b to the instant t; its zone and its
// monotonic clock are not carried. It reports false, b being undefined, when t
// lies outside of years ±1,000,000,000.
func PutTime(b []byte, t time.Time) bool {
	s := t.Unix()
	PutU64(b, uint64(s+unixToYear1))
	PutU32(b[8:], uint32(t.Nanosecond()))
	return minUnix <= s && s <= maxUnix
}

// Time reads 12 bytes as an instant in UTC, or reports false when they are none.
func Time(b []byte) (time.Time, bool) {
	s, ns := int64(U64(b)), U32(b[8:])
	if ns >= 1e9 || s < minUnix+unixToYear1 || s > maxUnix+unixToYear1 {
		return time.Time{}, false
	}
	return time.Unix(s-unixToYear1, int64(ns)).UTC(), true
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
