package values

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
)

// NOTE: fill tries, in this order, the user's sampler, types of the standard library (known.go),
// declared constants (constant.go), types of sync/atomic, the type's own form (spelt.go), and only
// then the kind. A type that has meaning as a whole must not be filled field by field: the fields
// of a time.Time, or of a decimal, exclude one another.
//
// All draws come from one source, in a fixed order. If a branch draws once more, or in another
// order, every later part of every value changes, and runs with the same seed can no longer be
// compared.
//
// A part that cannot be made does not end the value. It counts as unmade, and the pointer, list or
// map entry around it is left out. A dense value (see Dense) is filled by the same functions, with
// nothing left out.

// lore is what the fillers of one maker share: the user's wishes, and what was found out about
// types and names. Values do not depend on the order in which it was found out.
type lore struct {
	hints hints
	own   samplers            // the user's sample functions, by type
	named map[string][]string // declared constants, by type
	forms spellers            // which forms types with their own form read
	thinning
}

func newLore() lore { return lore{hints: hints{}, forms: spellers{}, thinning: thinnings[0]} }

// filler fills one value. It draws in the order of fields, indices and keys, never in the order of
// a Go map, so that a seed always gives the same value.
type filler struct {
	lore
	r     *rand.Rand
	zipf  *rand.Zipf // draws indices of the vocabulary
	path  []string
	open  map[reflect.Type]int // nesting of each type being filled, so that recursion ends
	nodes int                  // structs and maps made so far, so that branching ends
	dense bool                 // leave no field nil everywhere, for the value from which adversarial cases start
	held  map[fieldOf]int      // in a dense value, how often each field was filled
	// unmade counts values that could not be made, for example because no form was found that their
	// type reads. The pointer, slice or map entry that would hold such a value is left out.
	unmade int
	depth  int // nesting of structs being filled, from 1
	spent  int // approximate size of the drawn parts as JSON, in bytes
	err    error
}

func newFiller(r *rand.Rand, l lore) *filler {
	return &filler{lore: l, r: r, zipf: rand.NewZipf(r, 1.2, 4, uint64(len(words)-1)), open: map[reflect.Type]int{}}
}

// Bounds on one value.
const (
	maxOpen  = 3     // nesting of one recursive type
	maxNodes = 5_000 // beyond it, slices, maps and pointers stay nil
	maxHeld  = 2     // in a dense value, how often one field refers to structs, per type and level
)

// fieldOf is a field of a struct type at a level: how deep structs of that type are nested.
type fieldOf struct {
	t     reflect.Type
	i     int
	level int
}

// enough reports whether a field that refers to structs was filled often enough. Without this
// limit, a dense value of types that refer to each other would repeat itself for megabytes, and
// reach its size limit before its last fields.
func (f *filler) enough(at fieldOf) bool {
	return f.dense && f.held[at] >= maxHeld && refersToStruct(at.t.Field(at.i).Type)
}

// refersToStruct reports whether t is a pointer, list or map that leads to structs.
func refersToStruct(t reflect.Type) bool {
	refers := false
	for range 8 { // enough to see through [][]*T; ends for type L []L
		switch {
		case isWhole(t):
			return false
		case t.Kind() == reflect.Struct:
			return refers
		case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
			refers = true
		case t.Kind() != reflect.Array:
			return false
		}
		t = t.Elem()
	}
	return false
}

func (f *filler) fail(format string, args ...any) {
	if f.err == nil {
		at := strings.TrimPrefix(strings.Join(f.path, ""), ".")
		if at == "" {
			at = "the value itself"
		}
		f.err = fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...))
	}
}

// under fills a part of the value, whose name is added to the path in errors.
func (f *filler) under(name string, v reflect.Value, h hint) {
	f.path = append(f.path, name)
	f.fill(v, h)
	f.path = f.path[:len(f.path)-1]
}

// fill fills v, which must be settable. h is the hint from its name.
func (f *filler) fill(v reflect.Value, h hint) {
	if f.err != nil {
		return
	}
	if f.sampled(v) || f.known(v, h) || f.constant(v) {
		f.spend(v)
		return
	}
	if f.fillAtomic(v, h) {
		return
	}
	if !spellsItself(v.Type()) {
		f.fillRead(v, h)
		f.mend(v)
		return
	}
	before := f.spent
	f.fillSpelt(v, h)
	if f.spent == before {
		f.spend(v)
	}
}

// sampled fills v with the user's sampler for its type, if there is one. Dense values do not use
// samplers, since adversarial cases need every part filled.
func (f *filler) sampled(v reflect.Value) bool {
	s, ok := f.own[v.Type()]
	if !ok || f.dense || !v.CanSet() {
		return false
	}
	s.fill(f.r, v)
	return true
}

