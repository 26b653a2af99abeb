package lint

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// Rule is one rule of the lint.
type Rule struct {
	Name string
	Doc  string // one line: what it finds, and why that hurts
	Off  bool   // not run by default: its findings are correct, but often intended
	// Exactly one of these is set. whole is called once for the package, each for each of its types
	// that messages reach, and field for each of their fields that is not reserved.
	whole func(x *pass)
	each  func(x *pass, t *ir.ZMYType)
	field func(x *pass, t *ir.ZMYType, f *ir.ZMYField)
}

// Rules returns all rules.
func Rules() []Rule {
	return []Rule{
		{Name: "no-lock", Doc: "the package has messages and no zmy.lock: nothing notices changes that break them", whole: noLock},
		{Name: "stale-lock", Doc: "zmy.lock does not have what is new: taking it away again would not be noticed", whole: staleLock},
		{Name: "json-mismatch", Doc: "a field is hidden from JSON but travels in messages, or the other way round", each: jsonMismatch},
		{Name: "reserved-dropped", Doc: "reserved fields of a struct without a field zmy.Unknown: what older programs wrote in them " +
			"is lost when the struct is written again", each: reservedDropped},
		{Name: "deprecated-mismatch", Doc: "a field is deprecated by its comment or by its struct tag, not by both: Go's tools read " +
			"the one, schemas the other", field: deprecatedMismatch},
		{Name: "sentinel", Doc: "a constant that looks like a count or a bound is recorded as a value: the next value would change it",
			each: sentinel},
		{Name: "too-large", Doc: "an array alone exceeds the limit of messages, so that values other than zero are refused", field: tooLarge},
		{Name: "fat-list", Doc: "elements that take few bytes in a message and many in memory: readers refuse long lists of them by " +
			"their budget, though the message is within its limit", field: fatList},
		{Name: "zone-lost", Doc: "a time without option zone reads back in UTC", Off: true, field: zoneLost},
		{Name: "nil-element", Doc: "a list or map of pointers to structs: an element that is nil is an error when the message is " +
			"written", Off: true, field: nilElement},
	}
}

// Select returns the rules that a list names. Its items are names of rules, "default" for the rules
// that run by default, and "all". A minus before an item removes its rules.
func Select(list string) ([]Rule, error) {
	all := Rules()
	on := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		name, off := strings.CutPrefix(strings.TrimSpace(name), "-")
		known := name == "all" || name == "default"
		for _, r := range all {
			if r.Name == name || name == "all" || name == "default" && !r.Off {
				on[r.Name], known = !off, true
			}
		}
		if !known {
			return nil, fmt.Errorf("there is no rule %q", name)
		}
	}
	var out []Rule
	for _, r := range all {
		if on[r.Name] {
			out = append(out, r)
		}
	}
	return out, nil
}
