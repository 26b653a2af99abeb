// Package jsonscan finds the end of a JSON value byte by byte: for input that
// arrives in pieces, and to say where a document is malformed.
package jsonscan

import (
	"math/bits"
	"strings"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: The scanner is a state machine over single bytes, so that a value may be cut anywhere. In a
// padded piece, method tokens passes over the tokens that the piece holds whole, by the kernels of
// jsonwire; the state machine sees only those that are cut, and malformed ones. The order of the states matters. All
// states below inString are between tokens, where white space is skipped. All states from inMinus
// on are in a number, whose end is known only at the byte after it.

// Scanner finds the end of a JSON value that arrives in pieces, and refuses a malformed value at
// its first wrong byte. It looks at each byte once.
type Scanner struct {
	state state
	rest  string // the bytes of a literal that are still due
	open  []byte // the open brackets, a stack of '{' and '['
	key   bool   // the current string is a key
}

// state says what the scanner expects next, or what it has seen last.
type state uint8

const (
	atValue     state = iota // a value is due
	atFirstElem              // a value or the end of the array
	atFirstKey               // a key or the end of the object
	atKey
	atColon
	atNext     // a comma, or the end of the innermost array or object
	atEnd      // the value is complete
	inString   //
	inEscape   // after a backslash
	inHex4     // four digits of \u are due, and so on
	inHex3     //
	inHex2     //
	inHex1     //
	inLiteral  // rest is due
	inMinus    // this and the following say what the last byte of a number was
	inZero     //
	inInteger  //
	inPoint    //
	inFraction //
	inE        //
	inESign    //
	inExponent //
)

// Results of [Scanner.Scan] that are not an index.
const (
	More = -1 // the value goes on
	Bad  = -2 // no value begins like this
)

// Reset begins a new value.
func (s *Scanner) Reset() { s.state, s.open, s.key = atValue, s.open[:0], false }

// Complete reports whether the value is complete if no byte follows.
func (s *Scanner) Complete() bool {
	switch s.state {
	case inZero, inInteger, inFraction, inExponent:
		return len(s.open) == 0
	}
	return s.state == atEnd
}

// Ended reports whether a value has ended that is no number.
func (s *Scanner) Ended() bool { return s.state == atEnd }

// ended returns the state after a value.
func (s *Scanner) ended() state {
	if len(s.open) == 0 {
		return atEnd
	}
	return atNext
}

// Scan looks at the next piece of the input. It returns the index after the value, or [More] or
// [Bad]. The end of an array or object is known at its bracket, the end of any other value only at
// the byte after it.
func (s *Scanner) Scan(b []byte) int { return s.scan(b, nil) }

// ScanPadded is Scan for the first n bytes of b, which is padded.
func (s *Scanner) ScanPadded(b []byte, n int) int { return s.scan(b[:n], b) }

func (s *Scanner) scan(b, padded []byte) int {
	for i := 0; i < len(b); i++ {
		if padded != nil && s.state <= atNext {
			if i = s.tokens(padded, i, len(b)); s.state == atEnd {
				return i
			}
			if i == len(b) {
				break
			}
		}
		c := b[i]
		if s.state == inString { // most bytes are in strings
			if i = s.text(b, i); i == len(b) {
				return More
			}
			switch c = b[i]; {
			case c == '"' && s.key:
				s.state, s.key = atColon, false
			case c == '"':
				s.state = s.ended()
			case c == '\\':
				s.state = inEscape
			default:
				return Bad
			}
			continue
		}
		if s.state >= inMinus && !s.number(c) {
			if s.state != inZero && s.state != inInteger && s.state != inFraction && s.state != inExponent {
				return Bad
			}
			s.state = s.ended()
		} else if s.state >= inMinus {
			continue
		}
		if s.state == atEnd {
			return i
		}
		if isSpace(c) && s.state < inString {
			continue
		}
		if !s.step(c) {
			return Bad
		}
		if s.state == atEnd && (c == '}' || c == ']') {
			return i + 1
		}
	}
	return More
}

// tokens passes over whole tokens from index i on. It returns the index of the first token that is
// wrong, or that may go on after n, the length of b without padding; it returns n if there is none,
// and the index after the value if that is complete.
func (s *Scanner) tokens(b []byte, i, n int) int {
	for {
		if i = jsonwire.SkipSpace(b, i); i >= n {
			return n
		}
		c, end := b[i], i+1
		switch token := tokenAt[c]; {
		case token == aString && (s.state == atKey || s.state == atFirstKey):
			if end = jsonwire.SkipString(b, i); end < 0 || end >= n {
				return i
			}
			s.state = atColon
		case token == aString || token == aScalar:
			if s.state != atValue && s.state != atFirstElem {
				return i
			}
			if end = jsonwire.Skip(b, i, 0); end < 0 || end >= n {
				return i
			}
			s.state = s.ended()
		default:
			state, key := s.state, s.key
			if !s.step(c) { // the state machine takes the step again, and fails
				s.state, s.key = state, key
				return i
			}
		}
		i = end
		if s.state == atEnd {
			return i
		}
	}
}

// Kinds of tokens.
const (
	aScalar = iota // a number, a literal, or no token at all
	aString
	aMark // a bracket, a comma or a colon
)

// tokenAt is the kind of the token that begins with a byte.
var tokenAt = [256]byte{'"': aString, '{': aMark, '[': aMark, '}': aMark, ']': aMark, ',': aMark, ':': aMark}

// text skips the bytes of a string from index i on. It returns the index of the first byte that
// ends the string, that no string may contain, or that is a backslash whose escape is wrong or
// incomplete. It returns len(b) if there is none.
func (s *Scanner) text(b []byte, i int) int {
	for i < len(b) {
		if len(b)-i >= 8 {
			m := jsonwire.StringEnds(jsonwire.Load64(b, i))
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) >> 3
		}
		c := b[i]
		switch {
		case c == '\\' && len(b)-i >= 6 && b[i+1] == 'u' && isHex(b[i+2]) && isHex(b[i+3]) && isHex(b[i+4]) && isHex(b[i+5]):
			i += 6
		case c == '\\' && len(b)-i >= 2 && strings.IndexByte(simpleEscapes, b[i+1]) >= 0:
			i += 2
		case c < ' ' || c == '"' || c == '\\':
			return i
		default:
			i++
		}
	}
	return i
}

