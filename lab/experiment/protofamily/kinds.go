package protofamily

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/synthetic"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
)

// One type has a group of fields for each kind. A set of values fills one group and leaves the
// others empty, so one program for each spelling of the schema serves all sets. The message around
// the group costs the same in all of them.

// width is the number of fields in a group; each has a tag of one byte. length is the number of
// elements in a list.
const (
	width  = 15
	length = 64
)

// kind is a kind of fields.
type kind struct {
	name, typ string // Int32, int32
	proto     string // the name of the type in .proto files
	draw      func(r *rand.Rand) any
}

var kinds = []kind{
	{"Int32", "int32", "int32", func(r *rand.Rand) any { return 1 + r.Int32N(1<<20) }},
	{"Int64", "int64", "int64", func(r *rand.Rand) any { return 1 + r.Int64N(1<<34) }},
	{"Uint32", "uint32", "uint32", func(r *rand.Rand) any { return 1 + r.Uint32N(1<<20) }},
	{"Uint64", "uint64", "uint64", func(r *rand.Rand) any { return 1 + r.Uint64N(1<<34) }},
	{"Float", "float32", "float", func(r *rand.Rand) any { return 1 + r.Float32() }},
	{"Double", "float64", "double", func(r *rand.Rand) any { return 1 + r.Float64() }},
	{"Bool", "bool", "bool", func(*rand.Rand) any { return true }},
	{"String", "string", "string", func(r *rand.Rand) any { return synthetic.Word(r) }},
	{"Bytes", "[]byte", "bytes", func(r *rand.Rand) any { return synthetic.Blob(r, 12) }},
}

// lists are the kinds of repeated fields.
var lists = []kind{
	{"Bools", "[]bool", "bool", func(r *rand.Rand) any { return r.IntN(2) == 0 }},
	{"Small", "[]int64", "int64 below 128", func(r *rand.Rand) any { return r.Int64N(128) }},
	{"Large", "[]int64", "int64 of 34 bits", func(r *rand.Rand) any { return 1<<33 + r.Int64N(1<<33) }},
	{"Doubles", "[]float64", "double", func(r *rand.Rand) any { return r.Float64() }},
}

// magnitudes are the sizes of the integers: their number of bits, and whether they are negative.
var magnitudes = []struct {
	name     string
	bits     int
	negative bool
}{
	{"7 bits", 7, false}, {"14 bits", 14, false}, {"28 bits", 28, false}, {"35 bits", 35, false}, {"56 bits", 56, false},
	{"63 bits", 63, false},
	{"6 bits, negative", 6, true}, {"34 bits, negative", 34, true},
}

// entries are the sizes of the maps.
var entries = []int{1, 4, 16, 64, 256}

// texts are the strings that are measured. Each consists of unit, repeated up to a length of bytes.
var texts = []struct {
	name  string
	bytes int
	unit  string
}{
	{"12 bytes of ASCII", 12, "a"}, {"100 bytes of ASCII", 100, "a"}, {"1000 bytes of ASCII", 1000, "a"},
	{"1000 bytes of Cyrillic", 1000, "я"}, {"999 bytes of Chinese", 999, "字"},
}

func kindsSource() string {
	var b, root strings.Builder
	group := func(name, typ string, n int) {
		fmt.Fprintf(&root, "\t%s *K%[1]s `json:\"%s\"`\n", name, strings.ToLower(name))
		fmt.Fprintf(&b, "type K%s struct {\n", name)
		for i := range n {
			fmt.Fprintf(&b, "\tF%d %s `json:\"f%[1]d\"`\n", i, typ)
		}
		b.WriteString("}\n\n")
	}
	for _, k := range kinds {
		group(k.name, k.typ, width)
	}
	for _, k := range lists {
		group(k.name, k.typ, 1)
	}
	group("Map", "map[string]int64", 1)
	return b.String() + "type Kinds struct {\n" + root.String() + "}\n\n"
}

// set is a set of values, with the variants of the schema that are compared on it.
type set struct {
	about, name string
	rows        []string // names of the variants' rows, without "protobuf-"
	draw        func(r *rand.Rand) []byte
	per         float64 // fields, elements or entries in a message
}

// The topics of sets, in their field about.
const (
	aboutPresence = "presence"
	aboutIntegers = "integers"
	aboutLists    = "lists"
	aboutMaps     = "maps"
	aboutTexts    = "texts"
)

// row returns the name of a variant's row.
func row(variant string) string { return family + "-" + variant }

func group(name string, n int, draw func(r *rand.Rand) any) func(r *rand.Rand) []byte {
	return func(r *rand.Rand) []byte {
		g := map[string]any{}
		for i := range n {
			g[fmt.Sprintf("f%d", i)] = draw(r)
		}
		return synthetic.JSON(map[string]any{strings.ToLower(name): g})
	}
}

