package lock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/internal/locktext"
	"github.com/zmylab/zmy/schema"
)

const (
	header = "# zmy.lock: what the messages of this package look like. Commit it.\n# zmy lock brings it up to date, zmy " +
		"breaking compares the source with it.\n"
	version = "zmylock 1"
)

// Text returns the file's content. Each type has a paragraph and each field a line of its own, so
// that git merges the additions of two branches as it merges source.
//
//	struct Order lineage=2f64a8a1c1d4a3b7
//		0 ID string json=id
//		1 Items []Item
//		2 Old int64 reserved
//
//	enum Status int32
//		0 Pending
//		1 Paid
//
//	union Shape
//		1 Circle
func (f *File) Text() []byte {
	var b strings.Builder
	b.WriteString(header + version + "\n")
	for _, t := range f.Types {
		b.WriteString("\n" + t.head() + "\n")
		for i := range t.Fields {
			b.WriteString("\t" + t.Fields[i].line(t.Kind) + "\n")
		}
		for _, v := range t.Values {
			fmt.Fprintf(&b, "\t%d %s\n", v.Number, v.Name)
		}
	}
	return []byte(b.String())
}

// keyword returns the first word of a type's paragraph.
func (t *Type) keyword() string {
	switch {
	case t.Kind == schema.Union:
		return "union"
	case t.Kind != schema.Struct:
		return "enum"
	case t.Sparse:
		return "sparse"
	}
	return "struct"
}

func (t *Type) head() string {
	words := []string{t.keyword(), locktext.Quote(t.Name)}
	add := func(on bool, word string) {
		if on {
			words = append(words, word)
		}
	}
	add(t.keyword() == "enum", t.Kind.String())
	add(t.Lineage != 0, fmt.Sprintf("lineage=%016x", t.Lineage))
	add(t.Deprecated, "deprecated")
	for _, l := range limits(&t.Limits) {
		add(*l.value != 0, fmt.Sprintf("%s=%d", l.name, *l.value))
	}
	return strings.Join(words, " ")
}

type limit struct {
	name  string
	value *uint32
}

func limits(l *schema.Limits) []limit {
	return []limit{{"maxwire", &l.MaxWire}, {"maxraw", &l.MaxRaw}, {"maxdepth", &l.MaxDepth}}
}

func (f *Field) line(kind schema.Kind) string {
	name := f.Name
	if name == "" {
		name = "-"
	}
	words := []string{strconv.FormatUint(uint64(f.Number), 10), locktext.Quote(name)}
	add := func(on bool, word string) {
		if on {
			words = append(words, word)
		}
	}
	add(kind == schema.Struct, locktext.Quote(f.Type))
	add(f.JSON != "", "json="+locktext.Quote(f.JSON))
	add(f.Inline, "inline")
	add(f.Embedded, "embedded")
	add(f.Deprecated, "deprecated")
	add(f.Reserved && !f.Words, "reserved")
	add(f.Reserved && f.Words, fmt.Sprintf("reserved=%d", f.Size))
	return strings.Join(words, " ")
}