// simpleEscapes are the bytes that complete an escape directly after the backslash.
const simpleEscapes = `"\/bfnrt`

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// number takes c as the next byte of a number. It returns false if c does not continue the number.
func (s *Scanner) number(c byte) bool {
	digit := c-'0' <= 9
	switch s.state {
	case inMinus:
		if c == '0' {
			s.state = inZero
			return true
		}
		if digit {
			s.state = inInteger
		}
		return digit
	case inZero, inInteger:
		switch {
		case digit && s.state == inInteger:
			return true
		case c == '.':
			s.state = inPoint
			return true
		}
		return s.exponent(c)
	case inPoint, inFraction:
		if digit {
			s.state = inFraction
			return true
		}
		return s.state == inFraction && s.exponent(c)
	case inE:
		if c == '+' || c == '-' {
			s.state = inESign
			return true
		}
	}
	if digit { // inE, inESign, inExponent
		s.state = inExponent
	}
	return digit
}

// exponent takes c as the letter before an exponent, and reports whether it is one.
func (s *Scanner) exponent(c byte) bool {
	if c|0x20 == 'e' {
		s.state = inE
		return true
	}
	return false
}

// step takes c as the next byte. c is neither white space between tokens nor part of a number. It
// returns false if c may not be there.
func (s *Scanner) step(c byte) bool {
	switch s.state {
	case atFirstElem:
		if c == ']' {
			return s.pop('[')
		}
		return s.begin(c)
	case atValue:
		return s.begin(c)
	case atFirstKey, atKey:
		if c == '}' && s.state == atFirstKey {
			return s.pop('{')
		}
		s.state, s.key = inString, true
		return c == '"'
	case atColon:
		s.state = atValue
		return c == ':'
	case atNext:
		return s.next(c)
	case inEscape:
		s.state = inString
		if c == 'u' {
			s.state = inHex4
			return true
		}
		return strings.IndexByte(simpleEscapes, c) >= 0
	case inHex4, inHex3, inHex2:
		s.state++
		return isHex(c)
	case inHex1:
		s.state = inString
		return isHex(c)
	default: // inLiteral
		if c != s.rest[0] {
			return false
		}
		if s.rest = s.rest[1:]; s.rest == "" {
			s.state = s.ended()
		}
		return true
	}
}

func isHex(c byte) bool { return c-'0' <= 9 || c|0x20-'a' <= 5 }

// begin takes c as the first byte of a value.
func (s *Scanner) begin(c byte) bool {
	switch c {
	case '{', '[':
		s.open = append(s.open, c)
		s.state = atFirstElem
		if c == '{' {
			s.state = atFirstKey
		}
		return len(s.open) <= jsonwire.MaxDepth
	case '"':
		s.state = inString
	case 't':
		s.state, s.rest = inLiteral, "rue"
	case 'f':
		s.state, s.rest = inLiteral, "alse"
	case 'n':
		s.state, s.rest = inLiteral, "ull"
	case '-':
		s.state = inMinus
	case '0':
		s.state = inZero
	default:
		s.state = inInteger
		return c-'0' <= 9
	}
	return true
}

// next takes c, the first byte after a value of an array or object.
func (s *Scanner) next(c byte) bool {
	in := s.open[len(s.open)-1]
	switch {
	case c != ',':
		return s.pop(c - 2) // in ASCII, each closing bracket is its opening bracket plus 2
	case in == '{':
		s.state = atKey
	default:
		s.state = atValue
	}
	return true
}

// pop closes the innermost array or object. It returns false if its opening bracket is not c.
func (s *Scanner) pop(c byte) bool {
	last := len(s.open) - 1
	if s.open[last] != c {
		return false
	}
	s.open = s.open[:last]
	s.state = s.ended()
	return true
}

// Malformed returns the number of bytes of the malformed document b up to and including the first
// wrong byte, or len(b) if only the end is missing.
func Malformed(b []byte) int {
	var s Scanner
	at := 0
	for at < len(b) {
		n := s.Scan(b[at : at+1])
		if n == Bad {
			return at + 1
		}
		if n >= 0 { // the value has ended
			at += n
			break
		}
		at++
	}
	for ; at < len(b); at++ {
		if !isSpace(b[at]) {
			return at + 1
		}
	}
	return len(b)
}
