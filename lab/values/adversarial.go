package values

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
)

// NOTE: finder walks a dense value and records its places by class (extremes.go). Two places are of
// one kind if the same extremes fit them. around then puts each extreme into groups of places,
// calls try, and takes the extreme back, so that all cases share one value.
//
// Places of one kind may contain one another, as a list of lists does. They are of different levels
// then, and a group has places of one level only: a change of the outer place would replace the
// inner one.
//
// Values in arrays, maps and interfaces cannot be set in place. put functions therefore form a
// chain: each one sets a copy, and then puts the copy into the value around it.

// Case is a value that may break a codec: a plain value with some places changed.
type Case[T any] struct {
	Name  string   // "float64 NaN"
	Paths []string // the changed places: Items[0].Price; "." for the whole value
	Value *T
	Plain bool // an ordinary program may have such a value: a list of 16, the number 255
}

// Where names the places of a case: the only one, or the first and the number of others.
func (c *Case[T]) Where() string {
	if n := len(c.Paths) - 1; n > 0 {
		return fmt.Sprintf("%s and %d more", c.Paths[0], n)
	}
	return c.Paths[0]
}

// maxHalves bounds the additional cases of one extreme that come from splitting cases which a codec
// refused.
const maxHalves = 64

// maxAgain is the same bound for cases whose places a codec has refused before, each alone.
const maxAgain = 8

// maxGroups is the largest number of groups that spread makes of the first places of all types. For
// the other places it is the bound too, unless change.groups is set. It matters for extremes that
// take much memory: those with change.most set.
const maxGroups = 8

// Adversarial calls try with cases of T: the zero value, a value with all references nil, and the
// extremes of each kind of place in T (see extremes.go). Each extreme is first put into the first
// place of its kind alone, and then into all others at once, since a codec may treat each field in
// its own way. If try reports that such a case was refused, the places are split and each part
// becomes a case, so that one refused place does not hide others. The cases fill the capability
// matrix and do not decide whether a codec is measured. Every call gives the same cases. A case's
// value is valid until try returns.
func Adversarial[T any](try func(c *Case[T]) (taken bool)) error {
	v, err := Dense[T]()
	if err != nil {
		return err
	}
	try(&Case[T]{Name: "zero", Paths: []string{"."}, Value: new(T)})
	Around(&v, try)
	return nil
}

// Places returns the number of kinds of places in v that have extremes.
func Places[T any](v *T) int { return len(kindsOfPlaces(v, false)) }

// PlacesBehind is like Places, but counts only the places that Behind reaches.
func PlacesBehind[T any](v *T) int { return len(kindsOfPlaces(v, true)) }

// Around calls try with v after setting all its references to nil, and then with each extreme that
// fits v, put into v and removed afterwards. It does the work of Adversarial for types whose dense
// value is refused by a codec or by a method of the type.
func Around[T any](v *T, try func(c *Case[T]) (taken bool)) {
	nilled := *v
	clearRefs(reflect.ValueOf(&nilled).Elem())
	try(&Case[T]{Name: "all nil", Paths: []string{"."}, Value: &nilled})
	around(v, kindsOfPlaces(v, false), try)
}

// Behind is like Around, but only for places in structs that interfaces of v hold. A dense value
// has no such places, since the generator knows no type to put into an interface.
func Behind[T any](v *T, try func(c *Case[T]) (taken bool)) {
	around(v, kindsOfPlaces(v, true), try)
}

// around puts every change into the groups of every kind. If try refuses a group of several places,
// the group is split and its parts are tried later, up to a bound. Places that were refused alone
// have a bound of their own: a codec that refuses a type refuses it for most extremes, and would
// use up the bound of the others.
func around[T any](v *T, kinds []*placeKind, try func(c *Case[T]) (taken bool)) {
	for _, kind := range kinds {
		for _, c := range kind.changes {
			halves := map[bool]int{false: maxHalves, true: maxAgain}
			todo := kind.groups(c)
			for len(todo) > 0 {
				places := todo[0]
				todo = todo[1:]
				again := kind.refused[places[0].path]
				paths, undo := put(places, c)
				if len(paths) == 0 {
					undo()
					continue // the type has no such value
				}
				taken := try(&Case[T]{c.name, paths, v, c.plain})
				undo()
				if !taken && len(places) == 1 {
					kind.refused[places[0].path] = true
				}
				if !taken && len(places) > 1 && halves[again] > 0 {
					parts := apart(places)
					todo = append(todo, parts...)
					halves[again] -= len(parts)
				}
			}
		}
	}
}

// Dense returns the value that cases start from. Nothing in it is nil, except references to structs
// of a type that it already has several of. Every call returns the same value.
func Dense[T any]() (v T, err error) {
	f := newFiller(rand.New(rand.NewPCG(1, 1)), newLore())
	f.dense, f.held = true, map[fieldOf]int{}
	return v, fillWhole(f, &v)
}

