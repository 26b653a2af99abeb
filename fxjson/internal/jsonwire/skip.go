package jsonwire

// MaxDepth is the largest number of arrays and objects inside each other.
const MaxDepth = 10000

// Skip checks the grammar of the JSON value at i, including white space before it, and returns the
// index after it. The index is negative if the grammar is violated, or if values nest deeper than
// [MaxDepth]; depth is the number of levels that are open already. The document is padded.
func Skip(b []byte, i, depth int) int {
	i = SkipSpace(b, i)
	switch c := Load8(b, i); c {
	case '"':
		return SkipString(b, i)
	case '{', '[':
		return skipNested(b, i, depth)
	case 't':
		if Load32(b, i) == litTrue {
			return i + 4
		}
	case 'f':
		if Load32(b, i+1) == litAlse {
			return i + 5
		}
	case 'n':
		if IsNull(b, i) {
			return i + 4
		}
	default:
		return SkipNumber(b, i)
	}
	return -1
}

// skipNested is Skip for the array or object whose bracket is at i. It keeps up to 64 open levels
// as bits of a word. A call for each level would make the goroutine's stack grow, and so be copied,
// for documents that nest deep (BenchmarkShapes/other/deep).
func skipNested(b []byte, i, depth int) int {
	const most = 64
	open := 0          // number of open levels
	var objects uint64 // a bit for each open level, the innermost lowest: set for objects
	for {
		switch c := Load8(b, i); c {
		case '{', '[':
			if open == most {
				i = skipNested(b, i, depth+most)
				break
			}
			if open++; depth+open > MaxDepth {
				return -1
			}
			i = SkipSpace(b, i+1)
			objects <<= 1
			switch {
			case Load8(b, i) == c+2:
				open--
				objects >>= 1
				i++
			case c == '{':
				objects |= 1
				if i = skipKey(b, i); i < 0 {
					return -1
				}
				continue
			default:
				continue
			}
		case '"':
			i = SkipString(b, i)
		default:
			i = Skip(b, i, depth)
		}
		if i < 0 {
			return -1
		}
		for { // after a value
			if open == 0 {
				return i
			}
			i = SkipSpace(b, i)
			c := Load8(b, i)
			if c == ',' {
				i = SkipSpace(b, i+1)
				if objects&1 != 0 {
					if i = skipKey(b, i); i < 0 {
						return -1
					}
				}
				break
			}
			if c != ']'+byte(objects&1)*('}'-']') {
				return -1
			}
			open--
			objects >>= 1
			i++
		}
	}
}

// skipKey skips the key at i, its colon and the white space after the colon.
func skipKey(b []byte, i int) int {
	if Load8(b, i) != '"' {
		return -1
	}
	if i = SkipString(b, i); i < 0 {
		return -1
	}
	if i = SkipSpace(b, i); Load8(b, i) != ':' {
		return -1
	}
	return SkipSpace(b, i+1)
}

// SkipNumber checks the grammar of the JSON number at i and returns the index after it. The index
// is negative if there is no number. The document is padded.
func SkipNumber(b []byte, i int) int {
	if Load8(b, i) == '-' {
		i++
	}
	if Load8(b, i) == '0' {
		i++
	} else if i = skipDigits(b, i); i < 0 {
		return -1
	}
	if Load8(b, i) == '.' {
		if i = skipDigits(b, i+1); i < 0 {
			return -1
		}
	}
	if Load8(b, i)|0x20 == 'e' {
		i++
		if c := Load8(b, i); c == '+' || c == '-' {
			i++
		}
		return skipDigits(b, i)
	}
	return i
}

// skipDigits returns the index after the digits at i, a negative one if there is none.
func skipDigits(b []byte, i int) int {
	if Load8(b, i)-'0' > 9 {
		return -1
	}
	for {
		non := nonDigits(Load64(b, i))
		if non != 0 {
			return i + firstByte(non)
		}
		i += 8
	}
}

// Valid reports whether the document b is one JSON value, with white space allowed around it. n is
// its length without the padding.
func Valid(b []byte, n int) bool {
	i := Skip(b, 0, 0)
	return i >= 0 && SkipSpace(b, i) == n
}

// The literals as little-endian half words; "false" without its first letter.
const (
	litNull = 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24
	litTrue = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	litAlse = 'a' | 'l'<<8 | 's'<<16 | 'e'<<24
)

// IsNull reports whether the literal null is at i. The document is padded.
func IsNull(b []byte, i int) bool { return Load32(b, i) == litNull }

// ParseBool reads the literal true or false at i and returns the index after it. The index is
// negative if neither is there. The document is padded.
func ParseBool(b []byte, i int) (bool, int) {
	if Load32(b, i) == litTrue {
		return true, i + 4
	}
	if Load8(b, i) == 'f' && Load32(b, i+1) == litAlse {
		return false, i + 5
	}
	return false, -1
}
