package dynamic

import (
	"errors"
	"strings"

	"github.com/zmylab/zmy/schema"
)

// names says what JSON calls the fields of a struct. Fields go by their numbers.
type names struct {
	c *Codec
	t uint32

	// plain are the names by the rules of encoding/json: fields of embedded structs
	// stand beside the others, and those that are hidden have none.
	plain []string
	inner []*names         // of embedded structs; nil for all others
	paths map[string][]int // from a plain name to the field, through embedded ones

	// lossless are names that all fields have, each its own; embedded structs are
	// fields like others.
	lossless []string
	numbers  map[string]int
}

// Members of lossless JSON that are no fields.
const (
	unknownName  = "$unknown"
	reservedName = "$reserved"
)

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

// nameLossless gives each field its name in JSON or in Go, or its number where
// that one is taken.
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

// candidate is a field that may have a plain name.
type candidate struct {
	n         *names
	field     int
	path      []int
	depth     int
	tagged    bool
	ambiguous bool
}

// level is a struct whose fields stand in the JSON object of the root.
type level struct {
	n    *names
	path []int
}

// nameAll finds the plain names as encoding/json does: level by level of
// embedding; of fields that share a name the one on the highest level has it, of
// several there the only one with a struct tag, else none. Each type counts on its
// highest level only.
func (c *Codec) nameAll(root *names) {
	best := map[string]*candidate{}
	visited := map[uint32]bool{}
	current := []level{{root, nil}}
	for depth := 0; len(current) > 0; depth++ {
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
				path := append(l.path[:len(l.path):len(l.path)], i)
				if in, ok := c.embedded(f); ok {
					l.n.inner[i] = &names{c: c, t: in}
					next = append(next, level{l.n.inner[i], path})
					continue
				}
				if name := f.JSONName(); name != "" && !f.Reserved {
					compete(best, name, &candidate{l.n, i, path, depth, f.JSON != "", count[l.n.t] > 1})
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
	case b == nil, b.depth == x.depth && x.tagged && !b.tagged:
		best[name] = x
	case b.depth == x.depth && x.tagged == b.tagged:
		b.ambiguous = true
	}
}

// embedded is the type of a struct whose fields stand beside f.
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

// maxNames bounds the steps of all paths to names that plain JSON has, summed up
// over all structs: one for each field, and one more for each embedded struct that
// it stands in. Where nothing is embedded a schema block has not a tenth of them.
const maxNames = 1 << 20

// checkNames holds the schema to maxNames: [Codec.nameAll] would take memory for
// each step.
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

// didYouMean finds a name that differs in case only.
func (n *names) didYouMean(name string, lossless bool) string {
	if lossless {
		for have := range n.numbers {
			if strings.EqualFold(have, name) {
				return have
			}
		}
		return ""
	}
	for have := range n.paths {
		if strings.EqualFold(have, name) {
			return have
		}
	}
	return ""
}
