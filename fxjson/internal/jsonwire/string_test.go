package jsonwire

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// pieces are what strings go wrong on.
var pieces = []string{
	"a", " ", "<", ">", "&", `"`, `\`, "\n", "\b", "\f", "\r", "\t", "\x00", "\x1f", "\x7f", "é", "日", "\u2028", "\u2029", "\u2027", "😀",
	"\xff", "\xc3", "\xed\xa0\x80", "\xe0\x80\x80", "\xf4\x90\x80\x80", "abcdefgh", "0123456789abcdef0123456789abcdef", "�",
}

func randomText(r *rand.Rand, pieces []string) string {
	var sb strings.Builder
	for range r.IntN(10) {
		sb.WriteString(pieces[r.IntN(len(pieces))])
		sb.WriteString("plain text"[:r.IntN(11)])
	}
	return sb.String()
}

func TestAppendQuote(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100_000 {
		checkQuote(t, randomText(r, pieces))
	}
}

func checkQuote(t *testing.T, s string) {
	t.Helper()
	for _, plain := range []bool{false, true} {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(!plain)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		if got := AppendQuote([]byte("x"), s, plain); string(got)+"\n" != "x"+want.String() {
			t.Fatalf("%q, plain %v: have %s, want %s", s, plain, got[1:], &want)
		}
	}
}

// TestStdV2 asks the encoding/json at hand whether it is what the build tags say.
func TestStdV2(t *testing.T) {
	b, err := json.Marshal("\xff")
	if err != nil || string(b) != `"`+replacement+`"` {
		t.Errorf("encoding/json writes %s, %v for invalid UTF-8, the build tags expect %s: see std_v2.go", b, err, replacement)
	}
	if _, v2 := reflect.TypeFor[json.UnmarshalTypeError]().FieldByName("Err"); v2 != StdV2 {
		t.Errorf("encoding/json is of version 2: %v, the build tags say %v", v2, StdV2)
	}
}

// sources are pieces of JSON source, good and bad.
var sources = []string{
	`\n`, `\/`, `\"`, `\\`, `\b`, `\u0041`, `\u00e9`, `\u65E5`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\ud83d\u0041`, `\ud83d\ud83d\ude00`,
	`\ud83dx`, `\u0000`, "é", "日", "😀", "abcdefgh", "\x7f", "\xff", "\xed\xa0\x80", "plain text of some length, more than a word",
}

var badSources = append([]string{`\`, `\x`, `\u`, `\u12`, `\u12g4`, `\U0041`, "\n", "\x00", `"`, `\ud83d\u12`}, sources...)

func TestUnescape(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 100_000 {
		p := sources
		if i%4 == 0 {
			p = badSources
		}
		checkUnescape(t, `"`+randomText(r, p)+`"`)
	}
}

// TestUnescapeBlocks has a byte and an escape of each kind at every place of a
// string that is quoted text, and all ends.
func TestUnescapeBlocks(t *testing.T) {
	text := strings.Repeat(`\"name\":\"a/b\\/c\",x`, 4)
	for n := range len(text) {
		for at := range n {
			for _, put := range []string{"", `\\`, `\n`, `\u0041`, `"`, "\x01", `\`, `é`, `\x`} {
				checkUnescape(t, `"`+text[:at]+put+text[at:n]+`"`)
			}
		}
	}
}

// checkUnescape compares all that reads strings with encoding/json.
func checkUnescape(t *testing.T, src string) {
	t.Helper()
	b := padded(src)
	var want string
	err := json.Unmarshal([]byte(src), &want)
	if err == nil && (src[0] != '"' || src[len(src)-1] != '"') {
		return // null, or space around it
	}
	if end := SkipString(b, 0); (end == len(src)) != (err == nil) {
		t.Fatalf("SkipString(%q) = %d, want %v", src, end, err)
	}
	got, end := AppendUnescaped(nil, b, 0)
	if (end == len(src)) != (err == nil) || err == nil && string(got) != want {
		t.Fatalf("AppendUnescaped(%q) = %q to %d, want %q, %v", src, got, end, want, err)
	}
	if !utf8.ValidString(src) {
		return
	}
	e, _ := ScanString(b, 1)
	for _, blocks := range []bool{false, useSqueeze} {
		b := padded(src)
		textEnd, end := unescapeInPlace(b, e, blocks)
		if (end == len(src)) != (err == nil) || err == nil && string(b[1:textEnd]) != want {
			t.Fatalf("unescapeInPlace(%q, %v) to %d, want %q, %v", src, blocks, end, want, err)
		}
	}
}

func TestPrefix(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 100_000 {
		a, b := randomText(r, pieces), randomText(r, pieces)
		x, y := Prefix(a), Prefix(b)
		if x < y && a >= b || x > y && a <= b {
			t.Fatalf("Prefix(%q) = %x, Prefix(%q) = %x", a, x, b, y)
		}
	}
}

func FuzzString(f *testing.F) {
	for _, s := range append(pieces, badSources...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkQuote(t, s)
		checkUnescape(t, `"`+s+`"`)
	})
}

func BenchmarkAppendQuote(b *testing.B) {
	for _, c := range []struct{ name, s string }{
		{"12", "session-1234"},
		{"256", strings.Repeat("plain ascii text", 16)},
		{"256-utf8", strings.Repeat("日本語のテキスト", 11)},
	} {
		buf := make([]byte, 0, 1024)
		b.Run(c.name+"/fxjson", func(b *testing.B) {
			for b.Loop() {
				AppendQuote(buf, c.s, false)
			}
		})
		b.Run(c.name+"/encoding-json", func(b *testing.B) {
			for b.Loop() {
				json.Marshal(c.s)
			}
		})
	}
}

func BenchmarkUnescape(b *testing.B) {
	src := padded(`"` + strings.Repeat(`{\"order\":\"ORD-2025\",\"total\":12.50},`, 6) + `"`)
	doc := make([]byte, len(src))
	e, _ := ScanString(src, 1)
	for _, blocks := range []bool{false, useSqueeze} {
		b.Run("blocks="+strconv.FormatBool(blocks), func(b *testing.B) {
			for b.Loop() {
				copy(doc, src)
				unescapeInPlace(doc, e, blocks)
			}
		})
	}
}

func BenchmarkScanString(b *testing.B) {
	doc := padded(strings.Repeat("plain ascii text", 16) + `"`)
	for b.Loop() {
		ScanString(doc, 0)
	}
}
