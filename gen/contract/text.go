package contract

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/internal/locktext"
)

const (
	header = "# zmy.json.lock: what the JSON of this package's types looks like. Commit it.\n# zmy lock -json brings it up to date, " +
		"zmy breaking -json compares the source with it.\n"
	version = "zmyjson 1"
)

// Text returns the file's content. Each type has a paragraph and each member a line of its own, so
// that git merges the additions of two branches as it merges source.
//
//	surface all
//
//	root Order Order
//
//	object Order
//		id ID string
//		items Items []Item null
//		note Note string omitempty
//
//	enum State string
//		"paid"
//
//	methods Money writes=MarshalText reads=UnmarshalText
func (f *File) Text() []byte {
	var b strings.Builder
	b.WriteString(header + version + "\n\n")
	if f.Surface == nil {
		b.WriteString("surface all\n")
	} else {
		b.WriteString("surface " + quoted(f.Surface...) + "\n")
	}
	for _, r := range f.Roots {
		b.WriteString("root " + quoted(r.Name, r.Form) + "\n")
	}
	for _, t := range f.Types {
		b.WriteString("\n" + t.head() + "\n")
		for i := range t.Members {
			b.WriteString("\t" + t.Members[i].line() + "\n")
		}
		for _, v := range t.Values {
			b.WriteString("\t" + strings.TrimRight(strconv.Quote(v.Text)+" "+v.Name, " ") + "\n")
		}
	}
	return []byte(b.String())
}

func (t *Type) head() string {
	s := string(t.Kind) + " " + quoted(t.Name)
	add := func(name, value string) {
		if value != "" {
			s += " " + name + quoted(value)
		}
	}
	add("", t.Form)
	add("writes=", t.Writes)
	add("reads=", t.Reads)
	add("of=", t.Of)
	add("rest=", t.Rest)
	return s
}

func (m *Member) line() string {
	s := quoted(m.Name, m.Go, m.Form)
	for _, w := range m.flags() {
		if *w.on {
			s += " " + w.name
		}
	}
	if m.Decimals >= 0 {
		s += fmt.Sprintf(" decimals=%d", m.Decimals)
	}
	return s
}

type flag struct {
	name string
	on   *bool
}

// flags returns the words of a member that are there or not.
func (m *Member) flags() []flag {
	return []flag{{"null", &m.Null}, {"omitempty", &m.Empty}, {"omitzero", &m.Zero}, {"missing", &m.Missing}, {"string", &m.Quoted},
		{"required", &m.Required}}
}

// quoted returns words in one line. Those that would be read as an option or a comment have quotation
// marks, too.
func quoted(words ...string) string {
	out := make([]string, len(words))
	for i, s := range words {
		if out[i] = locktext.Quote(s); strings.Contains(s, "=") || strings.HasPrefix(s, "#") {
			out[i] = strconv.Quote(s)
		}
	}
	return strings.Join(out, " ")
}
