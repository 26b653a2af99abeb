package jsonwire

import "slices"

// Escaping says which characters become \u escapes in text that is JSON already.
type Escaping uint8

const (
	EscapeNothing Escaping = iota
	EscapeJS               // U+2028 and U+2029, which JavaScript once took for ends of lines
	EscapeHTML             // the characters of EscapeJS, and <, > and &
)

// AppendCompact appends the JSON text src without the white space between its tokens, escaped as
// esc says. If src is not one JSON value, it returns dst unchanged and false. The reference is
// json.Compact and json.HTMLEscape (TestAppendCompact).
//
// The text is copied to its place in dst, padded, and compacted there.
func AppendCompact(dst, src []byte, esc Escaping) (_ []byte, ok bool) {
	n := len(dst)
	dst = slices.Grow(dst, len(src)+Pad)
	b := dst[n : n+len(src)+Pad]
	copy(b, src)
	clear(b[len(src):])
	if !Valid(b, len(src)) {
		return dst, false
	}
	end, special := compact(b, len(src))
	if special && esc != EscapeNothing {
		return AppendEscaped(dst, append([]byte(nil), b[:end]...), esc), true
	}
	return dst[:n+end], true
}

// compact drops the white space between the tokens of the valid text b[:n]. It returns the new end
// of the text, and whether a byte that may need an escape remains.
func compact(b []byte, n int) (end int, special bool) {
	w := 0
	for r := 0; r < n; {
		c := b[r]
		switch {
		case c == '"':
			e := SkipString(b, r)
			for i := r; i < e; i++ {
				special = special || htmlByte[b[i]]
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
	return w, special
}

// htmlByte says which bytes may begin something that [AppendEscaped] escapes; 0xe2
// begins U+2028 and U+2029.
var htmlByte = [256]bool{'<': true, '>': true, '&': true, 0xe2: true}

// AppendEscaped appends src, which may be any text, escaped as esc says. The reference for
// EscapeHTML is json.HTMLEscape.
func AppendEscaped(dst, src []byte, esc Escaping) []byte {
	start := 0
	for i, c := range src {
		switch {
		case !htmlByte[c]:
			continue
		case c < 0x80 && esc != EscapeHTML:
		case c < 0x80:
			dst = append(dst, src[start:i]...)
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			start = i + 1
		case i+2 < len(src) && src[i+1] == 0x80 && src[i+2]&^1 == 0xa8:
			dst = append(dst, src[start:i]...)
			dst = append(dst, '\\', 'u', '2', '0', '2', hexDigits[src[i+2]&15])
			start = i + 3
		}
	}
	return append(dst, src[start:]...)
}
