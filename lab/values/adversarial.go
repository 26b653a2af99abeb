package values

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sort"
)

// Case is a value that breaks codecs: a plain one in which some places are changed.
type Case[T any] struct {
	Name  string   // "float64 NaN"
	Paths []string // where it was changed: Items[0].Price; "." for the whole value
	Value *T
}

// Where names the places of a case: the only one, or the first and how many follow.
func (c *Case[T]) Where() string {
	if n := len(c.Paths) - 1; n > 0 {
		return fmt.Sprintf("%s and %d more", c.Paths[0], n)
	}
	return c.Paths[0]
}

// maxHalves is how many cases one extreme may give beyond those that it starts with, where a
// codec refuses cases of several places.
const maxHalves = 24

// Adversarial calls try with the cases that T has room for: the zero value, all nil, and for each kind of place in T its extremes (see extremes.go). Each extreme goes
// to the first place of its kind alone, then to all others of the kind at once, since a codec
// may treat each field in its own way. Where try reports that such a case was refused, each
// half of its places becomes a case: one place that is refused hides no other. The cases fill
// the capability matrix and are no part of the gate. Every call gives the same cases, which
// share no memory.
func Adversarial[T any](try func(c *Case[T]) (taken bool)) error {
	nilled, err := Dense[T]()
	if err != nil {
		return err
	}
	clearRefs(reflect.ValueOf(&nilled).Elem())
	try(&Case[T]{"zero", []string{"."}, new(T)})
	try(&Case[T]{"all nil", []string{"."}, &nilled})
	extremes(func() *T { v, _ := Dense[T](); return &v }, func(c *Case[T], _ func()) bool { return try(c) })
	return nil
}

// Places is the number of kinds of places in v that have extremes.
func Places[T any](v *T) int { return len(kindsOfPlaces(v)) }

// Around calls try with the extremes that v has room for, each put into v and taken back
// afterwards, and with v whose references are all nil. It is Adversarial for types whose
// dense value a codec, or a method of the type, refuses.
func Around[T any](v *T, try func(c *Case[T]) (taken bool)) {
	nilled := *v
	clearRefs(reflect.ValueOf(&nilled).Elem())
	try(&Case[T]{"all nil", []string{"."}, &nilled})
	extremes(func() *T { return v }, func(c *Case[T], undo func()) bool {
		defer undo()
		return try(c)
	})
}

// extremes calls try with one case after another, made of what fresh returns. undo puts a
// case's places back.
func extremes[T any](fresh func() *T, try func(c *Case[T], undo func()) bool) {
	for i, kind := range kindsOfPlaces(fresh()) {
		for _, c := range kind.changes {
			halves := maxHalves
			for _, todo := range kind.groups(c.most) {
				for todo := []group{todo}; len(todo) > 0; todo = todo[1:] {
					v, g := fresh(), todo[0]
					if paths, undo := g.put(kindsOfPlaces(v)[i], c); try(&Case[T]{c.name, paths, v}, undo) || len(g.at) == 1 || halves <= 0 {
						continue
					}
					todo = append(todo, group{g.level, g.at[:len(g.at)/2]}, group{g.level, g.at[len(g.at)/2:]})
					halves -= 2
				}
			}
		}
	}
}

// Dense makes the value that cases start from: nothing in it is nil. Every call returns the same.
func Dense[T any]() (v T, err error) {
	f := newFiller(rand.New(rand.NewPCG(1, 1)), hints{})
	f.dense = true
	f.fill(reflect.ValueOf(&v).Elem(), hint{})
	if f.err != nil {
		err = fmt.Errorf("values: %s: %w", reflect.TypeFor[T](), f.err)
	}
	return v, err
}

// clearRefs sets every slice, map, pointer and interface that v holds to nil.
func clearRefs(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		if v.CanSet() {
			v.SetZero()
		}
	case reflect.Array:
		for i := range v.Len() {
			clearRefs(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			clearRefs(v.Field(i))
		}
	}
}

// place is a place in a value that can be changed.
type place struct {
	path string
	typ  reflect.Type
	was  reflect.Value
	put  func(reflect.Value)
}

// placeKind are all places of one kind. The places of a level hold none of one another, but
// some of the next level's.
type placeKind struct {
	name    string
	changes []change
	levels  [][]place
}

