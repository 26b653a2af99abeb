package jsonwire

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// grammar holds documents in the spirit of JSONTestSuite: each must be judged
// as encoding/json judges it.
var grammar = []string{
	``, ` `, `null`, `nul`, `nulll`, `Null`, `true`, `tru`, `truee`, `false`, `fals`, `falsee`, ` true `, "\ttrue\r\n", "\vtrue", "\ufefftrue", "\x00", "true\x00",
	`0`, `-0`, `-`, `+0`, `00`, `-01`, `1.`, `.1`, `1.5`, `1.5.5`, `1e`, `1e+`, `1E-5`, `1e5.5`, `0e0`, `0x1`, `1 2`, `Infinity`, `NaN`, `-a`, `１`,
	`"`, `""`, `"a`, `"a"b`, `"\"`, `"\\"`, `"\u12"`, `"\u123g"`, `"\ud800"`, `"\a"`, "\"\t\"", "\"\x00\"", "\"\x7f\"", "\"\xff\"", `'a'`,
	`[]`, `[ ]`, `[`, `]`, `[1`, `[1,]`, `[,1]`, `[1 2]`, `[1,,2]`, `[1]]`, `[[]`, `[[],[[]]]`, `[1}`, `[a]`, `[""]`, `[null,true,false,0,"",[],{}]`, "[1\n,2\t]",
	`{}`, `{ }`, `{`, `}`, `{"a"}`, `{"a":}`, `{"a":1`, `{"a":1,}`, `{,"a":1}`, `{"a":1 "b":2}`, `{"a" 1}`, `{a:1}`, `{1:1}`, `{'a':1}`, `{"a":1]`, `{"a":1}{`, `{"":0}`, `{"a":1,"a":2}`,
	`{"a": {"b" : [1 , 2]}}`, `{"\u0061":1}`, `{"\x":1}`, `{"a"::1}`, `{"a":1;"b":2}`, `// c`, `1 // c`, `/* c */ 1`, `[1]x`, `{"a":tru}`, `[1e400]`, `[1.0e-999]`,
}

func TestGrammar(t *testing.T) {
	docs := append([]string(nil), grammar...)
	for _, d := range grammar { // below objects and arrays as well
		docs = append(docs, `[`+d+`]`, `{"k":`+d+`}`, `[0,`+d+` , 0]`)
	}
	for _, d := range docs {
		checkValid(t, d)
		for i := range d {
			checkValid(t, d[:i])
		}
	}
}

func checkValid(t *testing.T, doc string) {
	t.Helper()
	if got, want := Valid(padded(doc), len(doc)), json.Valid([]byte(doc)); got != want {
		t.Fatalf("Valid(%q) = %v, want %v", doc, got, want)
	}
}

func TestDepth(t *testing.T) {
	for _, n := range []int{1, MaxDepth - 1, MaxDepth, MaxDepth + 1, 1_000_000} {
		checkValid(t, strings.Repeat("[", n)+strings.Repeat("]", n))
		checkValid(t, strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n))
		checkValid(t, strings.Repeat("[", n))
	}
}

func FuzzValid(f *testing.F) {
	for _, d := range grammar {
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, doc string) { checkValid(t, doc) })
}

func BenchmarkValid(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var sb strings.Builder
	sb.WriteString("[")
	for i := range 200 {
		if i > 0 {
			sb.WriteString(",")
		}
		sb.WriteString(`{"id":` + stdFloat(float64(r.IntN(1e6)), 64) + `,"name":"some name here","ok":true,"score":` + stdFloat(r.Float64(), 64) + `}`)
	}
	sb.WriteString("]")
	doc := padded(sb.String())
	b.Run("fxjson", func(b *testing.B) {
		b.SetBytes(int64(sb.Len()))
		for b.Loop() {
			Valid(doc, sb.Len())
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		src := []byte(sb.String())
		b.SetBytes(int64(sb.Len()))
		for b.Loop() {
			json.Valid(src)
		}
	})
}
