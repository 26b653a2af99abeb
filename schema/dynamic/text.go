package dynamic

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// keyText returns a map key as the name of a member.
func keyText(k any) string {
	switch k := k.(type) {
	case string:
		return k
	case int64:
		return strconv.FormatInt(k, 10)
	case uint64:
		return strconv.FormatUint(k, 10)
	case time.Duration:
		return strconv.FormatInt(int64(k), 10)
	case []any: // of bytes
		b := make([]byte, len(k))
		for i := range k {
			u, _ := k[i].(uint64)
			b[i] = byte(u)
		}
		return hex.EncodeToString(b)
	}
	return fmt.Sprint(k)
}

// appendTime appends t in the format of RFC 3339. Beyond that format, years may have more digits or
// a sign, and offsets of zones may have seconds.
func appendTime(b []byte, t time.Time) []byte {
	const layout = "2006-01-02T15:04:05.999999999"
	_, east := t.Zone()
	b = t.AppendFormat(b, layout)
	if east == 0 {
		return append(b, 'Z')
	}
	sign := byte('+')
	if east < 0 {
		sign, east = '-', -east
	}
	b = append(b, sign)
	b = fmt.Appendf(b, "%02d:%02d", east/3600, east/60%60)
	if east%60 != 0 {
		b = fmt.Appendf(b, ":%02d", east%60)
	}
	return b
}

// parseTime is the inverse of appendTime. It refuses days that do not exist, as "2024-02-30".
func parseTime(s string) (time.Time, bool) {
	if strings.Contains(s, ",") { // package time accepts a comma as a decimal point
		return time.Time{}, false
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		if _, east := t.Zone(); east == 0 {
			return t.UTC(), true
		}
		return t, true
	}
	date, clock, ok := strings.Cut(s, "T")
	i := strings.LastIndex(date, "-")
	if !ok || i < 0 {
		return time.Time{}, false
	}
	if i = strings.LastIndex(date[:i], "-"); i < 1 {
		return time.Time{}, false
	}
	year, err := strconv.ParseInt(date[:i], 10, 32)
	if err != nil {
		return time.Time{}, false
	}
	// Package time parses years of four digits only. So parse the day in 2000, a leap year, or in
	// 2001, which is none, and then set the year.
	leap := int64(2000)
	if year%4 != 0 || year%100 == 0 && year%400 != 0 {
		leap = 2001
	}
	clock, east, ok := cutZone(clock)
	t, err := time.Parse("2006-01-02T15:04:05.999999999", strconv.FormatInt(leap, 10)+date[i:]+"T"+clock)
	if err != nil || !ok {
		return time.Time{}, false
	}
	zone := time.UTC
	if east != 0 {
		zone = time.FixedZone("", east)
	}
	return time.Date(int(year), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone), true
}

// cutZone splits the offset of the zone from the end of a time. east is the offset in seconds.
func cutZone(s string) (clock string, east int, ok bool) {
	if clock, ok := strings.CutSuffix(s, "Z"); ok {
		return clock, 0, true
	}
	i := strings.LastIndexAny(s, "+-")
	if i < 0 {
		return "", 0, false
	}
	var h, m, sec int
	n, _ := fmt.Sscanf(s[i+1:], "%2d:%2d:%2d", &h, &m, &sec)
	if n < 2 || len(s)-i-1 != 3*n-1 || h > 18 || m > 59 || sec > 59 {
		return "", 0, false
	}
	east = h*3600 + m*60 + sec
	if s[i] == '-' {
		east = -east
	}
	return s[:i], east, true
}

