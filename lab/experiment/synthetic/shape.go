package synthetic

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Point is one synthetic message: the shape of its type and of its values.
type Point struct {
	Depth  int    `json:"depth"`  // nesting of structs; 1 is flat
	Fields int    `json:"fields"` // scalars over all levels, a fourth each of int64, float64, bool and strings of 12 letters
	Times  int    `json:"times"`  // further fields that hold a time
	Format Format `json:"format"` // how these times are written
	Array  int    `json:"array"`  // length of the single list of int64
	Blob   int    `json:"blob"`   // length of the single field of bytes
}

// Format is how times are written.
type Format string

// The formats of times.
const (
	Native Format = "time.Time"
	Text   Format = "RFC 3339 string"
	Unix   Format = "Unix int64"
)

// Text describes the type of p: "depth 3, 32 fields".
func (p *Point) Text() string {
	s := fmt.Sprintf("depth %d, %d fields", p.Depth, p.Fields)
	if p.Times > 0 {
		s += fmt.Sprintf(", %d times as %s", p.Times, p.Format)
	}
	return s
}

// field is one field of a synthetic type.
type field struct{ name, typ string }

// levels returns the fields of each level of p, the outermost level first.
func (p *Point) levels() [][]field {
	kinds := []string{"int64", "string", "float64", "bool"}
	out := make([][]field, p.Depth)
	for i := range p.Fields {
		at := i % p.Depth
		out[at] = append(out[at], field{fmt.Sprintf("F%d", i), kinds[i/p.Depth%len(kinds)]})
	}
	typ := map[Format]string{Native: "time.Time", Text: "string", Unix: "int64"}[p.Format]
	for i := range p.Times {
		at := i % p.Depth
		out[at] = append(out[at], field{fmt.Sprintf("At%d", i), typ})
	}
	last := p.Depth - 1
	out[last] = append(out[last], field{"List", "[]int64"}, field{"Blob", "[]byte"})
	return out
}

// Source returns the declarations of p's type, called name, and of the types of its levels.
func (p *Point) Source(name string) string {
	var b strings.Builder
	levels := p.levels()
	for i, fields := range levels {
		fmt.Fprintf(&b, "type %s struct {\n", levelName(name, i))
		for _, f := range fields {
			fmt.Fprintf(&b, "\t%s %s `json:\"%s\"`\n", f.name, f.typ, strings.ToLower(f.name))
		}
		if i+1 < len(levels) {
			fmt.Fprintf(&b, "\tIn %s `json:\"in\"`\n", levelName(name, i+1))
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}

func levelName(name string, i int) string {
	if i == 0 {
		return name
	}
	return fmt.Sprintf("%sL%d", name, i+1)
}

// Document draws a value of p as JSON.
func (p *Point) Document(r *rand.Rand) []byte {
	levels := p.levels()
	var doc map[string]any
	for i := len(levels) - 1; i >= 0; i-- {
		m := map[string]any{}
		for _, f := range levels[i] {
			m[strings.ToLower(f.name)] = p.value(r, f)
		}
		if doc != nil {
			m["in"] = doc
		}
		doc = m
	}
	return JSON(doc)
}

// JSON marshals v with encoding/json. It panics if v cannot be marshaled.
func JSON(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // callers pass numbers, strings, bytes, and maps of these
	}
	return out
}

func (p *Point) value(r *rand.Rand, f field) any {
	at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.Int64N(1e16)))
	switch {
	case strings.HasPrefix(f.name, "At") && p.Format == Unix:
		return at.UnixNano()
	case strings.HasPrefix(f.name, "At"):
		return at.Format(time.RFC3339Nano)
	}
	switch f.typ {
	case "int64":
		return r.Int64N(1e9)
	case "float64":
		return float64(r.Int64N(1e7)) / 100
	case "bool":
		return r.IntN(2) == 0
	case "string":
		return Word(r)
	case "[]int64":
		list := make([]int64, p.Array)
		for i := range list {
			list[i] = r.Int64N(1e6)
		}
		return list
	}
	return Blob(r, p.Blob)
}

// Word returns 12 random letters. Scalar strings have this form.
func Word(r *rand.Rand) string {
	b := make([]byte, 12)
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

// Blob returns n random bytes.
func Blob(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.UintN(256))
	}
	return b
}
