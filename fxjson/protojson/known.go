package protojson

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// The first and the last second of a Timestamp: years 1 to 9999.
const (
	firstSecond = -62135596800
	lastSecond  = 253402300799
)

// timestamp appends a time with 0, 3, 6 or 9 digits of fraction.
func (e *encoder) timestamp(t time.Time) *failure {
	if s := t.Unix(); s < firstSecond || s > lastSecond {
		return fail(ErrValue, 0, "the year is not in 1 to 9999")
	}
	nanos := t.Nanosecond()
	out, ok := jsonwire.AppendTime(e.b, t.Add(-time.Duration(nanos)).UTC())
	if !ok {
		return fail(ErrValue, 0, "the year is not in 1 to 9999")
	}
	e.b = append(fraction(out[:len(out)-2], nanos), 'Z', '"')
	return nil
}

// duration appends the seconds of a duration with 0, 3, 6 or 9 digits of fraction.
func (e *encoder) duration(x time.Duration) {
	seconds, nanos := int64(x/time.Second), int(x%time.Second)
	e.b = append(e.b, '"')
	if x < 0 {
		e.b = append(e.b, '-')
		seconds, nanos = -seconds, -nanos
	}
	e.b = fraction(jsonwire.AppendInt(e.b, seconds), nanos)
	e.b = append(e.b, 's', '"')
}

// fraction appends nanoseconds as 0, 3, 6 or 9 digits.
func fraction(b []byte, nanos int) []byte {
	if nanos == 0 {
		return b
	}
	digits := 9
	for nanos%1000 == 0 {
		nanos /= 1000
		digits -= 3
	}
	b = append(b, '.')
	for scale := int(math.Pow10(digits - 1)); scale > 0; scale /= 10 {
		b = append(b, '0'+byte(nanos/scale%10))
	}
	return b
}

// timestamp reads a string in RFC 3339.
func (d *decoder) timestamp(p *value, v reflect.Value, i int) (int, *failure) {
	if d.b[i] != '"' {
		return 0, d.wrong(p, i)
	}
	t, next := jsonwire.ParseTime(d.b, i+1)
	if next < 0 { // another zone, or not a time
		text, end, bad := d.string(i)
		if bad != nil {
			return 0, bad
		}
		var err error
		if t, err = time.Parse(time.RFC3339Nano, string(text)); err != nil || longFraction(string(text)) {
			return 0, d.wrong(p, i)
		}
		t, next = t.UTC(), end
	}
	if s := t.Unix(); s < firstSecond || s > lastSecond {
		return 0, d.wrong(p, i)
	}
	*v.Addr().Interface().(*time.Time) = t
	return next, nil
}

// longFraction reports whether a time has more than nine digits of fraction, of which package time
// drops the rest.
func longFraction(s string) bool {
	point, zone := strings.LastIndexByte(s, '.'), strings.LastIndexAny(s, "Z-+")
	return point >= 0 && zone >= point && zone-point > len(".999999999")
}

// duration reads a string of seconds.
func (d *decoder) duration(p *value, v reflect.Value, i int) (int, *failure) {
	if d.b[i] != '"' {
		return 0, d.wrong(p, i)
	}
	text, next, bad := d.string(i)
	if bad != nil {
		return 0, bad
	}
	seconds, nanos, ok := parseDuration(string(text))
	if !ok {
		return 0, d.wrong(p, i)
	}
	const most = math.MaxInt64 / int64(time.Second)
	x := seconds*int64(time.Second) + nanos
	if seconds > most || seconds < -most || seconds > 0 && x < 0 || seconds < 0 && x > 0 {
		return 0, fail(ErrValue, i, fmt.Sprintf("time.Duration does not hold %s", text))
	}
	v.SetInt(x)
	return next, nil
}

// parseDuration parses seconds with a sign, a fraction of up to nine digits, and s behind them. Digits
// before or behind the point may be missing.
func parseDuration(s string) (seconds, nanos int64, ok bool) {
	s, ok = strings.CutSuffix(s, "s")
	sign := int64(1)
	switch {
	case !ok || s == "":
		return 0, 0, false
	case s[0] == '-':
		sign, s = -1, s[1:]
	case s[0] == '+':
		s = s[1:]
	}
	whole, fraction, point := strings.Cut(s, ".")
	switch {
	case whole == "" && !point, len(whole) > 1 && whole[0] == '0', len(fraction) > 9, !allDigits(whole), !allDigits(fraction):
		return 0, 0, false
	}
	if whole != "" {
		var err error
		if seconds, err = strconv.ParseInt(whole, 10, 64); err != nil {
			return 0, 0, false
		}
	}
	if fraction += strings.Repeat("0", 9-len(fraction)); point {
		nanos, _ = strconv.ParseInt(fraction, 10, 64) // nine digits
	}
	return sign * seconds, sign * nanos, true
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
