package drawn

import (
	"fmt"
	"strings"
)

// Files returns the module's files by name, without go.mod and without a function main. The
// variable all has a pointer to a value of each type of Roots. The variable pool has a pointer to a
// value of each type that an interface may hold.
func (m *Module) Files() map[string]string {
	var main, dep strings.Builder
	main.WriteString(fmt.Sprintf(head, "main", "\n\t\"example.org/drawn/dep\"\n\t\"github.com/zmylab/zmy/fxjson\"\n") + mainHead)
	dep.WriteString(fmt.Sprintf(head, "dep", "") + depHead)
	to := func(inDep bool) *strings.Builder {
		if inDep {
			return &dep
		}
		return &main
	}
	for _, l := range m.Leaves {
		to(l.Dep).WriteString(l.source())
	}
	for _, s := range m.Structs {
		to(s.Dep).WriteString(s.source())
		if !s.Dep && !s.Generic {
			fmt.Fprintf(&main, "\ntype Alias%s = %[1]s\n", s.Name)
		}
	}
	main.WriteString("\nvar all = []any{")
	for _, name := range m.Roots() {
		main.WriteString("\n\tnew(" + name + "),")
	}
	main.WriteString("\n}\n\nvar pool = []any{")
	for _, l := range m.Leaves {
		if m.sees(false, l.Dep, l.Name) {
			main.WriteString("\n\tnew(" + m.spell(false, l.Dep, l.Name) + "),")
		}
	}
	for _, s := range m.Structs {
		if !s.Generic && m.sees(false, s.Dep, s.Name) {
			main.WriteString("\n\tnew(" + m.spell(false, s.Dep, s.Name) + "),")
		}
	}
	main.WriteString("\n}\n")
	files := map[string]string{"types.go": main.String() + m.funcs(), "dep/dep.go": dep.String(),
		"twins.go": "package main\n\nvar twins, twinPool []any\n"}
	if m.Tags {
		files["twin/types.go"] = strings.Replace(main.String(), "package main\n", "package twin\n", 1) + "\nvar All, Pool = all, pool\n"
		files["twins.go"] = "package main\n\nimport \"example.org/drawn/twin\"\n\nvar twins, twinPool = twin.All, twin.Pool\n"
	}
	return files
}

// funcs declares marshal and unmarshal functions that do the same as the types' own methods.
func (m *Module) funcs() string {
	var out, in []string
	for _, l := range m.Leaves {
		if !m.sees(false, l.Dep, l.Name) {
			continue
		}
		name := m.spell(false, l.Dep, l.Name)
		if l.Methods["MarshalText"] || l.Methods["*MarshalText"] || l.Methods["UnmarshalText"] || l.Methods["*UnmarshalText"] {
			continue // in an interface with text methods, encoding/json calls these, so functions would not do the same
		}
		if l.Methods["MarshalJSON"] {
			out = append(out, "fxjson.MarshalFunc("+name+".MarshalJSON)")
		}
		if l.Methods["*UnmarshalJSON"] && l.again() {
			in = append(in, "fxjson.UnmarshalFunc(func(b []byte, p *"+name+") error { return p.UnmarshalJSON(b) })")
		}
	}
	return fmt.Sprintf("\nvar marshalers = fxjson.JoinMarshalers(%s)\n\nvar unmarshalers = fxjson.JoinUnmarshalers(%s)\n",
		strings.Join(out, ", "), strings.Join(in, ", "))
}

// Roots returns the types that get generated code, as expressions of package main.
func (m *Module) Roots() (out []string) {
	for _, s := range m.Structs {
		switch {
		case s.Dep:
		case s.Generic:
			out = append(out, s.Name+"[string]")
		default:
			out = append(out, s.Name)
		}
	}
	for i, l := range m.Leaves {
		if !l.Dep && l.Under[0] != '*' && i%3 == 0 {
			out = append(out, l.Name)
		}
	}
	return out
}

func (s *Struct) source() string {
	var b strings.Builder
	b.WriteString("\ntype " + s.Name)
	if s.Generic {
		b.WriteString("[E any]")
	}
	b.WriteString(" struct {\n")
	for _, f := range s.Fields {
		tag := ""
		if f.Tag != "" {
			tag = " `" + f.Tag + "`"
		}
		fmt.Fprintf(&b, "\t%s\n", strings.TrimSpace(f.Name+" "+f.Type+tag))
	}
	b.WriteString("}\n")
	return b.String()
}

// head is the beginning of both packages.
const head = `package %s

import (
	"database/sql"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"net/url"
	"sync"
	"time"
%s)

var (
	_ json.Number
	_ time.Time
	_ big.Int
	_ netip.Addr
	_ url.URL
	_ sync.Mutex
	_ sql.NullString
	_ encoding.TextMarshaler
	_ = fmt.Sprint
)

// outJSON is the JSON of a leaf with the text s.
func outJSON(s string) ([]byte, error) {
	switch n := weight(s); {
	case n%%97 == 0:
		return nil, errors.New("no JSON for " + s)
	case n%%89 == 0:
		return []byte("[1,]"), nil
	case n%%4 == 0:
		return []byte(fmt.Sprintf(" { \"<%%d>\" : [ %%q , null ] } ", n, "x")), nil
	case n%%4 == 1:
		return []byte(fmt.Sprint(n)), nil
	case n%%4 == 2:
		return []byte("null"), nil
	}
	return json.Marshal(s)
}

// outText is the text of a leaf with the text s.
func outText(s string) ([]byte, error) {
	if weight(s)%%97 == 0 {
		return nil, errors.New("no text for " + s)
	}
	return []byte("t<" + s), nil
}

func weight(s string) int {
	n := len(s)
	for i := range len(s) {
		n = n*31 + int(s[i])
	}
	return n & 0xffff
}

// in is the text of what a leaf reads.
func in(b []byte) (string, error) {
	if len(b) > 0 && b[0] == 'f' {
		return "", errors.New("false")
	}
	return string(b), nil
}
`

const mainHead = `
var (
	_ dep.Any
	_ fxjson.Value
)

type Any interface{}

type AnyAlias = any

type Zeroer interface{ IsZero() bool }

type Texter interface {
	MarshalText() ([]byte, error)
	IsZero() bool
}
`

const depHead = `
type Any interface{}
`
