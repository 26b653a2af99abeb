package codec

import "strings"

// mediaRange is one element of an Accept header (RFC 9110, section 12.5.1).
type mediaRange struct {
	kind, sub string // as written: "*", "APPLICATION", "json"
	params    bool   // it has other parameters than q
	weight    uint16 // q in thousandths
}

// maxWeight is the weight q=1.
const maxWeight = 1000

// How exactly a range names a media type. If several ranges name it, the most exact one decides.
const (
	noMatch uint8 = iota
	anything
	anyOfKind   // type/*
	withParams  // type/subtype;level=1; the offered media types have no parameters
	itselfExact // type/subtype
)

// match returns how exactly r names the media type kind/sub, which is in lower case.
//
// By the letter of RFC 9110 a range with parameters names only representations that have these
// parameters. But clients write "application/json; charset=utf-8" and mean application/json, so
// match accepts such a range for the type itself. If application/json is also listed without
// parameters, the range without parameters decides. A range with parameters and q=0 excludes only a
// variant that is not offered, so it matches nothing.
func (r mediaRange) match(kind, sub string) uint8 {
	switch {
	case r.sub == "*":
		if r.kind == "*" {
			return anything
		}
		if equalFold(r.kind, kind) {
			return anyOfKind
		}
	case equalFold(r.sub, sub) && equalFold(r.kind, kind):
		if !r.params {
			return itselfExact
		}
		if r.weight > 0 {
			return withParams
		}
	}
	return noMatch
}

// equalFold reports whether s is the token lower, ignoring the case of s.
func equalFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != lower[i] && (c < 'A' || c > 'Z' || c|0x20 != lower[i]) {
			return false
		}
	}
	return true
}

// cutElement returns the first element of a header and the rest after its comma. Commas in quoted
// strings do not separate; quoted says whether the header may have quoted strings.
func cutElement(s string, quoted bool) (element, rest string) {
	end := strings.IndexByte(s, ',')
	if quoted {
		end = unquotedComma(s)
	}
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end+1:]
}

// unquotedComma returns the index of the first comma outside of quotes, or -1.
func unquotedComma(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ',':
			return i
		case '"':
			i += quotedLen(s[i:]) - 1
		}
	}
	return -1
}

// parseRange reads one element of a header. ok is false if the element is empty or malformed. The
// caller skips such elements, because an answer cannot report them to the sender.
func parseRange(s string) (r mediaRange, ok bool) {
	s = trimLeft(s)
	n := tokenLen(s)
	r.kind = s[:n]
	if n == 0 || n == len(s) || s[n] != '/' {
		return r, false
	}
	s = s[n+1:]
	n = tokenLen(s)
	r.sub, s = s[:n], s[n:]
	ok = n > 0 && !(r.kind == "*" && r.sub != "*") && (r.sub == "*" || strings.IndexByte(r.sub, '*') < 0)
	r.weight = maxWeight
	for {
		s = trimLeft(s)
		if s == "" {
			return r, ok
		}
		if s[0] != ';' {
			return r, false
		}
		s = trimLeft(s[1:])
		var name, value string
		name, value, s = parameter(s)
		switch {
		case name == "" && value == "": // ";;"
		case equalFold(name, "q"):
			weight, valid := quality(value)
			r.weight = weight
			return r, ok && valid // parameters after q do not belong to the media type
		default:
			r.params = true
		}
	}
}

// parameter reads name=value. Both are empty if there is no parameter.
func parameter(s string) (name, value, rest string) {
	n := tokenLen(s)
	name, s = s[:n], s[n:]
	rest = trimLeft(s)
	if rest == "" || rest[0] != '=' {
		return name, "", s
	}
	s = trimLeft(rest[1:])
	n = tokenLen(s)
	if s != "" && s[0] == '"' {
		n = quotedLen(s)
	}
	return name, s[:n], s[n:]
}

// quality returns the value of q in thousandths. It also reads two forms that clients send although
// the grammar does not allow them: ".5", and more than three digits. Digits after the third are cut
// off. But a weight above 0 never becomes 0, which would mean "not acceptable".
func quality(s string) (weight uint16, ok bool) {
	whole, digits, _ := strings.Cut(s, ".")
	if len(s) == 0 || s == "." || whole != "" && whole != "0" && whole != "1" {
		return 0, false
	}
	scale := uint16(100)
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
		weight += uint16(c-'0') * scale
		scale /= 10
	}
	if whole == "1" {
		return maxWeight, strings.Trim(digits, "0") == ""
	}
	if weight == 0 && strings.Trim(digits, "0") != "" {
		weight = 1
	}
	return weight, true
}

// quotedLen returns the length of the quoted string at the start of s (RFC 9110, section 5.6.4), or
// len(s) if the string has no end.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// trim removes spaces and tabs from both ends.
func trim(s string) string {
	s = trimLeft(s)
	for s != "" && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func trimLeft(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	return s
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

// tokenLen returns the length of the token at the start of s (RFC 9110, section 5.6.2).
func tokenLen(s string) int {
	for i := range len(s) {
		if !isToken[s[i]] {
			return i
		}
	}
	return len(s)
}

var isToken = func() (t [256]bool) {
	for _, c := range []byte("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		t[c] = true
	}
	return t
}()
