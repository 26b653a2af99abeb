package jsonwire

import (
	"math/bits"
	"slices"
	"time"
)

// AppendTime appends t quoted as RFC 3339 with nanoseconds, as time.Time's MarshalJSON does. ok is
// false, and dst unchanged, if that method would write something else or fail (years outside
// 0..9999, zones of a day or more).
func AppendTime(dst []byte, t time.Time) (_ []byte, ok bool) {
	off := 0
	if t.Location() != time.UTC {
		if _, off = t.Zone(); off%60 != 0 || off <= -24*3600 || off >= 24*3600 {
			return dst, false
		}
	}
	const day = 24 * 3600
	sec := t.Unix() + int64(off)
	days := sec / day
	rem := int(sec - days*day)
	if rem < 0 {
		rem += day
		days--
	}
	if days < -719528 || days > 2932896 { // year 0 .. 9999
		return dst, false
	}
	y, m, d := civil(uint32(days + 719468 + 146097))
	y -= 400
	// The text as words: "YYYY-MM- DD T HH : M  M : SS Z "
	date := spell8(y*10000+m*100+d) | zeros8
	clock := spell8(uint32(rem/3600*1000000+rem/60%60*10000+rem%60*100)) | zeros8
	dst = slices.Grow(dst, timeRoom)
	n := len(dst)
	b := dst[:n+timeRoom]
	Store64(b, n, '"'|date<<32>>24|'-'<<40|date>>32<<48)
	Store64(b, n+8, '-'|date>>48<<8|'T'<<24|clock<<48>>16|':'<<48|clock>>16<<56)
	Store64(b, n+16, clock>>24&0xff|':'<<8|clock>>32&0xffff<<16|'Z'<<32|'"'<<40)
	n += 20
	if ns := uint32(t.Nanosecond()); ns != 0 {
		n = putFraction(b, n, ns)
	}
	if off == 0 {
		b[n], b[n+1] = 'Z', '"'
		return b[:n+2], true
	}
	sign := byte('+')
	if off < 0 {
		sign, off = '-', -off
	}
	return append(b[:n], sign,
		'0'+byte(off/36000), '0'+byte(off/3600%10), ':',
		'0'+byte(off/600%6), '0'+byte(off/60%10), '"'), true
}

// timeRoom is room in bytes for the longest time.
const timeRoom = 48

// putFraction writes a decimal point and 0 < ns < 1e9 as nine digits, without the zeros at the end.
func putFraction(b []byte, n int, ns uint32) int {
	b[n] = '.'
	q := ns / 10
	w := spell8(q)
	Store64(b, n+1, w|zeros8)
	if last := ns - 10*q; last != 0 {
		b[n+9] = '0' + byte(last)
		return n + 10
	}
	return n + 9 - bits.LeadingZeros64(w)>>3
}

// civil returns the proleptic Gregorian date of the day n after 0000-03-01, shifted by any number
// of 400-year cycles: Neri and Schneider, "Euclidean affine functions and their application to
// calendar algorithms", 2022.
func civil(n uint32) (year, month, day uint32) {
	n1 := 4*n + 3
	century := n1 / 146097
	n2 := n1%146097 | 3
	p := 2939745 * uint64(n2)
	z := uint32(p >> 32)
	doy := uint32(p) / 2939745 / 4 // since 1 March
	n3 := 2141*doy + 197913
	year, month, day = 100*century+z, n3>>16, n3&0xffff/2141+1
	if doy >= 306 { // January and February
		return year + 1, month - 12, day
	}
	return year, month, day
}

// ParseTime reads a string as RFC 3339 in UTC. Its text begins at i, after the opening quote. It
// returns the time and the index after the closing quote. The index is negative for any text but
// YYYY-MM-DDTHH:MM:SS[.f]Z with at most nine digits of fraction; callers leave others to
// time.Time's UnmarshalJSON. The document is padded.
func ParseTime(b []byte, i int) (_ time.Time, end int) {
	// As words: "YYYY-MM-", "DDTHH:MM", ":SS" and what follows.
	w0, w1, w2 := Load64(b, i), Load64(b, i+8), Load64(b, i+16)
	if w0&(0xff<<32|0xff<<56) != '-'<<32|'-'<<56 || w1&(0xff<<16|0xff<<40) != 'T'<<16|':'<<40 || byte(w2) != ':' {
		return time.Time{}, -1
	}
	date := w0&0xffffffff | w0>>40&0xffff<<32 | w1<<48
	clock := w1>>24&0xffff | w1>>48<<16 | w2>>8&0xffff<<32 | '0'<<48 | '0'<<56
	if nonDigits(date)|nonDigits(clock) != 0 {
		return time.Time{}, -1
	}
	e, ns := i+19, 0
	if Load8(b, e) == '.' {
		f, last := digits(b, e+1, 0)
		n := last - e - 1
		if n == 0 || n > 9 {
			return time.Time{}, -1
		}
		e, ns = last, int(f*pow10[9-n])
	}
	if Load8(b, e) != 'Z' || Load8(b, e+1) != '"' {
		return time.Time{}, -1
	}
	// Pairs of digits, each in the lower of its two bytes.
	date, clock = twoDigits(date), twoDigits(clock)
	year, month, day := 100*int(date&0xff)+int(date>>16&0xff), int(date>>32&0xff), int(date>>48&0xff)
	hour, minute, sec := int(clock&0xff), int(clock>>16&0xff), int(clock>>32&0xff)
	if month < 1 || month > 12 || day < 1 || day > 28 && day > daysIn(year, month) || hour > 23 || minute > 59 || sec > 59 {
		return time.Time{}, -1
	}
	unix := daysBefore(year, month, day)*86400 + int64(hour*3600+minute*60+sec)
	return time.Unix(unix, int64(ns)).UTC(), e + 2
}

func daysIn(year, month int) int {
	if month == 2 {
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 30 + (month+month>>3)&1
}

// daysBefore returns the number of days from 1970-01-01 to the date.
func daysBefore(year, month, day int) int64 {
	if month < 3 { // years begin with March
		year--
		month += 12
	}
	year += 400 // keep it positive
	return int64(365*year+year/4-year/100+year/400+(153*(month-3)+2)/5+day-1) - 719468 - 146097
}