// sets returns all sets in the order of their tables.
func sets() []set {
	var out []set
	for _, k := range kinds {
		out = append(out, set{aboutPresence, k.proto, []string{"optional", "wrapper"}, group(k.name, width, k.draw), width})
	}
	for _, m := range magnitudes {
		out = append(out, set{aboutIntegers, m.name, []string{"zigzag", "fixed"}, group("Int64", width, func(r *rand.Rand) any {
			v := int64(1)<<(m.bits-1) + r.Int64N(1<<(m.bits-1))
			if m.negative {
				return -v
			}
			return v
		}), width})
	}
	for _, k := range lists {
		out = append(out, set{aboutLists, k.proto, []string{"unpacked"}, group(k.name, 1, func(r *rand.Rand) any {
			list := make([]any, length)
			for i := range list {
				list[i] = k.draw(r)
			}
			return list
		}), length})
	}
	for _, n := range entries {
		out = append(out, set{aboutMaps, fmt.Sprint(n), []string{"deterministic"}, group("Map", 1, func(r *rand.Rand) any {
			m := map[string]any{}
			for len(m) < n {
				m[synthetic.Word(r)] = r.Int64N(1 << 20)
			}
			return m
		}), float64(n)})
	}
	for _, x := range texts {
		out = append(out, set{aboutTexts, x.name, []string{"unchecked"}, group("String", width, func(*rand.Rand) any {
			return strings.Repeat(x.unit, x.bytes/len(x.unit))
		}), width})
	}
	return out
}

// SetLine is what one codec takes for one set of values, in one operation.
type SetLine struct {
	About string       `json:"about"`
	Name  string       `json:"name"`
	Codec string       `json:"codec"`
	Op    string       `json:"op"`
	CPU   run.Estimate `json:"cpu"`   // ns per message
	Ratio run.Estimate `json:"ratio"` // time ÷ that of the plain spelling, in the same rounds
	Wire  float64      `json:"wire"`  // bytes per message
	Per   float64      `json:"per"`   // fields, elements or entries in a message
}

// kinds times the sets, with one program for each spelling of the schema.
func (w *bench) kinds(ctx context.Context, p *synthetic.Package, list []set) error {
	names := []string{base}
	for _, v := range w.res.Names {
		names = append(names, v.Codec)
	}
	// The codecs are judged on a message that has something in every group.
	first := synthetic.Draw(func(r *rand.Rand) []byte { return everything(list, r) }, w.Options().Seed)
	w.UI.Doing("kinds of fields: a program for each spelling")
	t, err := p.Open(ctx, "Kinds", w.table, names, first)
	if err != nil {
		return err
	}
	defer t.Close()
	share := part(w.Budget(), kindsShare/float64(len(list)))
	for i, s := range list {
		w.UI.Doing(fmt.Sprintf("kinds of fields, %d of %d: %s, %s", i+1, len(list), s.about, s.name))
		wanted := func(c *lab.Built) []measure.Cell {
			if variant, _ := strings.CutPrefix(c.Name, row("")); c.Name != base && !slices.Contains(s.rows, variant) {
				return nil
			}
			return experiment.Fresh(c)
		}
		found, err := t.Time(ctx, synthetic.Draw(s.draw, w.Options().Seed+uint64(i)), share, wanted)
		w.res.take(s, found)
		if err != nil {
			return err
		}
	}
	return nil
}

// everything joins one document of every set. If several sets fill the same group, the last one
// wins.
func everything(list []set, r *rand.Rand) []byte {
	var parts []string
	seen := map[string]bool{}
	for i := len(list) - 1; i >= 0; i-- {
		doc := strings.TrimSuffix(strings.TrimPrefix(string(list[i].draw(r)), "{"), "}")
		if name, _, _ := strings.Cut(doc, ":"); !seen[name] {
			seen[name] = true
			parts = append(parts, doc)
		}
	}
	return []byte("{" + strings.Join(parts, ",") + "}")
}

// take stores what was measured on a set.
func (r *Result) take(s set, found []synthetic.Reading) {
	for _, x := range found {
		l := &SetLine{About: s.about, Name: s.name, Codec: x.Codec, Op: x.Op, CPU: x.NS, Wire: x.Wire, Per: s.per}
		plain := experiment.First(found, func(y synthetic.Reading) bool { return y.Codec == base && y.Op == x.Op })
		l.Ratio = synthetic.Against(x.Samples, plain.Samples, 1)
		r.Kinds = append(r.Kinds, l)
	}
}

// at returns the line of a set, a codec and an operation, or nil if it was not measured.
func (r *Result) at(about, name, codec, op string) *SetLine {
	return experiment.First(r.Kinds, func(l *SetLine) bool {
		return l.About == about && l.Name == name && l.Codec == codec && l.Op == op
	})
}

// each returns the time per field, element or entry.
func (l *SetLine) each() run.Estimate {
	return run.Estimate{Median: l.CPU.Median / l.Per, Lo: l.CPU.Lo / l.Per, Hi: l.CPU.Hi / l.Per, N: l.CPU.N}
}

// more returns how much more time a field takes than a plain one. It is computed from the ratio of
// the two, which were measured in the same rounds.
func (l *SetLine) more(plain *SetLine) run.Estimate {
	at := func(ratio float64) float64 { return (ratio - 1) * plain.CPU.Median / l.Per }
	return run.Estimate{Median: at(l.Ratio.Median), Lo: at(l.Ratio.Lo), Hi: at(l.Ratio.Hi), N: l.Ratio.N}
}

// wireEach returns the bytes per field, element or entry. It leaves out the bytes that the outer
// message adds to the group: a tag of one byte, and the group's length.
func (l *SetLine) wireEach() float64 {
	size := 1 // bytes that encode the group's length
	for protowire.SizeVarint(uint64(l.Wire)-1-uint64(size)) > size {
		size++
	}
	return math.Round(100*(l.Wire-1-float64(size))/l.Per) / 100
}
