package jsontiny

// NOTE: Package encoding/base64 is not used since it imports encoding/binary, and that imports
// reflect.

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// appendBase64 appends s by the standard alphabet, padded.
func appendBase64[E ~byte](b []byte, s []E) []byte {
	for ; len(s) > 0; s = s[min(3, len(s)):] {
		var x uint32
		for i := range 3 {
			x <<= 8
			if i < len(s) {
				x |= uint32(s[i])
			}
		}
		for i := range 4 {
			if i > len(s) {
				b = append(b, '=')
			} else {
				b = append(b, base64Digits[x>>(18-6*i)&63])
			}
		}
	}
	return b
}

// base64Value returns the value of a digit, a negative number for other bytes.
func base64Value(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return int(c - 'A')
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 26
	case '0' <= c && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}

// parseBase64 is the inverse of appendBase64. Like encoding/base64, it ignores line ends.
func parseBase64[E ~byte](text []byte) (out []E, ok bool) {
	out = make([]E, 0, len(text)/4*3)
	var x uint32
	digits, pads := 0, 0
	for _, c := range text {
		switch v := base64Value(c); {
		case c == '\n' || c == '\r':
		case c == '=' && digits+pads >= 2 && digits+pads < 4:
			pads++
		case v < 0 || pads > 0:
			return nil, false
		default:
			x = x<<6 | uint32(v)
			digits++
		}
		if digits+pads == 4 {
			x <<= 6 * pads
			for i := range 3 - pads {
				out = append(out, E(x>>(16-8*i)))
			}
			if pads > 0 {
				pads = 5 // nothing may follow
			}
			x, digits = 0, 0
		}
	}
	return out, digits == 0 && (pads == 0 || pads == 5)
}