// fillKind fills v by its kind alone. Only leaves are charged to the size of the value here;
// structs and lists are charged by their parts.
func (f *filler) fillKind(v reflect.Value, h hint) {
	if k := v.Kind(); k < reflect.Array || k == reflect.String {
		defer f.spend(v)
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.drawBool(h))
	case reflect.String:
		v.SetString(f.drawString(h))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(f.drawInt(h, v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n := f.drawInt(h, min(v.Type().Bits()+1, 64))
		v.SetUint(uint64(max(n, -n)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(f.drawFloat(h))
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(f.drawFloat(h), f.drawFloat(h)))
	case reflect.Struct:
		f.fillStruct(v)
	case reflect.Pointer:
		f.fillPointer(v, h)
	case reflect.Slice:
		f.fillSlice(v, h)
	case reflect.Array:
		f.fillArray(v, h)
	case reflect.Map:
		f.fillMap(v, h)
	case reflect.Interface:
		if v.NumMethod() == 0 { // the generator knows no value for an interface with methods
			v.Set(reflect.ValueOf(f.drawOf(f.drawKind(0), h, 0)))
		}
	} // channels and functions stay nil, since no codec carries them
}

// fillStruct fills the settable fields in their order, and the promoted ones of embedded structs.
// It fails only if the whole value has no such field; a part of that kind stays zero, and Untested
// names it.
func (f *filler) fillStruct(v reflect.Value) {
	t := v.Type()
	f.nodes++
	f.depth++
	f.open[t]++
	defer func() { f.open[t]--; f.depth-- }()
	visible := false
	for i := range t.NumField() {
		sf, fv := t.Field(i), v.Field(i)
		switch {
		case sf.Name == "_":
		case fv.CanSet() && f.enough(fieldOf{t, i, f.open[t]}):
			visible = true
		case fv.CanSet() && f.absent(&sf):
			visible = true
			if !omitted(&sf) {
				f.spent += len(sf.Name) + 8
			}
		case fv.CanSet():
			visible = true
			f.spent += len(sf.Name) + 4
			if unwritable(&sf) {
				f.unmade++ // JSON cannot write this: leave out the part around it
			}
			f.field(&sf, fv, f.hints.of(sf.Name, t.Name()))
			if f.dense && !fv.IsZero() {
				f.held[fieldOf{t, i, f.open[t]}]++
			}
		case sf.Anonymous && sf.Type.Kind() == reflect.Struct:
			visible = true // its exported fields are promoted
			f.under("."+sf.Name, fv, hint{})
		case sf.Anonymous:
			visible = true // reflect cannot set a pointer to an unexported type
		}
	}
	if !visible && t.NumField() > 0 && !isLock(t) && len(f.path) == 0 { // parts stay zero, see Untested
		f.fail("type %s has unexported fields only and reads neither text nor JSON; "+
			"let the package make its values (func SampleT(*rand.Rand) T)", t)
	}
	f.dropInvalid(v)
}

// field fills a field. A field that JSON leaves out may be a logger or a pool of connections. If no
// value can be made for it, it stays zero, and that is no failure.
func (f *filler) field(sf *reflect.StructField, v reflect.Value, h hint) {
	before, unmade := f.err, f.unmade
	f.under("."+sf.Name, v, h)
	if sf.Tag.Get("json") != "-" {
		return
	}
	if f.err != before || f.unmade > unmade {
		v.SetZero()
	}
	f.err, f.unmade = before, unmade
}

// fillAtomic stores a value in a type of package sync/atomic. atomic.Value, which holds any type,
// stays empty.
func (f *filler) fillAtomic(v reflect.Value, h hint) bool {
	if v.Type().PkgPath() != "sync/atomic" || !v.CanAddr() || !v.CanSet() {
		return false
	}
	store := v.Addr().MethodByName("Store")
	if !store.IsValid() || store.Type().In(0).Kind() == reflect.Interface {
		return false
	}
	x := reflect.New(store.Type().In(0)).Elem()
	f.fill(x, h)
	store.Call([]reflect.Value{x})
	return true
}

// isLock reports whether t holds no data of the user's, or is of package sync/atomic.
func isLock(t reflect.Type) bool {
	return t.PkgPath() == "sync" || t.PkgPath() == "sync/atomic"
}

// dropInvalid clears X of a nullable pair {X, Valid bool}, as in database/sql, if Valid is false.
// In a dense value it sets Valid instead.
func (f *filler) dropInvalid(v reflect.Value) {
	if v.NumField() != 2 || v.Type().Field(1).Name != "Valid" || v.Field(1).Kind() != reflect.Bool {
		return
	}
	if f.dense && v.Field(1).CanSet() {
		v.Field(1).SetBool(true)
	}
	if !v.Field(1).Bool() && v.Field(0).CanSet() {
		v.Field(0).SetZero()
	}
}

// full reports whether another value of type t would go too deep or grow too large.
func (f *filler) full(t reflect.Type) bool {
	if f.nodes >= maxNodes || f.spent >= mostSpent && !f.dense {
		return true
	}
	for range 8 { // enough to see through [][]*T; ends for type L []L
		if f.open[t] >= maxOpen {
			return true
		}
		if k := t.Kind(); k != reflect.Pointer && k != reflect.Slice && k != reflect.Map && k != reflect.Array {
			return false
		}
		t = t.Elem()
	}
	return false
}

// fillPointer leaves one pointer in eight nil, and more often one that would recurse.
func (f *filler) fillPointer(v reflect.Value, h hint) {
	t := v.Type().Elem()
	rare := !h.element && !f.dense && (f.chance(12) || f.open[t] > 0 && f.chance(40))
	_, own := f.own[t]
	if rare || f.full(t) || !own && mute(t) {
		return
	}
	f.open[v.Type()]++
	p := reflect.New(t)
	unmade := f.unmade
	f.fill(p.Elem(), h)
	f.open[v.Type()]--
	if !h.element && (f.unmade > unmade || writesNull(p)) {
		f.unmade = unmade
		return
	}
	v.Set(p)
}

// fillSlice fills a slice, unless the list would be too deep. The elements are hinted by the
// singular of the name. If one of them cannot be made, the whole slice stays nil, since elements
// are never nil.
func (f *filler) fillSlice(v reflect.Value, h hint) {
	t := v.Type()
	if f.full(t.Elem()) {
		return
	}
	if isBytes(t) {
		if b := f.drawBytes(h); b != nil {
			v.SetBytes(b)
			f.spend(v)
		}
		return
	}
	n := f.length()
	if n == 0 && h.element {
		n = 1
	}
	if n == 0 {
		return
	}
	f.open[t]++
	unmade := f.unmade
	s := reflect.MakeSlice(t, n, n)
	for i := range n {
		f.under("["+strconv.Itoa(i)+"]", s.Index(i), h.single())
	}
	f.open[t]--
	if f.unmade == unmade && settled(s) {
		v.Set(s)
	}
	f.unmade = unmade
}

// settled reports whether no element of s had to stay nil because the value became too deep. If one
// had to, the slice is better left out.
func settled(s reflect.Value) bool {
	if !nilable(s.Type().Elem()) {
		return true
	}
	for i := range s.Len() {
		if s.Index(i).IsNil() {
			return false
		}
	}
	return true
}

// fillArray fills an array. Bytes are random. If the name or the type says that they are a UUID,
// the version and variant bits of a UUID are set.
func (f *filler) fillArray(v reflect.Value, h hint) {
	if v.Type().Elem().Kind() != reflect.Uint8 {
		for i := range v.Len() {
			f.under("["+strconv.Itoa(i)+"]", v.Index(i), h.single())
		}
		return
	}
	for i := range v.Len() {
		v.Index(i).SetUint(uint64(f.r.UintN(256)))
	}
	if v.Len() == 16 && (h.last() == "id" || h.has("uuid", "guid") || strings.EqualFold(v.Type().Name(), "uuid")) {
		v.Index(6).SetUint(v.Index(6).Uint()&0x0F | 0x40)
		v.Index(8).SetUint(v.Index(8).Uint()&0x3F | 0x80)
	}
}

// fillMap fills a map. String keys come from the vocabulary of attributes, and each key is the name
// by which its value is drawn.
func (f *filler) fillMap(v reflect.Value, h hint) {
	t := v.Type()
	n := f.length()
	if h.element {
		n = max(n, 1)
	}
	if n == 0 || f.full(t.Elem()) {
		return
	}
	f.nodes++
	f.open[t]++
	defer func() { f.open[t]-- }()
	m := reflect.MakeMapWithSize(t, n)
	for range n {
		k, e := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		unmade := f.unmade
		f.entry(k, e, h)
		if f.err != nil {
			return
		}
		if f.unmade > unmade {
			f.unmade = unmade
			continue
		}
		if nilable(e.Type()) && e.IsNil() || !k.Comparable() {
			continue
		}
		m.SetMapIndex(k, e)
	}
	if m.Len() > 0 {
		v.Set(m)
	}
}

// nilable reports whether t has the value nil. Channels and functions are left out: they are nil in
// every drawn value.
func nilable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		return true
	}
	return false
}

