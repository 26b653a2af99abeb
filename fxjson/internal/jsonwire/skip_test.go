package jsonwire

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson/internal/grammar"
)

func TestGrammar(t *testing.T) {
	docs := grammar.All()
	for _, d := range grammar.All() { // below objects and arrays as well
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
	for _, d := range grammar.All() {
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
		sb.WriteString(`{"id":` + stdFloat(float64(r.IntN(1e6)), 64) + `,"name":"some name here","ok":true,"score":` +
			stdFloat(r.Float64(), 64) + `}`)
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

// TestPadded copies documents into new memory, into memory that holds something, and from the
// memory itself.
func TestPadded(t *testing.T) {
	for n := range 200 {
		src := bytes.Repeat([]byte{'a' + byte(n%26)}, n)
		want := append(bytes.Clone(src), make([]byte, Pad)...)
		used := bytes.Repeat([]byte("x"), 3*Pad)
		long := append(bytes.Clone(src), bytes.Repeat([]byte("y"), 2*Pad)...)
		for name, got := range map[string][]byte{
			"new": Padded(nil, src), "used": Padded(used, src), "full": Padded(bytes.Clone(src)[:0:n], src), "itself": Padded(long[:0], long[:n]),
		} {
			if !bytes.Equal(got, want) {
				t.Errorf("%d bytes, %s: %q", n, name, got)
			}
		}
	}
}
