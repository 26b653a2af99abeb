package fit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Values keeps values of a public path with their counts. If there are more different ones than it
// may keep, it keeps those with the smallest hashes, which are a random choice. So the order of
// values, and of merges, does not matter.
type Values struct {
	most  int
	count map[string]uint64
	under uint64 // hashes from here on are no longer kept; 0: all are
	freed int    // bytes of values that were dropped, which a learner may use again
}

// Value is a value with the number of times that it was seen.
type Value struct {
	Value string `json:"v"`
	N     uint64 `json:"n"`
}

// longest is the size of the longest string that is kept as a value, in bytes.
const longest = 4 << 10

func newValues(most int) *Values { return &Values{most: most, count: map[string]uint64{}} }

// add counts n occurrences of s. It reports whether s is new to the kept values.
func (v *Values) add(s string, n uint64) bool {
	if old, ok := v.count[s]; ok {
		v.count[s] = sum(&old, n)
		return false
	}
	if v.refuses(s) {
		return false
	}
	v.count[strings.Clone(s)] = n
	if len(v.count) >= 2*v.most+16 {
		v.prune()
	}
	return true
}

// refuses reports whether a value that is not kept will not be kept.
func (v *Values) refuses(s string) bool { return v.under > 0 && hash(s) >= v.under }

// prune drops the values with the largest hashes until at most v.most are left. A dropped value
// never returns, since its hash is not under the bound, so counts are exact.
func (v *Values) prune() {
	if len(v.count) <= v.most {
		return
	}
	hashes := make([]uint64, 0, len(v.count))
	for s := range v.count {
		hashes = append(hashes, hash(s))
	}
	slices.Sort(hashes)
	v.under = hashes[v.most]
	for s := range v.count {
		if hash(s) >= v.under {
			delete(v.count, s)
			v.freed += valueBytes + len(s)
		}
	}
}

// List returns the values, the most frequent first.
func (v *Values) List() []Value {
	if v == nil {
		return nil
	}
	v.prune()
	out := make([]Value, 0, len(v.count))
	for s, n := range v.count {
		out = append(out, Value{s, n})
	}
	slices.SortFunc(out, func(a, b Value) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Value, b.Value)) })
	return out
}

// All reports whether all values that were seen are kept.
func (v *Values) All() bool { v.prune(); return v.under == 0 }

type valuesJSON struct {
	Most  int     `json:"most"`
	Under uint64  `json:"under,omitempty"`
	List  []Value `json:"list"`
}

// MarshalJSON writes the values.
func (v *Values) MarshalJSON() ([]byte, error) {
	list := v.List()
	return json.Marshal(valuesJSON{v.most, v.under, list})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Values) UnmarshalJSON(text []byte) error {
	var in valuesJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	if in.Most <= 0 || in.Most > 1<<20 {
		return fmt.Errorf("fit: values: most is %d, not within 1 to 1048576", in.Most)
	}
	*v = *newValues(in.Most)
	v.under = in.Under
	for _, x := range in.List {
		v.add(x.Value, x.N)
	}
	return nil
}

// merge adds the values of o.
func (v *Values) merge(o *Values) {
	o.prune()
	v.prune()
	v.most = min(v.most, o.most)
	if o.under > 0 && (v.under == 0 || o.under < v.under) {
		v.under = o.under
	}
	if v.under > 0 {
		for s := range v.count {
			if hash(s) >= v.under {
				delete(v.count, s)
			}
		}
	}
	for s, n := range o.count {
		v.add(s, n)
	}
	v.prune()
}