// entry draws one key and its element.
func (f *filler) entry(k, e reflect.Value, h hint) {
	eh := h.single()
	switch {
	case f.constant(k):
		if k.Kind() == reflect.String {
			eh = f.hints.of(k.String(), "")
			eh.element = true
		}
	case k.Kind() == reflect.String && !spellsItself(k.Type()):
		key := f.keyFor(e.Type())
		if e.Kind() == reflect.Interface && e.NumMethod() == 0 {
			var val any
			key, val = f.drawPair(0)
			e.Set(reflect.ValueOf(val))
			k.SetString(key)
			return
		}
		k.SetString(key)
		eh = f.hints.of(key, "")
		eh.element = true
	default:
		f.under("[key]", k, hint{element: true})
	}
	f.under("[*]", e, eh)
}

// length draws the length of a slice or map: usually 1 to 4, sometimes 0, at most 12. In types with
// many optional parts, deeper lists are shorter.
func (f *filler) length() int {
	if !f.dense && f.chance(8) {
		return 0
	}
	n, most, more := 1, 12, int(62*math.Sqrt(f.frequency()))
	if f.dense {
		most = 3
	}
	for n < most && f.chance(more) {
		n++
	}
	return n
}

// chance returns true in the given percentage of draws.
func (f *filler) chance(percent int) bool { return f.r.IntN(100) < percent }