// clearRefs sets every slice, map, pointer and interface in v to nil. It does not follow them.
func clearRefs(v reflect.Value) {
	switch k := v.Kind(); {
	case nilable(v.Type()):
		if v.CanSet() {
			v.SetZero()
		}
	case k == reflect.Array:
		for i := range v.Len() {
			clearRefs(v.Index(i))
		}
	case k == reflect.Struct:
		for i := range v.NumField() {
			clearRefs(v.Field(i))
		}
	}
}

// place is a part of a value that can be replaced.
type place struct {
	path string
	typ  reflect.Type
	was  reflect.Value
	put  func(reflect.Value)
	// keeps reports whether the value around the place keeps what was put in, if the type of that
	// value has its own JSON form. It is nil if there is no such type around the place.
	keeps func() bool
}

// placeKind holds all places of one kind. Places of one level do not contain one another, but may
// contain places of the next level.
type placeKind struct {
	name    string
	changes []change
	levels  [][]place
	refused map[string]bool // paths of places that a codec refused alone; they are tried apart from the others
}

// groups returns the groups of places that one extreme is put into together: the first place alone,
// then all others, then those that were refused before.
func (k *placeKind) groups(c change) (out [][]place) {
	for level, places := range k.levels {
		if level == 0 {
			out, places = append(out, places[:1]), places[1:]
		}
		var others, again []place
		for _, p := range places {
			if k.refused[p.path] {
				again = append(again, p)
			} else {
				others = append(others, p)
			}
		}
		out = append(append(out, c.parts(others)...), c.parts(again)...)
	}
	return out
}

// parts divides places into groups that do not take too much memory. The groups with the first
// place of each type come first, since codecs may treat each type differently. Of the other places
// it may use only some.
func (c *change) parts(places []place) (out [][]place) {
	if len(places) == 0 {
		return nil
	}
	if c.most == 0 || len(places) <= c.most {
		return [][]place{places}
	}
	firsts, others := byFirst(places)
	return append(c.spread(firsts, maxGroups), c.spread(others, cmp.Or(c.groups, maxGroups))...)
}

// spread returns at most the given number of groups, spread evenly over places.
func (c *change) spread(places []place, groups int) (out [][]place) {
	groups = min(groups, (len(places)+c.most-1)/c.most)
	for n := range groups {
		from := n * len(places) / groups
		out = append(out, places[from:min(from+c.most, (n+1)*len(places)/groups)])
	}
	return out
}

// byFirst separates the first place of each type from the others.
func byFirst(places []place) (firsts, others []place) {
	met := map[reflect.Type]bool{}
	for _, p := range places {
		if met[p.typ] {
			others = append(others, p)
		} else {
			firsts, met[p.typ] = append(firsts, p), true
		}
	}
	return firsts, others
}

// apart splits places by type, since a type may refuse a value for its own reasons. If all have the
// same type, it splits them into halves.
func apart(places []place) (out [][]place) {
	byType := map[reflect.Type]int{}
	for _, p := range places {
		if _, ok := byType[p.typ]; !ok {
			byType[p.typ], out = len(out), append(out, nil)
		}
		i := byType[p.typ]
		out[i] = append(out[i], p)
	}
	if len(out) == 1 {
		out = [][]place{places[:len(places)/2], places[len(places)/2:]}
	}
	return out
}

// put makes the change at each place, and takes it back where the type around the place does not
// keep it. undo restores all places.
func put(places []place, c change) (paths []string, undo func()) {
	old := make([]reflect.Value, len(places))
	for i, p := range places {
		old[i] = reflect.New(p.typ).Elem()
		old[i].Set(p.was)
		x := c.at(&p)
		if !x.IsValid() {
			continue
		}
		p.put(x)
		if p.keeps == nil || p.keeps() {
			paths = append(paths, p.path)
		} else {
			p.put(old[i])
		}
	}
	return paths, func() {
		for i, p := range slices.Backward(places) { // two may be the same place, reached by two pointers
			p.put(old[i])
		}
	}
}

// finder collects the places of each kind in a value.
type finder struct {
	byName map[string]*placeKind
	found  []*placeKind
	inside map[*placeKind]int // how many places of a kind the visit is in
	keeps  func() bool        // place.keeps of the places being visited
	own    map[string]bool    // kinds that already have a place with keeps; to call keeps is slow
	member bool               // the next visit is of an element
	behind bool               // record only places inside interfaces
	held   int                // number of interfaces that the visit is in
	met    map[reference]bool // pointers that were followed, so that cycles end
}

// reference is a pointer with its type: a struct and its first field have the same address.
type reference struct {
	at  uintptr
	typ reflect.Type
}

func kindsOfPlaces[T any](v *T, behind bool) []*placeKind {
	f := finder{byName: map[string]*placeKind{}, inside: map[*placeKind]int{}, behind: behind, met: map[reference]bool{}}
	rv := reflect.ValueOf(v).Elem()
	f.visit(rv, "", rv.Set)
	return f.found
}

// maxElements is the number of elements of a list or map that get extremes: the first and the last
// ones.
const maxElements = 64

// ends returns the first and last indices below n, at most maxElements.
func ends(n int) (out []int) {
	for i := range n {
		if i < maxElements/2 || i >= n-maxElements/2 {
			out = append(out, i)
		}
	}
	return out
}

