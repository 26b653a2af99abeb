package values

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// careless are mistakes of codecs with text.
var careless = map[string]func(string) string{
	"cuts at NUL":              func(s string) string { s, _, _ = strings.Cut(s, "\x00"); return s },
	"trims blanks":             strings.TrimSpace,
	"trims blanks at its end":  func(s string) string { return strings.TrimRight(s, " ") },
	"collapses blanks":         func(s string) string { return strings.Join(strings.Fields(s), " ") },
	"drops control characters": func(s string) string { return strings.Map(keep(unicode.IsPrint), s) },
	"keeps ASCII":              func(s string) string { return strings.Map(keep(func(r rune) bool { return r < 128 }), s) },
	"keeps the BMP":            func(s string) string { return strings.Map(keep(func(r rune) bool { return r < 1<<16 }), s) },
	"drops byte order marks":   func(s string) string { return strings.TrimPrefix(s, "\ufeff") },
	"composes characters":      func(s string) string { return strings.ReplaceAll(s, "e\u0301", "\u00e9") },
	"drops bad characters":     func(s string) string { return strings.ReplaceAll(s, "\ufffd", "") },
	"lowers case":              strings.ToLower,
	"reads null":               func(s string) string { return strings.TrimPrefix(s, "null") },
	"reads truth values":       unless(func(s string) bool { _, err := strconv.ParseBool(s); return err == nil && len(s) > 1 }),
	"reads integers":           unless(func(s string) bool { _, err := strconv.Atoi(s); return err == nil }),
	"reads floats": unless(func(s string) bool {
		_, err := strconv.ParseFloat(s, 64)
		return err == nil && strings.Contains(s, "e")
	}),
	"reads times":              unless(func(s string) bool { return strings.HasSuffix(s, "T00:00:00Z") }),
	"reads ~ of YAML":          unless(func(s string) bool { return s == "~" }),
	"counts lengths in a byte": func(s string) string { return s[:len(s)%256] },
	"counts in two bytes":      func(s string) string { return s[:len(s)%(1<<16)] },
	"normalises line ends":     func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") },
}

func keep(ok func(rune) bool) func(rune) rune {
	return func(r rune) rune {
		if ok(r) {
			return r
		}
		return -1
	}
}

// unless empties the texts that a codec takes for something else.
func unless(is func(string) bool) func(string) string {
	return func(s string) string {
		if is(s) {
			return ""
		}
		return s
	}
}

// TestCarelessCodecs: every mistake loses some extreme of a string, and those of keys one of a key.
func TestCarelessCodecs(t *testing.T) {
	for b := byte(33); b < 127; b++ {
		if c := rune(b); !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			careless["cuts at "+string(c)] = func(s string) string { s, _, _ = strings.Cut(s, string(c)); return s }
		}
	}
	for _, c := range []string{"\"", "'", "/", "."} {
		careless["trims "+c] = func(s string) string { return strings.Trim(s, c) }
	}
	var texts []string
	_, changes := extremesOf(reflect.TypeFor[string]())
	for _, c := range changes {
		texts = append(texts, c.to(reflect.TypeFor[string]()).String())
	}
	var keys []map[string]int
	at := place{typ: reflect.TypeFor[map[string]int](), was: reflect.ValueOf(map[string]int{"color": 1})}
	for _, c := range classesOf(at.typ) {
		for _, x := range c.changes {
			if m, ok := x.at(&at).Interface().(map[string]int); ok {
				keys = append(keys, m)
			}
		}
	}
	rare := map[string]bool{"counts in two bytes": true, "keeps the BMP": true, "drops byte order marks": true,
		"drops bad characters": true, "reads truth values": true, "reads floats": true, "reads times": true, "reads ~ of YAML": true,
		"cuts at NUL": true, "normalises line ends": true,
		"trims \"": true, "trims '": true, "trims /": true, "trims .": true}
	for name, mistake := range careless {
		lost := false
		for _, s := range texts {
			lost = lost || mistake(s) != s
		}
		if !lost {
			t.Errorf("a codec that %s keeps every extreme of a string", name)
		}
		lost = rare[name]
		for _, m := range keys {
			for k := range m {
				lost = lost || mistake(k) != k
			}
		}
		if !lost {
			t.Errorf("a codec that %s keeps every extreme of a key", name)
		}
	}
}