// group is some places of one level, by their indexes.
type group struct {
	level int
	at    []int
}

// groups are the places that one extreme is put into at once, at most so many: the first place
// alone, then all others.
func (k *placeKind) groups(most int) (out []group) {
	for level, places := range k.levels {
		var at []int
		for i := range places {
			at = append(at, i)
		}
		if level == 0 {
			out, at = append(out, group{0, at[:1]}), at[1:]
		}
		for most > 0 && len(at) > most {
			out, at = append(out, group{level, at[:most]}), at[most:]
		}
		if len(at) > 0 {
			out = append(out, group{level, at})
		}
	}
	return out
}

// put makes the change at the group's places.
func (g group) put(k *placeKind, c change) (paths []string, undo func()) {
	var old []reflect.Value
	for _, i := range g.at {
		p := k.levels[g.level][i]
		was := reflect.New(p.typ).Elem()
		was.Set(p.was)
		p.put(c.to(p.typ))
		paths, old = append(paths, p.path), append(old, was)
	}
	return paths, func() {
		for n, i := range g.at {
			k.levels[g.level][i].put(old[n])
		}
	}
}

// finder collects the places of each kind.
type finder struct {
	byName map[string]*placeKind
	found  []*placeKind
	inside map[*placeKind]int // in how many places of a kind the visit is
}

func kindsOfPlaces[T any](v *T) []*placeKind {
	f := finder{byName: map[string]*placeKind{}, inside: map[*placeKind]int{}}
	rv := reflect.ValueOf(v).Elem()
	f.visit(rv, "", rv.Set)
	return f.found
}

// maxElements is in how many elements of a list or map extremes are put.
const maxElements = 64

// visit records v, then what is in it. put replaces v in its place.
func (f *finder) visit(v reflect.Value, path string, put func(reflect.Value)) {
	var in []*placeKind
	for _, c := range classesOf(v.Type()) {
		k := f.byName[c.name]
		if k == nil {
			k = &placeKind{name: c.name, changes: c.changes}
			f.byName[c.name], f.found = k, append(f.found, k)
		}
		at, level := path, f.inside[k]
		if at == "" {
			at = "."
		}
		if level == len(k.levels) {
			k.levels = append(k.levels, nil)
		}
		k.levels[level] = append(k.levels[level], place{at, v.Type(), v, put})
		in = append(in, k)
		f.inside[k]++
	}
	if !isWhole(v.Type()) {
		f.visitParts(v, path, put)
	}
	for _, k := range in {
		f.inside[k]--
	}
}

func (f *finder) visitParts(v reflect.Value, path string, put func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			f.visit(v.Elem(), path, v.Elem().Set)
		}
	case reflect.Struct:
		f.visitStruct(v, path, put)
	case reflect.Slice:
		for i := range min(v.Len(), maxElements) {
			f.visit(v.Index(i), fmt.Sprintf("%s[%d]", path, i), v.Index(i).Set)
		}
	case reflect.Array:
		c := settableCopy(v)
		for i := range min(c.Len(), maxElements) {
			f.visit(c.Index(i), fmt.Sprintf("%s[%d]", path, i), func(x reflect.Value) { c.Index(i).Set(x); put(c) })
		}
	case reflect.Map:
		keys := sortedKeys(v)
		for _, k := range keys[:min(len(keys), maxElements)] {
			f.visit(v.MapIndex(k), fmt.Sprintf("%s[%#v]", path, k), func(x reflect.Value) { v.SetMapIndex(k, x) })
		}
	}
}

func (f *finder) visitStruct(v reflect.Value, path string, put func(reflect.Value)) {
	c := settableCopy(v)
	for i := range c.NumField() {
		sf := c.Type().Field(i)
		if !c.Field(i).CanSet() {
			continue
		}
		name := sf.Name
		if path != "" {
			name = path + "." + name
		}
		f.visit(c.Field(i), name, func(x reflect.Value) { c.Field(i).Set(x); put(c) })
	}
}

// settableCopy is v itself where it can be set, as outside of maps, else a copy.
func settableCopy(v reflect.Value) reflect.Value {
	if v.CanSet() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	sort.Slice(keys, func(i, j int) bool { return fmt.Sprint(keys[i]) < fmt.Sprint(keys[j]) })
	return keys
}
