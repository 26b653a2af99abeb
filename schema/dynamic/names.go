package dynamic

import (
	"errors"
	"maps"
	"strings"

	"github.com/zmylab/zmy/schema"
)

// names has the names in JSON of a struct's fields. Slices are indexed by field number.
type names struct {
	c *Codec
	t uint32

	// plain has the names by the rules of encoding/json. Fields of embedded structs are members of
	// the outer object. Hidden fields have no name.
	plain []string
	inner []*names         // names of embedded structs; nil for other fields
	paths map[string][]int // from a plain name to the numbers of the fields that lead to it

	// lossless has a unique name for each field. Embedded structs are fields like others.
	lossless []string
	numbers  map[string]int
}

// Members of lossless JSON that are not fields.
const (
	unknownName  = "$unknown"
	reservedName = "$reserved"
)

// namesOf returns the names of struct i. Goroutines that make them at the same time make the same
// names, and one of the results is kept.
func (c *Codec) namesOf(i int) *names {
	if n := c.names[i].Load(); n != nil {
		return n
	}
	n := &names{c: c, t: uint32(i)}
	c.nameAll(n)
	c.nameLossless(&c.s.Types[i], n)
	c.names[i].CompareAndSwap(nil, n)
	return c.names[i].Load()
}

// nameLossless gives each field its name in JSON or, if it has none, its Go name. It appends # and
// the field number if the name is taken.
func (c *Codec) nameLossless(t *schema.Type, n *names) {
	n.lossless = make([]string, len(t.Fields))
	n.numbers = make(map[string]int, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Reserved {
			continue
		}
		name := f.JSONName()
		if name == "" {
			name = f.Name
		}
		for _, taken := n.numbers[name]; taken || name == "" || name == unknownName || name == reservedName; _, taken = n.numbers[name] {
			name += "#" + itoa(i)
		}
		n.lossless[i], n.numbers[name] = name, i
	}
}

// candidate is a field that competes for a plain name.
type candidate struct {
	n         *names
	field     int
	path      []int // one step for each level of embedding
	tagged    bool
	ambiguous bool
}

// level is a struct whose fields are members of the root's JSON object.
type level struct {
	n    *names
	path []int
}

// nameAll finds the plain names as encoding/json does. It goes through the levels of embedding. If
// fields share a name, the one on the outermost level gets the name. If several of them are on that
// level, the only one with a struct tag gets it, else none. A type that occurs on several levels
// counts only on the outermost one.
func (c *Codec) nameAll(root *names) {
	best := map[string]*candidate{}
	visited := map[uint32]bool{}
	for current := []level{{root, nil}}; len(current) > 0; {
		var next []level
		count := map[uint32]int{}
		for _, l := range current {
			count[l.n.t]++
		}
		for _, l := range current {
			t := &c.s.Types[l.n.t]
			l.n.plain, l.n.inner = make([]string, len(t.Fields)), make([]*names, len(t.Fields))
			if visited[l.n.t] {
				continue
			}
			visited[l.n.t] = true
			for i := range t.Fields {
				f := &t.Fields[i]
				path := append(l.path[:len(l.path):len(l.path)], i) // a copy: the fields of l share l.path
				if in, ok := c.embedded(f); ok {
					l.n.inner[i] = &names{c: c, t: in}
					next = append(next, level{l.n.inner[i], path})
					continue
				}
				if name := f.JSONName(); name != "" && !f.Reserved {
					compete(best, name, &candidate{l.n, i, path, f.JSON != "", count[l.n.t] > 1})
				}
			}
		}
		current = next
	}
	root.paths = make(map[string][]int, len(best))
	for name, b := range best {
		if !b.ambiguous {
			b.n.plain[b.field], root.paths[name] = name, b.path
		}
	}
}

func compete(best map[string]*candidate, name string, x *candidate) {
	switch b := best[name]; {
	case b == nil, len(b.path) == len(x.path) && x.tagged && !b.tagged:
		best[name] = x
	case len(b.path) == len(x.path) && x.tagged == b.tagged:
		b.ambiguous = true
	}
}

// embedded returns the type of the struct that f embeds, if the fields of that struct are members
// of the outer JSON object.
func (c *Codec) embedded(f *schema.Field) (uint32, bool) {
	if !f.Embedded || f.Reserved {
		return 0, false
	}
	i := f.Type
	if t := &c.s.Types[i]; t.Kind == schema.Opt {
		i = t.Elem
	}
	return i, c.s.Types[i].Kind == schema.Struct
}

// maxNames limits the steps in all paths of plain names, summed over all structs. A path has one
// step for the field, and one for each embedded struct around it. If nothing is embedded, a schema
// block has room for less than a tenth of this.
const maxNames = 1 << 20

// checkNames checks that the schema stays within maxNames. [Codec.nameAll] takes memory for each
// step.
func (c *Codec) checkNames() error {
	left := maxNames
	for i := range c.s.Types {
		if c.s.Types[i].Kind != schema.Struct {
			continue
		}
		visited := map[uint32]bool{}
		for depth, current := 1, []uint32{uint32(i)}; len(current) > 0; depth++ {
			var next []uint32
			for _, t := range current {
				fields := c.s.Types[t].Fields
				if left -= depth * (1 + len(fields)); left < 0 {
					return errNames
				}
				if visited[t] {
					continue
				}
				visited[t] = true
				for j := range fields {
					if in, ok := c.embedded(&fields[j]); ok {
						next = append(next, in)
					}
				}
			}
			current = next
		}
	}
	return nil
}

var errNames = errors.New("zmy: dynamic: structs embed each other too often: JSON would have too many names")

// didYouMean returns a name that differs from the given one only in case, or "".
func (n *names) didYouMean(name string, lossless bool) string {
	names := maps.Keys(n.paths)
	if lossless {
		names = maps.Keys(n.numbers)
	}
	for have := range names {
		if strings.EqualFold(have, name) {
			return have
		}
	}
	return ""
}
