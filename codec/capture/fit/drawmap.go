package fit

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
)

// mostSlots is the number of different keys up to which a map has a vocabulary.
const mostSlots = 256

// vocabulary is the keys of a map that has few different ones, as records have that are held as maps.
type vocabulary struct {
	slots []slot
	sets  map[int][][]int // by bin of Map.Size: sets of places in slots; nil: any keys go together
}

type slot struct {
	key    string
	weight float64 // share of the maps that have the key
	kind   int     // of the element; anyKind
	due    float64 // of weight, what no set has yet
}

// entries draws the entries of a map.
func (d *Drawer) entries(m *Map, p place, key func(string)) {
	var elem reflect.Type
	if p.typ != nil && p.typ.Kind() == reflect.Map {
		elem = p.typ.Elem()
	}
	below := p.below("[*]", elem)
	taken := map[string]bool{}
	add := func(k string, kind int) {
		if !taken[k] && !d.full() {
			taken[k] = true
			key(k)
			below.name = k
			d.nodeOf(m.Elem, below, kind)
		}
	}
	voc := d.vocabulary(m, below.salt+1)
	if voc == nil {
		for want, tries := m.Size.length(d.r), 0; len(taken) < want && tries < 4*want && !d.full(); tries++ {
			add(d.stringOf(m.Keys, m.Distinct, below.salt+1), anyKind)
		}
	} else {
		d.work += 100 * int64(len(voc.slots))
		for _, s := range voc.draw(d.r, m) {
			add(s.key, s.kind)
		}
	}
	for i := len(taken); i < m.Size.quantile(0) && !d.full(); i++ { // the pool of keys has too few that differ
		add(d.stringOf(m.Keys, nil, below.salt+1), anyKind)
	}
}

// draw draws the keys of one map.
func (v *vocabulary) draw(r *rand.Rand, m *Map) (out []slot) {
	b := m.Size.draw(r)
	places := v.some(r, min(b.At+r.IntN(lengthWidth(b.At)), len(v.slots)))
	if sets := v.sets[b.At]; len(sets) > 0 {
		places = sets[r.IntN(len(sets))]
	}
	for _, at := range places {
		out = append(out, v.slots[at])
	}
	return out
}

// some draws n keys by weighted sampling without replacement (Efraimidis and Spirakis 2006). The odds in
// place of the weight make a key that all maps have nearly sure.
func (v *vocabulary) some(r *rand.Rand, n int) []int {
	return v.first(n, func(s *slot) float64 { return -r.ExpFloat64() * (1.001 - min(s.weight, 1)) / s.weight })
}

// first returns the n keys with the largest order.
func (v *vocabulary) first(n int, order func(*slot) float64) []int {
	by, places := make([]float64, len(v.slots)), make([]int, len(v.slots))
	for i := range v.slots {
		by[i], places[i] = order(&v.slots[i]), i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(by[b], by[a]) })
	return places[:n]
}

// mostSets is the number of different sets of keys up to which they are remembered.
const mostSets = 256

// choose makes the sets of keys, n in all, from large to small. Each takes the keys that lack most to be as
// frequent as they were seen.
func (v *vocabulary) choose(m *Map, n float64) {
	v.sets = map[int][][]int{}
	for i := range v.slots {
		v.slots[i].due = min(v.slots[i].weight, 1)
	}
	for _, b := range slices.Backward(m.Size) {
		share := float64(b.N) / float64(m.N)
		some := max(1, math.Round(n*share))
		if b.At == 0 || some > mostSets || len(v.sets) > mostSets {
			continue
		}
		for i := range int(some) {
			size := min(b.At+lengthWidth(b.At)*i/int(some), len(v.slots))
			set := v.first(size, func(s *slot) float64 { return s.due })
			for _, at := range set {
				v.slots[at].due -= share / some
			}
			v.sets[b.At] = append(v.sets[b.At], set)
		}
	}
}

