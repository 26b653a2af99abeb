package realtypes

import (
	"fmt"
	"slices"
	"strings"
)

// The goals of the table. LeastFxJSON and LeastZMY are percentages of all types.
const (
	LeastTypes   = 40
	LeastModules = 30
	LeastFxJSON  = 95
	LeastZMY     = 80
)

// Allowance is a type that a codec is known not to carry. Why is a part of the reason in the
// result. The type still does not count as carried.
type Allowance struct{ Name, Codec, Why string }

// Allowed lists the types that are known not to be carried.
var Allowed = []Allowance{
	{"matrix", "zmy", "a message is a struct, not slice"},
	{"otlp", "zmy", "v1.AnyValue"}, // a struct with only an interface field, which only its own package can name
}

// Unmet returns the goals that the results miss, over all types of the list. Each of these misses a
// goal: a type without a result, a baseline that is not ranked, sizes beyond Within and Spread, a
// wrong claim, a type that is not carried and has no allowance, an allowance that is not needed,
// and too few types, modules or carried types.
func Unmet(list []*Type, results []*Result, allowed []Allowance) (unmet []string) {
	miss := func(format string, args ...any) { unmet = append(unmet, fmt.Sprintf(format, args...)) }
	modules, used := map[string]bool{}, map[Allowance]bool{}
	fx, zmy := 0, 0
	for _, t := range list {
		i := slices.IndexFunc(results, func(r *Result) bool { return r.Name == t.Name })
		if i < 0 {
			miss("%s has no result: make realtypes TYPES=%s", t.Name, t.Name)
			continue
		}
		r := results[i]
		modules[r.Module] = true
		if r.Never == "" && !r.Default.Ranked {
			miss("%s: std-json is not ranked on generated values: %s", r.Name, r.Default.Failed)
		}
		if r.Never == "" && !r.Sample.Ranked {
			miss("%s: std-json is not ranked on documents: %s", r.Name, r.Sample.Failed)
		}
		if r.Never == "" && !r.Sized() {
			miss("%s: generated values are %s bytes, mean %.0f", r.Name, sizes(r), r.Default.Mean)
		}
		for _, w := range r.Wrong {
			miss("%s: the lab is wrong: %s", r.Name, w)
		}
		for _, c := range []struct {
			codec string
			got   Adopted
		}{{"fxjson", r.FxJSON}, {"zmy", r.ZMY}} {
			if a, ok := allowance(allowed, r.Name, c.codec, c.got.Why); ok {
				used[a] = true
			} else if !c.got.Carried {
				miss("%s: %s does not carry it: %s", r.Name, c.codec, oneLine(c.got.Why))
			}
		}
		fx, zmy = fx+one(r.FxJSON.Carried), zmy+one(r.ZMY.Carried)
	}
	for _, a := range allowed {
		if !used[a] {
			miss("%s: nothing needs the allowance that %s does not carry it since %q", a.Name, a.Codec, a.Why)
		}
	}
	if len(list) < LeastTypes || len(modules) < LeastModules {
		miss("%d types of %d modules, not %d of %d", len(list), len(modules), LeastTypes, LeastModules)
	}
	n := max(1, len(list))
	if fx*100 < LeastFxJSON*n {
		miss("fxjson carries %d of %d, not %d%%", fx, len(list), LeastFxJSON)
	}
	if zmy*100 < LeastZMY*n {
		miss("ZMY carries %d of %d, not %d%%", zmy, len(list), LeastZMY)
	}
	return unmet
}

// allowance finds the allowance for a reason.
func allowance(allowed []Allowance, name, codec, why string) (Allowance, bool) {
	for _, a := range allowed {
		if a.Name == name && a.Codec == codec && why != "" && strings.Contains(why, a.Why) {
			return a, true
		}
	}
	return Allowance{}, false
}
