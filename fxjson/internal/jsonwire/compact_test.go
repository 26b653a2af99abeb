package jsonwire

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

var escapeJS = strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`)

// checkCompact compares AppendCompact with encoding/json.
func checkCompact(t *testing.T, src string) {
	t.Helper()
	escaped, err := json.Marshal(json.RawMessage(src))
	var compact bytes.Buffer
	json.Compact(&compact, []byte(src)) // fails like Marshal
	js := escapeJS.Replace(compact.String())
	for esc, want := range [...]string{EscapeHTML: string(escaped), EscapeJS: js, EscapeNothing: compact.String()} {
		esc := Escaping(esc)
		got, ok := AppendCompact([]byte("x"), []byte(src), esc)
		if ok != (err == nil) || string(got) != "x"+want {
			t.Fatalf("AppendCompact(%q, %d) = %q, %v, want %q, %v", src, esc, got[1:], ok, want, err)
		}
	}
}

func TestAppendCompact(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	parts := []string{
		"{", "}", "[", "]", ",", ":", " ", "\n\t", `"a"`, `"<b> & c"`, `" \" \\ "`, "\"\u2028\u2029\u2027é\"", "1", "-0.5e3", "true",
		"null", `"\u003c"`, "\"\xff\"", `"`,
	}
	for range 20_000 {
		var src string
		for range 1 + r.IntN(6) {
			src += parts[r.IntN(len(parts))]
		}
		checkCompact(t, src)
	}
	// Valid ones, with space everywhere.
	doc := []byte("{\"k<\":[1,2.5,{\"a b\":\"c & d\"},\"\u2028\",[],{}],\"z\":null}")
	for _, indent := range []string{"", " ", "\t", "        "} {
		var b bytes.Buffer
		if err := json.Indent(&b, doc, indent, indent); err != nil {
			t.Fatal(err)
		}
		for n := range b.Len() + 1 {
			checkCompact(t, b.String()[:n])
		}
	}
}