// vocabulary returns the keys of m, or nil if there are many.
func (d *Drawer) vocabulary(m *Map, salt uint64) *vocabulary {
	voc, ok := d.keys[m]
	if !ok {
		voc = d.vocabularyOf(m, salt)
		d.keys[m] = voc
	}
	return voc
}

func (d *Drawer) vocabularyOf(m *Map, salt uint64) *vocabulary {
	if m.Keys == nil || m.Keys.N == 0 || m.N == 0 {
		return nil
	}
	v := &vocabulary{}
	if m.Keys.Values != nil && m.Keys.Values.All() {
		list := m.Keys.Values.List()
		if len(list) > mostSlots {
			return nil
		}
		for _, x := range list {
			v.slots = append(v.slots, slot{key: x.Value, weight: max(float64(x.N), 1) / float64(m.N), kind: anyKind})
		}
	} else {
		n := max(m.Distinct.Count(), float64(m.Size.Most())) // of few keys, two may share a place in the sketch
		if n < 1 || n > mostSlots || m.Keys.Values != nil {
			return nil
		}
		v.slots = m.Keys.slots(int(math.Round(n)), m.N, salt)
	}
	if m.Elem != nil && m.Kinds.Count() < 1.2*float64(len(v.slots)) {
		v.kinds(m.Elem)
	}
	if sets := m.Sets.Count(); sets > 0 && sets <= mostSets && sets <= 0.7*float64(m.N) {
		v.choose(m, sets)
	}
	return v
}

// slots makes n keys of the lengths and classes of f, for objects objects.
func (f *String) slots(n int, objects, salt uint64) (out []slot) {
	type part struct {
		class string
		bin   Bin
		due   float64
	}
	var parts []part
	for _, class := range slices.Sorted(maps.Keys(f.Classes)) {
		for _, b := range f.Classes[class].Length {
			if b.N > 0 {
				parts = append(parts, part{class, b, float64(n) * float64(b.N) / float64(f.N)})
			}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	// The largest part gets a key, and then the largest part of what is left.
	sizes := make([]int, len(parts))
	for range n {
		most := 0
		for i := range parts {
			if parts[i].due > parts[most].due {
				most = i
			}
		}
		parts[most].due--
		sizes[most]++
	}
	taken := map[string]bool{}
	for i, p := range parts {
		r := rand.New(rand.NewPCG(salt, mix(uint64(p.bin.At)^hash(p.class))))
		for range sizes[i] {
			for range 8 {
				k := f.Classes[p.class].draw(r, p.class, min(p.bin.At+r.IntN(lengthWidth(p.bin.At)), longestDrawn))
				if !taken[k] {
					taken[k] = true
					out = append(out, slot{key: k, weight: float64(p.bin.N) / float64(sizes[i]) / float64(objects), kind: anyKind})
					break
				}
			}
		}
	}
	return out
}

// kinds gives each key the kind of its elements, so that each kind gets its share of all elements: the
// most frequent keys first, each to the kind that lacks most.
func (v *vocabulary) kinds(elem *Node) {
	all, total := 0.0, 0.0
	weights := elem.weights()
	for _, w := range weights {
		all += float64(w)
	}
	places := make([]int, len(v.slots))
	for i := range v.slots {
		places[i] = i
		total += v.slots[i].weight
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(v.slots[b].weight, v.slots[a].weight) })
	var due, given [kinds]float64
	for k, w := range weights {
		due[k] = float64(w) / max(all, 1) * total
	}
	for _, at := range places {
		most := 0
		for k := range due {
			if due[k] > due[most] {
				most = k
			}
		}
		v.slots[at].kind = most
		due[most] -= v.slots[at].weight
		given[most] += v.slots[at].weight
	}
	for i := range v.slots { // the shares are exact, at the cost of those of keys
		s := &v.slots[i]
		s.weight *= (due[s.kind] + given[s.kind]) / given[s.kind]
	}
}
