package fit

import (
	"encoding/base64"
	"encoding/hex"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// longestDrawn bounds a drawn string, in bytes: a fit may claim any length.
const longestDrawn = 8 << 20

// stringOf draws a string.
func (d *Drawer) stringOf(f *String, s *Sketch, salt uint64) string {
	d.work += 100
	if f == nil {
		return ""
	}
	names := slices.Sorted(maps.Keys(f.Classes))
	weights := make([]uint64, len(names))
	for i, name := range names {
		weights[i] = f.Classes[name].N
	}
	i := d.pick(weights)
	if i < 0 {
		return ""
	}
	class, c := names[i], f.Classes[names[i]]
	b := c.Length.draw(d.r)
	d.work += int64(100*len(names) + len(c.Length))
	if f.Values != nil && b.At < longest { // longer ones are not kept
		form := d.strings[f]
		if form == nil {
			form = stringFormOf(f)
			d.strings[f] = form
		}
		if form != nil {
			return form.draw(d.r, d.safe)
		}
	}
	r := d.pool(s, f.N, b.N, mix(salt^uint64(b.At)^hash(class)))
	n := min(b.At+r.IntN(lengthWidth(b.At)), longestDrawn)
	d.work += int64(n) * int64(5+min(len(c.Steps), perState)/16)
	return c.draw(r, class, n)
}

// draw draws a string of a class with n bytes.
func (c *Strings) draw(r *rand.Rand, class string, n int) string {
	switch class {
	case ClassBool:
		return map[bool]string{true: "true", false: "false"}[n == 4]
	case ClassInteger:
		if c.Numbers != nil {
			negative := c.Numbers.N > 0 && r.Uint64N(c.Numbers.N) < c.Numbers.Negative
			return integer(r, c.Numbers.Bits.draw(r).At, negative)
		}
		return digits(r, n)
	case ClassDigits:
		return digits(r, n)
	case ClassDecimal:
		frac := min(2, max(1, n-2))
		return strings.TrimLeft(digits(r, max(1, n-frac-1)), "0") + "1." + digits(r, frac)
	case ClassUUID:
		return uuid(r)
	case ClassIP:
		return ip(r, n)
	case ClassHex, ClassHexUpper:
		b := random(r, n/2)
		if class == ClassHexUpper {
			return strings.ToUpper(hex.EncodeToString(b))
		}
		return hex.EncodeToString(b)
	case ClassBase64:
		return base64.StdEncoding.EncodeToString(random(r, n/4*3))
	}
	if layout := layouts[class]; layout != "" && c.Times != nil {
		return c.Times.draw(r, layout)
	}
	return c.chars(r, n)
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func digits(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + r.IntN(10))
	}
	return string(b)
}

func uuid(r *rand.Rand) string {
	b := random(r, 16)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	s := hex.EncodeToString(b)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// ip draws an IPv4 address of n characters.
func ip(r *rand.Rand, n int) string {
	left := min(max(n-3, 4), 12)
	parts := make([]string, 4)
	for i := range parts {
		rest := 3 - i
		size := min(3, max(1, left-3*rest), left-rest)
		if more := min(3, left-rest) - size; more > 0 {
			size += r.IntN(more + 1)
		}
		left -= size
		switch size {
		case 1:
			parts[i] = digits(r, 1)
		case 2:
			parts[i] = string(rune('1'+r.IntN(9))) + digits(r, 1)
		default:
			parts[i] = "1" + digits(r, 2)
		}
	}
	return strings.Join(parts, ".")
}

// draw draws a time.
func (t *Times) draw(r *rand.Rand, layout string) string {
	from := time.Date(t.From, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	to := time.Date(t.To+1, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	nanos := 0
	if n := t.Digits.draw(r).At; n > 0 { // the last digit of a fraction is never 0
		unit := 1
		for range 9 - n {
			unit *= 10
		}
		nanos = (r.IntN(1e9/unit)/10*10 + 1 + r.IntN(9)) * unit
	}
	at := time.Unix(from+r.Int64N(max(1, to-from)), int64(nanos)%1e9).UTC()
	if n := t.Digits.N(); n > 0 && r.Uint64N(n) < t.Offset {
		at = at.In(time.FixedZone("", 3600*(1+r.IntN(9))))
		if at.Year() > t.To {
			at = at.AddDate(-1, 0, 0)
		}
	}
	return at.Format(layout)
}

const (
	lowers = "etaoinshrdlcumwfgypbvkjxqz"
	others = "-_./:,=+@#%!?()[]{}*;'~^|$"
	twos   = "éüßñöçåøжд"
	threes = "日本語中文字かな한글€"
	fours  = "😀🚀🎉👍"
)

// character draws a special character of a kind, in the order of Chars.all.
func character(r *rand.Rand, kind int) string {
	of := func(s string) string {
		runes := utf8.RuneCountInString(s)
		at := r.IntN(runes)
		for _, c := range s {
			if at == 0 {
				return string(c)
			}
			at--
		}
		return ""
	}
	switch kind {
	case 5:
		return `"`
	case 6:
		return `\`
	case 7:
		return of("\n\n\t")
	case 8:
		return "\x01"
	case 10:
		return of(twos)
	case 11:
		return of(threes)
	case 12:
		return of(fours)
	}
	return "\uFFFD" // JSON cannot carry what is not UTF-8
}
