package profile

import "strings"

// pkgOf returns the import path in the name of a function. The linker writes dots in the last element
// of a path as %2e.
func pkgOf(fn string) string {
	head := fn
	if i := strings.IndexAny(head, "[("); i >= 0 { // type arguments and receivers have paths of their own
		head = head[:i]
	}
	slash := strings.LastIndexByte(head, '/') + 1
	dot := strings.IndexByte(head[slash:], '.')
	if dot < 0 {
		return ""
	}
	return strings.ReplaceAll(head[:slash+dot], "%2e", ".")
}

// baseOf returns the last part of a function's name, without type arguments: "Load" of
// "example.org/shop/store.(*DB[...]).Load". A function literal has the base of the function that
// contains it.
func baseOf(fn string) string {
	fn = plainName(fn)
	fn = fn[strings.LastIndexByte(fn, '/')+1:]
	parts := strings.Split(fn, ".")
	for len(parts) > 2 && literal(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	return strings.TrimSuffix(parts[len(parts)-1], "-fm")
}

// literal reports whether s is the linker's name of a function literal or of a part of a range loop:
// func1, 2, gowrap1, func1-range1.
func literal(s string) bool {
	s, _, _ = strings.Cut(s, "-range")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "func"), "gowrap")
	if s == "" {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// plainName returns a function's name without type arguments, and with the path's dots.
func plainName(fn string) string {
	fn = strings.ReplaceAll(fn, "%2e", ".")
	for {
		i := strings.IndexByte(fn, '[')
		if i < 0 {
			return fn
		}
		depth, j := 0, i
		for ; j < len(fn); j++ {
			if fn[j] == '[' {
				depth++
			}
			if fn[j] == ']' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if j == len(fn) {
			return fn[:i]
		}
		fn = fn[:i] + fn[j+1:]
	}
}

// Symbol returns the linker's name of a function that go/types spells name:
// "(*encoding/json.Encoder).Encode" becomes "encoding/json.(*Encoder).Encode", without type arguments.
func Symbol(name string) string {
	name = plainName(name)
	recv, method, ok := strings.Cut(strings.TrimPrefix(name, "("), ").")
	if !ok || !strings.HasPrefix(name, "(") {
		return name
	}
	star := strings.HasPrefix(recv, "*")
	recv = strings.TrimPrefix(recv, "*")
	dot := strings.LastIndexByte(recv, '.')
	if dot < 0 {
		return name
	}
	path, typ := recv[:dot], recv[dot+1:]
	if star {
		typ = "(*" + typ + ")"
	}
	return path + "." + typ + "." + method
}

// standard reports whether an import path is one of the standard library: its first element has no
// dot. Package main is not.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return path != "" && path != "main" && !strings.Contains(first, ".")
}

// under reports whether path is prefix or below it.
func under(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix) && strings.HasPrefix(path[len(prefix):], "/")
}
