package fit

import (
	"encoding/base64"
	"strings"
	"time"
	"unicode/utf8"
)

// Classes of strings. A string has the first class whose condition it meets, in the order in which
// classify tries them.
const (
	ClassPlain    = "plain"    // printable ASCII that JSON does not escape
	ClassEscaped  = "escaped"  // ASCII with characters that JSON escapes
	ClassHTML     = "html"     // ASCII with < > &, which encoding/json escapes by default
	ClassUnicode  = "unicode"  // characters beyond ASCII
	ClassInvalid  = "invalid"  // not UTF-8
	ClassBool     = "bool"     // true, false
	ClassInteger  = "integer"  // decimal digits without leading zeros, with or without -
	ClassDecimal  = "decimal"  // a number with a point
	ClassDigits   = "digits"   // decimal digits, leading zeros or more than 18
	ClassTime     = "time"     // RFC 3339
	ClassDate     = "date"     // 2006-01-02
	ClassDateTime = "datetime" // 2006-01-02 15:04:05
	ClassLocal    = "local"    // 2006-01-02T15:04:05 with or without a fraction
	ClassMinute   = "minute"   // 2006-01-02T15:04
	ClassUUID     = "uuid"
	ClassIP       = "ip"     // IPv4
	ClassHex      = "hex"    // an even number of lower-case hexadecimal digits, eight at least
	ClassHexUpper = "HEX"    // the same in upper case
	ClassBase64   = "base64" // 16 characters at least, of upper and lower case and digits
)

// allClasses are the names that a file may have.
var allClasses = []string{ClassPlain, ClassEscaped, ClassHTML, ClassUnicode, ClassInvalid, ClassBool, ClassInteger, ClassDecimal,
	ClassDigits, ClassTime, ClassDate, ClassDateTime, ClassLocal, ClassMinute, ClassUUID, ClassIP, ClassHex, ClassHexUpper, ClassBase64}

// layouts are the classes of times, in the notation of package time.
var layouts = map[string]string{ClassTime: time.RFC3339Nano, ClassDate: time.DateOnly, ClassDateTime: time.DateTime,
	ClassLocal: "2006-01-02T15:04:05.999999999", ClassMinute: "2006-01-02T15:04"}

// timeClasses is the order in which times are tried.
var timeClasses = []string{ClassTime, ClassDate, ClassDateTime, ClassLocal, ClassMinute}

// classOf counts the characters of s and returns its class, and the time for classes of times.
func classOf(s string) (class string, c Chars, at time.Time) {
	c.count(s)
	switch {
	case c.Invalid > 0:
		return ClassInvalid, c, at
	case c.Two+c.Three+c.Four > 0:
		return ClassUnicode, c, at
	case c.Quote+c.Slash+c.Line+c.Control > 0:
		return ClassEscaped, c, at
	case c.HTML > 0:
		return ClassHTML, c, at
	case len(s) > hashed:
		return ClassPlain, c, at
	case s == "true" || s == "false":
		return ClassBool, c, at
	}
	if c.Digit > 0 {
		if class := numeral(s, &c); class != "" {
			return class, c, at
		}
		if class, at := timeOf(s); class != "" {
			return class, c, at
		}
	}
	return token(s, &c), c, at
}

// token returns the class of a string that is neither a number nor a time.
func token(s string, c *Chars) string {
	n := uint64(len(s))
	switch {
	case len(s) == 36 && c.Other == 4 && isUUID(s):
		return ClassUUID
	case c.Other == 3 && c.Digit+3 == n && isIP(s):
		return ClassIP
	case len(s) >= 8 && len(s)%2 == 0 && c.Digit > 0 && c.Digit+c.Lower == n && strings.Trim(s, "0123456789abcdef") == "":
		return ClassHex
	case len(s) >= 8 && len(s)%2 == 0 && c.Digit > 0 && c.Digit+c.Upper == n && strings.Trim(s, "0123456789ABCDEF") == "":
		return ClassHexUpper
	case len(s) >= 16 && c.Upper > 0 && c.Lower > 0 && c.Digit > 0 && readsBase64(s):
		return ClassBase64
	}
	return ClassPlain
}

// count counts the characters of the first 4 KiB of s.
func (c *Chars) count(s string) {
	if len(s) > hashed {
		s = s[:hashed]
		for i := 1; i <= utf8.UTFMax-1; i++ { // do not cut a character
			if b := s[len(s)-i]; b >= utf8.RuneSelf {
				if utf8.RuneStart(b) {
					s = s[:len(s)-i]
					break
				}
				continue
			}
			break
		}
	}
	for i := 0; i < len(s); i++ {
		b := s[i]
		switch {
		case b >= 'a' && b <= 'z':
			c.Lower++
		case b >= '0' && b <= '9':
			c.Digit++
		case b >= 'A' && b <= 'Z':
			c.Upper++
		case b == ' ':
			c.Space++
		case b >= utf8.RuneSelf:
			i += c.rune(s[i:]) - 1
		case b == '"':
			c.Quote++
		case b == '\\':
			c.Slash++
		case b == '\n' || b == '\r' || b == '\t' || b == '\b' || b == '\f':
			c.Line++
		case b < ' ':
			c.Control++
		case b == '<' || b == '>' || b == '&':
			c.HTML++
		default:
			c.Other++
		}
	}
}

// rune counts the character at the start of s, which is not ASCII, and returns its size.
func (c *Chars) rune(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && n == 1:
		c.Invalid++
	case n == 2:
		c.Two++
	case n == 3:
		c.Three++
	default:
		c.Four++
	}
	return n
}

// numeral returns the class of numbers, or "".
func numeral(s string, c *Chars) string {
	digits := strings.TrimPrefix(s, "-")
	whole, frac, point := strings.Cut(digits, ".")
	switch {
	case uint64(len(whole)+len(frac)) != c.Digit || whole == "" || point && frac == "":
		return ""
	case len(whole) > 1 && whole[0] == '0' || !point && (len(whole) > 18 || digits == "0" && s[0] == '-'):
		if point || s[0] == '-' {
			return ""
		}
		return ClassDigits
	case point:
		return ClassDecimal
	}
	return ClassInteger
}

// timeOf returns the class of a time, or "".
func timeOf(s string) (string, time.Time) {
	if len(s) < len(time.DateOnly) || len(s) > 40 || s[4] != '-' || s[7] != '-' {
		return "", time.Time{}
	}
	for _, class := range timeClasses {
		if t, err := time.Parse(layouts[class], s); err == nil {
			return class, t
		}
	}
	return "", time.Time{}
}

func isUUID(s string) bool {
	for i := range len(s) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (s[i] == '-') || !dash && !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isHex(b byte) bool { return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F' }

// isIP reports whether a string of digits and three other characters is an IPv4 address.
func isIP(s string) bool {
	parts := strings.Split(s, ".")
	for _, p := range parts {
		if len(p) == 0 || len(p) > 3 || len(p) > 1 && p[0] == '0' || len(p) == 3 && p > "255" {
			return false
		}
	}
	return len(parts) == 4
}

// readsBase64 reports whether encoding/base64 reads s in its standard form.
func readsBase64(s string) bool {
	if len(s)%4 != 0 || len(s) > 1<<20 {
		return false
	}
	body := strings.TrimRight(s, "=")
	if len(s)-len(body) > 2 {
		return false
	}
	for i := range len(body) {
		b := body[i]
		if !(b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '+' || b == '/') {
			return false
		}
	}
	return true
}

// encodedLen is the length of n bytes in base64.
func encodedLen(n int) int { return base64.StdEncoding.EncodedLen(n) }
