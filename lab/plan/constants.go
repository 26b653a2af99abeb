package plan

import (
	"slices"
	"strconv"

	"github.com/zmylab/zmy/gen/ir"
)

// constants returns the declared constants of the types that a value of t may hold, as text, by
// import path and name: "example.com/shop.Status". It leaves out types whose constants are no
// enumeration.
func constants(t *ir.Type) map[string][]string {
	out := map[string][]string{}
	seen := map[*ir.Type]bool{}
	var walk func(t *ir.Type)
	walk = func(t *ir.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		if n := t.Name; n != nil && len(n.Args) == 0 {
			if list := listed(t); len(list) > 1 {
				out[n.Pkg+"."+n.Name] = list
			}
		}
		walk(t.Key)
		walk(t.Elem)
		for _, f := range t.Fields {
			walk(f.Type)
		}
	}
	walk(t)
	return out
}

// listed returns the values that a type's constants enumerate, each once.
func listed(t *ir.Type) (out []string) {
	if len(t.Texts) > 0 {
		return slices.Compact(slices.Sorted(slices.Values(t.Texts)))
	}
	if !enumerates(t.Values) {
		return nil
	}
	for _, v := range t.Values {
		text := strconv.FormatInt(v.Number, 10)
		if t.Kind >= ir.Uint && t.Kind <= ir.Uint64 {
			text = strconv.FormatUint(uint64(v.Number), 10)
		}
		out = append(out, text)
	}
	return slices.Compact(out)
}

// enumerates reports whether the numbers lie close together or are consecutive powers of two, as
// codes and flags do. Other constants are units, limits and defaults (KB, MB, MaxSize): a value may
// lie anywhere between them.
func enumerates(list []ir.Value) bool {
	if len(list) == 0 {
		return false
	}
	least, most, bits := list[0].Number, list[0].Number, 0
	for _, v := range list {
		least, most = min(least, v.Number), max(most, v.Number)
		if v.Number > 0 && v.Number&(v.Number-1) == 0 {
			bits++
		}
	}
	if least >= 0 && bits > 0 && bits >= len(list)-1 && most == int64(1)<<(bits-1) {
		return true
	}
	return most-least >= 0 && most-least <= 16*int64(len(list))+16
}