// madeOfFields reports whether a struct's own form is a JSON object, which its methods probably
// make from its fields. Other forms may grow with the numbers in the fields: a decimal with the
// exponent 2^31 takes two gigabytes as text.
func madeOfFields(v reflect.Value) bool {
	doc, ok := ownForm(v)
	return ok && len(doc) > 2 && doc[0] == '{'
}

// keepsItself reports whether v survives a round trip through its own form unchanged.
func keepsItself(v reflect.Value) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	again := reflect.New(v.Type())
	doc, ok := ownForm(v)
	return ok && reread(again, doc) && reflect.DeepEqual(v.Interface(), again.Elem().Interface())
}

// visit records v and then its parts. put replaces v in its place.
func (f *finder) visit(v reflect.Value, path string, put func(reflect.Value)) {
	var in []*placeKind
	member := f.member
	f.member = false
	for _, c := range classesOf(v.Type()) {
		if member && c.name == "pointer" {
			continue // the list already has an extreme with a nil element
		}
		if f.behind && f.held == 0 {
			continue
		}
		if f.keeps != nil {
			if f.own[c.name] {
				continue
			}
			f.own[c.name] = true
		}
		k := f.byName[c.name]
		if k == nil {
			k = &placeKind{name: c.name, changes: c.changes, refused: map[string]bool{}}
			f.byName[c.name], f.found = k, append(f.found, k)
		}
		at, level := path, f.inside[k]
		if at == "" {
			at = "."
		}
		if level == len(k.levels) {
			k.levels = append(k.levels, nil)
		}
		k.levels[level] = append(k.levels[level], place{at, v.Type(), v, put, f.keeps})
		in = append(in, k)
		f.inside[k]++
	}
	switch t := v.Type(); {
	case !isWhole(t):
		f.visitParts(v, path, put)
	case t.Kind() == reflect.Struct && t.PkgPath() != "math/big" && t != timeType && f.keeps == nil:
		if c := settableCopy(v); madeOfFields(c) {
			f.keeps, f.own = func() bool { return keepsItself(c) }, map[string]bool{}
			f.visitFields(c, path, func() { put(c) })
			f.keeps = nil
		}
	}
	for _, k := range in {
		f.inside[k]--
	}
}

// visitParts visits what v consists of or refers to. Paths are spelled as a Go programmer would
// write them: path[0] is an element, path["key"] an entry of a map, and the target of a pointer has
// the pointer's path.
func (f *finder) visitParts(v reflect.Value, path string, put func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if r := (reference{v.Pointer(), v.Type()}); !v.IsNil() && !f.met[r] {
			f.met[r] = true
			f.visit(v.Elem(), path, v.Elem().Set)
		}
	case reflect.Interface:
		f.visitHeld(v.Elem(), path, put)
	case reflect.Struct:
		c := settableCopy(v)
		f.visitFields(c, path, func() { put(c) })
	case reflect.Slice:
		for _, i := range ends(v.Len()) {
			f.member = true
			f.visit(v.Index(i), fmt.Sprintf("%s[%d]", path, i), v.Index(i).Set)
		}
	case reflect.Array:
		c := settableCopy(v)
		for _, i := range ends(c.Len()) {
			f.visit(c.Index(i), fmt.Sprintf("%s[%d]", path, i), func(x reflect.Value) { c.Index(i).Set(x); put(c) })
		}
	case reflect.Map:
		keys := sortedKeys(v)
		for n, i := range ends(len(keys)) {
			e := &entry{of: v, key: keys[i]}
			at := fmt.Sprintf("%s[%#v]", path, e.key)
			f.member = true
			f.visit(v.MapIndex(e.key), at, func(x reflect.Value) { v.SetMapIndex(e.key, x) })
			if n == 0 {
				f.visitKey(e, at)
			}
		}
	}
}

// visitHeld visits the value in an interface if it is a struct or a pointer to one. Other values
// are covered by the extremes of the interface itself.
func (f *finder) visitHeld(v reflect.Value, path string, put func(reflect.Value)) {
	to := v
	if v.Kind() == reflect.Pointer {
		to = v.Elem()
	}
	if to.Kind() != reflect.Struct || to.Type() == timeType || to.Type().PkgPath() == "math/big" {
		return
	}
	f.held++
	if v.Kind() == reflect.Pointer {
		f.visitParts(v, path, put)
	} else {
		f.visit(settableCopy(v), path, put)
	}
	f.held--
}

// visitFields visits the settable fields of a struct, and those that an embedded struct promotes.
// done puts the struct back into its place.
func (f *finder) visitFields(c reflect.Value, path string, done func()) {
	for i := range c.NumField() {
		sf, field := c.Type().Field(i), c.Field(i)
		name := sf.Name
		if path != "" {
			name = path + "." + name
		}
		switch {
		case field.CanSet():
			f.visit(field, name, func(x reflect.Value) { field.Set(x); done() })
		case sf.Anonymous && field.Kind() == reflect.Struct:
			f.visitFields(field, name, done)
		}
	}
}

// settableCopy returns v itself if it can be set, else a copy. Elements of maps cannot be set.
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
