package check

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// OpenEnum is the directive that says of a type that its values are not only its constants.
const OpenEnum = "zmy:open"

// enumeration returns the constants of t if it is an enumeration. A single constant makes none: it
// is a default or a limit. Bits to combine make none, and neither does a type with the directive.
func enumeration(t *ir.Type) (out []ir.JSONValue) {
	if t.Name == nil || slices.ContainsFunc(t.Name.Dirs, func(d string) bool { return d == OpenEnum || strings.HasPrefix(d, OpenEnum+" ") }) {
		return nil
	}
	for _, v := range t.Values {
		text := strconv.FormatInt(v.Number, 10)
		if t.Kind.IsUint() {
			text = strconv.FormatUint(uint64(v.Number), 10)
		}
		out = append(out, ir.JSONValue{Name: v.Name, Text: text})
	}
	for _, s := range t.Texts {
		text, err := json.Marshal(s)
		if err == nil {
			out = append(out, ir.JSONValue{Text: string(text)})
		}
	}
	seen := map[string]bool{}
	out = slices.DeleteFunc(out, func(v ir.JSONValue) bool {
		again := seen[v.Text]
		seen[v.Text] = true
		return again
	})
	if len(out) < 2 || areBits(t.Values) {
		return nil
	}
	return out
}

// areBits reports whether constants are meant to be combined: three or more, and each a power of
// two, or zero.
func areBits(values []ir.Value) bool {
	n := 0
	for _, v := range values {
		if v.Number < 0 || v.Number&(v.Number-1) != 0 {
			return false
		}
		if v.Number > 0 {
			n++
		}
	}
	return n > 2
}

// names makes the names of the contract's types differ: a type of another package gets the name of
// its package in front, and if that does not help, a number is appended.
func (c *contractor) names() {
	count := map[string]int{}
	for _, t := range c.out.Types {
		count[t.Name]++
	}
	taken := map[string]bool{}
	own := func(t *ir.JSONType) bool { return t.Type.Name == nil || t.Type.Name.Pkg == c.pkg }
	for _, mine := range []bool{true, false} {
		for _, t := range c.out.Types {
			if own(t) != mine {
				continue
			}
			if n := t.Type.Name; !mine && count[t.Name] > 1 && n.PkgName != "" {
				t.Name = ir.Title(strings.ReplaceAll(n.PkgName, "_", "")) + t.Name
			}
			t.Name = ir.Fresh(t.Name, "", func(name string) bool { return taken[name] })
			taken[t.Name] = true
		}
	}
}
