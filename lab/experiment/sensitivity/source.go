package sensitivity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// field is one field of a synthetic type.
type field struct{ name, typ string }

// levels are the fields of each level of p, the outermost first.
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

// source declares the type of p, called name, and those of its levels.
func (p *Point) source(name string) string {
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

// document draws a value of p as JSON.
func (p *Point) document(r *rand.Rand) []byte {
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
	out, err := json.Marshal(doc)
	if err != nil {
		panic(err) // numbers, texts, bytes
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
		return word(r)
	case "[]int64":
		list := make([]int64, p.Array)
		for i := range list {
			list[i] = r.Int64N(1e6)
		}
		return list
	}
	blob := make([]byte, p.Blob)
	for i := range blob {
		blob[i] = byte(r.UintN(256))
	}
	return blob
}

// word is a text of 12 letters, which is what scalar strings are.
func word(r *rand.Rand) string {
	b := make([]byte, 12)
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

// Documents of one point: at most so many, and so many bytes of them.
const (
	mostDocuments = 64
	mostText      = 4 << 20
)

// documents draws values of p, one a line, and says how many.
func documents(draw func(*rand.Rand) []byte, seed uint64) ([]byte, int) {
	r := rand.New(rand.NewPCG(seed, 0x73656e73)) // "sens"
	var b bytes.Buffer
	n := 0
	for n < mostDocuments && (n < 2 || b.Len() < mostText) {
		b.Write(draw(r))
		b.WriteByte('\n')
		n++
	}
	return b.Bytes(), n
}

// The three ways to write a field whose value may be missing, for what they cost.
var costs = []struct{ name, title, typ string }{
	{"CostPlain", "plain", "%s"},
	{"CostOptional", "optional: a pointer", "*%s"},
	{"CostWrapper", "wrapper: a struct with one field", "%sWrap"},
}

// costFields is how many fields the types of costs have, half int64, half strings.
const costFields = 16

func costSource() string {
	var b strings.Builder
	b.WriteString("type int64Wrap struct {\n\tValue int64 `json:\"value\"`\n}\n\ntype stringWrap struct {\n\tValue string `json:\"value\"`\n}\n\n")
	for _, c := range costs {
		fmt.Fprintf(&b, "type %s struct {\n", c.name)
		for i := range costFields {
			fmt.Fprintf(&b, "\tF%d %s `json:\"f%d\"`\n", i, fmt.Sprintf(c.typ, costType(i)), i)
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}

func costType(i int) string {
	if i%2 == 0 {
		return "int64"
	}
	return "string"
}

// costDocument draws a value of the k-th way.
func costDocument(k int) func(*rand.Rand) []byte {
	return func(r *rand.Rand) []byte {
		m := map[string]any{}
		for i := range costFields {
			var v any = r.Int64N(1e9)
			if costType(i) == "string" {
				v = word(r)
			}
			if costs[k].name == "CostWrapper" {
				v = map[string]any{"value": v}
			}
			m[fmt.Sprintf("f%d", i)] = v
		}
		out, err := json.Marshal(m)
		if err != nil {
			panic(err) // numbers and texts
		}
		return out
	}
}

// packageSource is a Go file of package synthetic with all types.
func packageSource(types []Point) string {
	var b strings.Builder
	for i := range types {
		b.WriteString(types[i].source(typeName(i)))
	}
	b.WriteString(costSource())
	head := "package synthetic\n\n"
	if strings.Contains(b.String(), "time.Time") {
		head += "import \"time\"\n\n"
	}
	return head + b.String()
}

func typeName(i int) string { return fmt.Sprintf("T%d", i) }
