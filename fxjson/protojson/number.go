package protojson

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/pbtype"
)

// bitsOf returns the size of integers of a kind.
func bitsOf(k pbtype.Kind) int {
	switch k {
	case pbtype.Int64, pbtype.Sint64, pbtype.Sfixed64, pbtype.Uint64, pbtype.Fixed64:
		return 64
	}
	return 32
}

// int reads the integer at i. It may be a string if quoted is true.
func (d *decoder) int(p *value, v reflect.Value, i int, quoted bool) (int, *failure) {
	start, inString := i, quoted && d.b[i] == '"'
	if inString {
		i++
	}
	n, next := jsonwire.ParseInt(d.b, i)
	switch {
	case next >= 0 && inString:
		if next++; d.b[next-1] != '"' {
			next = -1
		}
	case next >= 0 && isPart(d.b[next]):
		next = -1
	}
	if next < 0 { // a form that is rare: 1e3, 1.0, or a string with escapes
		var text []byte
		var bad *failure
		if text, next, bad = d.number(p, start, quoted); bad != nil {
			return 0, bad
		}
		var err error
		if n, err = strconv.ParseInt(string(text), 10, 64); err != nil {
			return 0, d.wrong(p, start)
		}
	}
	if bitsOf(p.kind) == 32 && n != int64(int32(n)) {
		return 0, d.wrong(p, start)
	}
	if p.narrow && v.OverflowInt(n) {
		return 0, fail(ErrValue, start, fmt.Sprintf("%s does not hold %d", p.rt, n))
	}
	v.SetInt(n)
	return next, nil
}

// uint reads the integer at i, which may be a string.
func (d *decoder) uint(p *value, v reflect.Value, i int) (int, *failure) {
	start, inString := i, d.b[i] == '"'
	if inString {
		i++
	}
	n, next := jsonwire.ParseUint(d.b, i)
	switch {
	case next >= 0 && inString:
		if next++; d.b[next-1] != '"' {
			next = -1
		}
	case next >= 0 && isPart(d.b[next]):
		next = -1
	}
	if next < 0 {
		var text []byte
		var bad *failure
		if text, next, bad = d.number(p, start, true); bad != nil {
			return 0, bad
		}
		var err error
		if n, err = strconv.ParseUint(string(text), 10, 64); err != nil {
			return 0, d.wrong(p, start)
		}
	}
	if bitsOf(p.kind) == 32 && n != uint64(uint32(n)) {
		return 0, d.wrong(p, start)
	}
	if p.narrow && v.OverflowUint(n) {
		return 0, fail(ErrValue, start, fmt.Sprintf("%s does not hold %d", p.rt, n))
	}
	v.SetUint(n)
	return next, nil
}

// isPart reports whether c can be part of a number.
func isPart(c byte) bool { return c == '.' || c|0x20 == 'e' }

// number reads a number, or a string that is one, and returns it as the digits of an integer, with a
// minus sign if it has one.
func (d *decoder) number(p *value, i int, quoted bool) (text []byte, next int, bad *failure) {
	b, at := d.b, i
	if d.b[i] == '"' && quoted {
		if text, next, bad = d.string(i); bad != nil {
			return nil, 0, bad
		}
		b, at = jsonwire.Padded(nil, text), 0
	}
	end := -1
	if c := b[at]; c == '-' || '0' <= c && c <= '9' {
		end = jsonwire.SkipNumber(b, at)
	}
	if end < 0 || quoted && d.b[i] == '"' && end != len(text) {
		return nil, 0, d.wrong(p, i)
	}
	if next == 0 {
		next = end
	}
	out, ok := integer(b[at:end])
	if !ok {
		return nil, 0, d.wrong(p, i)
	}
	return out, next, nil
}

// integer returns a number of JSON as digits: 1.5e1 is 15. It reports false for a fraction, and for
// more digits than 64 bits have.
func integer(b []byte) ([]byte, bool) {
	mantissa, exponent := b, []byte(nil)
	if e := bytes.IndexAny(b, "eE"); e >= 0 {
		mantissa, exponent = b[:e], b[e+1:]
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte{'.'})
	whole, negative := bytes.CutPrefix(whole, []byte{'-'})
	digits := bytes.TrimLeft(append(bytes.Clone(whole), fraction...), "0")
	shift := -len(fraction)
	n := len(digits)
	if n == 0 {
		return []byte{'0'}, true // whatever the sign and the exponent
	}
	digits = bytes.TrimRight(digits, "0")
	shift += n - len(digits)
	if exponent != nil {
		e, err := strconv.ParseInt(string(exponent), 10, 32)
		if err != nil {
			return nil, false
		}
		shift += int(e)
	}
	if shift < 0 || len(digits)+shift > 20 {
		return nil, false
	}
	digits = append(digits, bytes.Repeat([]byte{'0'}, shift)...)
	if negative {
		digits = append([]byte{'-'}, digits...)
	}
	return digits, true
}
