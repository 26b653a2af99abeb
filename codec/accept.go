package codec

import "strings"

// mediaRange is one element of an Accept header (RFC 9110, section 12.5.1).
type mediaRange struct {
	kind, sub string // as written: "*", "APPLICATION", "json"
	params    bool   // it has parameters beside q
	weight    uint16 // q in thousandths
}

// maxWeight is that of q=1.
const maxWeight = 1000

// How exactly a range names a media type; the most exact one has the say.
const (
	noMatch uint8 = iota
	anything
	anyOfKind   // type/*
	withParams  // type/subtype;level=1: media types here have no parameters
	itselfExact // type/subtype
)

// match tells how exactly r names the media type kind/sub, in lower case.
//
// By the letter a range with parameters names only representations that have them.
// Clients write "application/json; charset=utf-8" and mean application/json, so
// it is taken for that, unless that is listed as well, or the range excludes what
// it names: nothing but the variant is excluded then.
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

// equalFold compares s with a token in lower case.
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

// cutElement returns the first element of a header and what stands behind its comma.
// Commas in quoted strings separate nothing; quoted says that the header may have such.
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

// unquotedComma is the index of the first comma outside of quotes, -1 if there is none.
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

// parseRange reads one element of a header. It is not ok if the element is empty or
// malformed: such are passed over, as their sender has no way to learn of them.
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
			return r, ok && valid // what follows q says nothing about media types
		default:
			r.params = true
		}
	}
}

// parameter reads name=value, both empty if there is none.
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
// the grammar has neither: ".5", and more than three digits. Those behind the third are cut off, but
// a weight above 0 stays above 0, which would mean "not acceptable".
func quality(s string) (weight uint16, ok bool) {
	whole, digits, _ := strings.Cut(s, ".")
	if len(s) == 0 || s == "." || whole != "" && whole != "0" && whole != "1" {
		return 0, false
	}
	scale, positive := uint16(100), false
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
		weight += uint16(c-'0') * scale
		scale /= 10
		positive = positive || c != '0'
	}
	if whole == "1" {
		return maxWeight, !positive
	}
	if positive {
		weight = max(weight, 1)
	}
	return weight, true
}

// quotedLen is the length of the quoted string that s begins with (RFC 9110,
// section 5.6.4), all of s if it does not end.
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

// trim takes the spaces and tabs off both ends.
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

// tokenLen is the length of the token that s begins with (RFC 9110, section 5.6.2).
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
