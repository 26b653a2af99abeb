package jsonwire

import "slices"

// AppendCompact appends the JSON text src without the white space between its
// tokens, with <, >, & and U+2028, U+2029 as \u escapes: what encoding/json makes
// of a json.RawMessage. If src is not one JSON value, ok is false and dst is
// returned as it was. The reference is json.Compact and json.HTMLEscape
// (TestAppendCompact).
//
// The text is copied to its place, padded, and made compact there.
func AppendCompact(dst, src []byte) (_ []byte, ok bool) {
	n := len(dst)
	dst = slices.Grow(dst, len(src)+Pad)
	b := dst[n : n+len(src)+Pad]
	copy(b, src)
	clear(b[len(src):])
	if !Valid(b, len(src)) {
		return dst, false
	}
	end, html := compact(b, len(src))
	if html {
		return appendHTML(dst, append([]byte(nil), b[:end]...)), true
	}
	return dst[:n+end], true
}

// compact drops the white space between the tokens of the valid text b[:n] and
// returns its new end, and whether a byte that may need an escape remains.
func compact(b []byte, n int) (end int, html bool) {
	w := 0
	for r := 0; r < n; {
		c := b[r]
		switch {
		case c == '"':
			e := SkipString(b, r)
			for i := r; i < e; i++ {
				html = html || htmlByte[b[i]]
			}
			if w != r {
				copy(b[w:], b[r:e])
			}
			w += e - r
			r = e
		case c <= ' ':
			r++
		default:
			b[w] = c
			w++
			r++
		}
	}
	return w, html
}

// htmlByte says which bytes may begin something that [appendHTML] escapes.
var htmlByte = [256]bool{'<': true, '>': true, '&': true, 0xe2: true}

// appendHTML appends the valid JSON text s with <, >, & and U+2028, U+2029, which
// stand in strings only, as escapes.
func appendHTML(dst, s []byte) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '<' || c == '>' || c == '&':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c == 0xe2 && i+2 < len(s) && s[i+1] == 0x80 && s[i+2]&^1 == 0xa8:
			dst = append(dst, `\u202`...)
			dst = append(dst, hexDigits[s[i+2]&15])
			i += 2
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