// appendFloat appends f in the format of encoding/json. f must be finite.
func appendFloat(b []byte, f float64, bits int) []byte {
	abs, format := math.Abs(f), byte('f')
	if abs != 0 && (bits == 64 && (abs < 1e-6 || abs >= 1e21) || bits == 32 && (float32(abs) < 1e-6 || float32(abs) >= 1e21)) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, f, format, -1, bits)
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-2] == '0' { // e-09
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// floatBits returns the bit pattern of f as a float of 32 or 64 bits.
func floatBits(f float64, size int) uint64 {
	if size == 32 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// specialFloat returns the text of an infinity or a NaN. A NaN with other bits than Go's own
// includes them.
func specialFloat(f float64, bits uint64, size int) string {
	switch {
	case math.IsInf(f, 1):
		return "+Inf"
	case math.IsInf(f, -1):
		return "-Inf"
	case bits == floatBits(math.NaN(), size):
		return "NaN"
	}
	return fmt.Sprintf("NaN(%#x)", bits)
}

// parseSpecial is the inverse of specialFloat. It returns the bit pattern.
func parseSpecial(s string, size int) (bits uint64, ok bool) {
	switch s {
	case "NaN":
		return floatBits(math.NaN(), size), true
	case "+Inf", "Inf":
		return floatBits(math.Inf(1), size), true
	case "-Inf":
		return floatBits(math.Inf(-1), size), true
	}
	s, found := strings.CutPrefix(s, "NaN(0x")
	s, closed := strings.CutSuffix(s, ")")
	bits, err := strconv.ParseUint(s, 16, size)
	if !found || !closed || err != nil {
		return 0, false
	}
	if size == 32 {
		return bits, math.IsNaN(float64(math.Float32frombits(uint32(bits))))
	}
	return bits, math.IsNaN(math.Float64frombits(bits))
}

// maxDecimalExp limits which big.Floats are shown in decimal. Their binary exponent must be within
// ±maxDecimalExp, and their mantissa may have at most maxDecimalExp bits. Without the limit a
// message of a few bytes could take seconds.
const maxDecimalExp = 4096

// floatText returns x in decimal, or in the form 0x.8p-65536, which is hexadecimal with a binary
// exponent, if decimal digits would take long. big.Float's Parse reads both.
func floatText(x *big.Float) string {
	if e := x.MantExp(nil); e > maxDecimalExp || e < -maxDecimalExp || x.MinPrec() > maxDecimalExp {
		return x.Text('p', 0)
	}
	return x.Text('g', -1)
}

// exactFloat returns a text of x that preserves everything. In "0.1@53", 0.1 is the value, in
// decimal if that parses to x again, and 53 is the precision in bits. The text "0.1@53:ToZero" adds
// the rounding mode, which is omitted for ToNearestEven.
func exactFloat(x *big.Float) string {
	text := floatText(x)
	if back, ok := parsefloatText(text, x.Prec()); !ok || back.Cmp(x) != 0 {
		text = x.Text('p', 0)
	}
	text += "@" + strconv.FormatUint(uint64(x.Prec()), 10)
	if x.Mode() != big.ToNearestEven {
		text += ":" + x.Mode().String()
	}
	return text
}

func parseExactFloat(s string) (*big.Float, bool) {
	value, rest, _ := strings.Cut(s, "@")
	precText, modeText, _ := strings.Cut(rest, ":")
	prec, err := strconv.ParseUint(precText, 10, 17)
	if err != nil {
		return nil, false
	}
	mode := big.ToNearestEven
	for modeText != "" && mode.String() != modeText {
		if mode++; mode > big.ToPositiveInf {
			return nil, false
		}
	}
	x, ok := parsefloatText(value, uint(prec))
	if !ok {
		return nil, false
	}
	return x.SetMode(mode), true
}

// parsefloatText reads a value with a precision of prec bits. With 0 bits there are only zeros and
// infinities.
func parsefloatText(s string, prec uint) (*big.Float, bool) {
	x := new(big.Float).SetPrec(prec)
	switch s {
	case "0":
		return x, true
	case "-0":
		return x.Neg(x), true
	case "+Inf", "-Inf":
		return x.SetInf(s[0] == '-'), true
	}
	if prec == 0 || len(s) > 1<<16 {
		return nil, false
	}
	_, _, err := x.Parse(s, 0)
	return x, err == nil
}
