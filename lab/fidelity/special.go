package fidelity

import (
	"encoding"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"regexp"
	"sync"
	"time"
	"unicode/utf8"
)

// NOTE: the comparison asks a type's own methods where its fields do not decide. Equal comes first,
// as the author's word on what is the same. Otherwise the forms that the type writes are compared.
// A form that changes from call to call, for instance with the order of a map, proves nothing and
// is skipped.

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	bigIntType   = reflect.TypeFor[big.Int]()
	bigFloatType = reflect.TypeFor[big.Float]()
	bigRatType   = reflect.TypeFor[big.Rat]()
	rawType      = reflect.TypeFor[json.RawMessage]()
	numberType   = reflect.TypeFor[json.Number]()
	syncMapType  = reflect.TypeFor[sync.Map]()
	locationType = reflect.TypeFor[time.Location]()
)

// special compares values of types whose meaning is more than their exported fields. It reports
// whether a and b were such values.
func (w *walker) special(a, b reflect.Value) bool {
	if !a.CanInterface() || !b.CanInterface() {
		return false
	}
	switch a.Type() {
	case timeType:
		w.walkTime(a.Interface().(time.Time), b.Interface().(time.Time))
	case bigIntType:
		if pointer(a).(*big.Int).Cmp(pointer(b).(*big.Int)) != 0 {
			w.changed(a, b)
		}
	case bigRatType:
		if pointer(a).(*big.Rat).Cmp(pointer(b).(*big.Rat)) != 0 {
			w.changed(a, b)
		}
	case bigFloatType:
		w.walkBigFloat(a, b)
	case rawType:
		return w.walkRaw(a, b)
	case numberType:
		return w.walkNumber(a, b)
	case locationType: // a Location caches its last look-up, so its fields may differ
		if x, y := locationText(pointer(a).(*time.Location)), locationText(pointer(b).(*time.Location)); x != y {
			w.add(Lossy, "value", x, y)
		}
	case syncMapType:
		w.walk(entries(a), entries(b))
	default:
		if a.Kind() == reflect.Struct {
			return w.walkAtomic(a, b) || shapeOf(a.Type()).opaque && w.walkOwn(a, b)
		}
		return w.walkNamed(a, b)
	}
	return true
}

// locationText returns the name of a zone and its offsets in two winters and two summers.
func locationText(l *time.Location) string {
	text := l.String()
	for _, at := range []int64{0, 15_724_800, 1_704_067_200, 1_719_792_000} {
		text += time.Unix(at, 0).In(l).Format(" -07:00:00")
	}
	return text
}

// entries returns the entries of a sync.Map as a map[any]any.
func entries(v reflect.Value) reflect.Value {
	all := map[any]any{}
	pointer(v).(*sync.Map).Range(func(key, value any) bool {
		all[key] = value
		return true
	})
	return reflect.ValueOf(all)
}

// walkNamed compares values of a named type that has a method Equal(T) bool and is no struct, such
// as net.IP, whose addresses have two lengths. If Equal calls them equal although their parts
// differ, that is normalised.
func (w *walker) walkNamed(a, b reflect.Value) bool {
	if !comparesItself(a.Type()) {
		return false
	}
	if equal, ok := callEqual(a, b); !ok || !equal {
		return false
	}
	parts := newWalker(w.opt)
	if parts.parts(a, b); Grade(parts.diffs) != GradeLossy {
		return false
	}
	w.add(Normalised, "equal by its method", render(a), render(b))
	return true
}

// walkAtomic compares the values that types of package sync/atomic hold.
func (w *walker) walkAtomic(a, b reflect.Value) bool {
	if a.Type().PkgPath() != "sync/atomic" {
		return false
	}
	x, y := reflect.ValueOf(pointer(a)).MethodByName("Load"), reflect.ValueOf(pointer(b)).MethodByName("Load")
	if !x.IsValid() || x.Type().NumIn() != 0 || x.Type().NumOut() != 1 {
		return false
	}
	w.walk(x.Call(nil)[0], y.Call(nil)[0])
	return true
}

// pointer returns a pointer to v, or to a shallow copy if v is not addressable.
func pointer(v reflect.Value) any {
	if v.CanAddr() {
		return v.Addr().Interface()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

// walkTime compares two times: the instant is the value; the zone and the monotonic clock are form.
func (w *walker) walkTime(a, b time.Time) {
	if a == b { // most times are equal in zone and clock too
		return
	}
	x, y := a.String(), b.String()
	switch {
	case !a.Equal(b):
		w.add(Lossy, "instant", timeText(a), timeText(b))
	case a.Round(0).String() != b.Round(0).String():
		w.add(Normalised, "time zone", timeText(a), timeText(b))
	case x != y:
		w.add(Normalised, "monotonic clock", x, y)
	case a.Location().String() != b.Location().String():
		w.add(Normalised, "location", timeText(a)+" "+a.Location().String(), timeText(b)+" "+b.Location().String())
	}
}

func timeText(t time.Time) string { return t.Format("2006-01-02T15:04:05.999999999Z07:00") }

// walkBigFloat compares two floats. A change of precision is normalised if the value stayed equal.
func (w *walker) walkBigFloat(a, b reflect.Value) {
	x, y := pointer(a).(*big.Float), pointer(b).(*big.Float)
	switch {
	case x.Cmp(y) != 0 || x.Signbit() != y.Signbit():
		w.changed(a, b)
	case x.Prec() != y.Prec():
		w.add(Normalised, "precision", bigFloatText(x), bigFloatText(y))
	case x.Mode() != y.Mode():
		w.add(Normalised, "rounding mode", x.Mode().String(), y.Mode().String())
	}
}

// walkRaw looks for raw JSON that has other bytes and the same meaning; an empty RawMessage means
// null. If it finds that, it adds a normalised difference and returns true. Otherwise the caller
// compares the bytes.
func (w *walker) walkRaw(a, b reflect.Value) bool {
	x, y := a.Bytes(), b.Bytes()
	switch {
	case len(x) == 0 && string(y) == "null", len(y) == 0 && string(x) == "null":
		w.add(Normalised, "no message is null", render(a), render(b))
	case len(x) == 0 || len(y) == 0 || string(x) == string(y) || noText(x) || noText(y) || !sameRaw(x, y):
		return false
	default:
		w.add(Normalised, "same JSON", render(a), render(b))
	}
	return true
}

var (
	surrogates    = regexp.MustCompile(`(?i)\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}`)
	loneSurrogate = regexp.MustCompile(`(?i)\\ud[89a-f][0-9a-f]{2}`)
)

// noText reports whether strings in raw are not valid Unicode. JSON readers turn the invalid parts
// into U+FFFD, so texts that were different would look equal.
func noText(raw []byte) bool {
	return !utf8.Valid(raw) || loneSurrogate.Match(surrogates.ReplaceAll(raw, nil))
}

// walkNumber looks for two numbers that are equal but spelled differently. If it finds that, it
// adds a normalised difference and returns true. Otherwise the caller compares the strings.
func (w *walker) walkNumber(a, b reflect.Value) bool {
	x, y := a.String(), b.String()
	if x == "" && y == "0" { // encoding/json writes "" as 0
		w.add(Normalised, "no number is 0", `""`, y)
		return true
	}
	if x == y || !sameRaw([]byte(x), []byte(y)) {
		return false
	}
	w.add(Normalised, "same number", x, y)
	return true
}

func sameRaw(x, y []byte) bool {
	same, _ := SameJSON(x, y)
	return same
}

func isBytes(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8
}

func isRaw(v reflect.Value) bool { return v.Type() == rawType }

// walkHidden looks at the unexported fields of a struct, such as the cents in Money{Currency
// string; cents int64}. If the type marshals or compares itself, and has exported fields too, its
// methods compare the two values. The exported fields have been compared already, and may differ in
// allowed ways. So the methods are called on a copy of b with the exported fields of a.
func (w *walker) walkHidden(a, b reflect.Value) {
	s := shapeOf(a.Type())
	if len(s.unseen) == 0 || !a.CanInterface() || !b.CanInterface() {
		return
	}
	if !marshalsItself(a) {
		w.walkUnseen(a, b, s)
		return
	}
	if s.opaque {
		return
	}
	mixed := reflect.New(b.Type()).Elem()
	mixed.Set(b)
	for _, f := range s.fields {
		if to := mixed.Field(f.index); to.CanSet() {
			to.Set(a.Field(f.index))
		}
	}
	w.walkOwn(a, mixed)
}

// walkUnseen compares unexported fields of a type without marshal methods. A field that came back
// zero was left out; that is lossy in a struct without exported fields. A field that came back set
// was carried by some method, and is compared. Locks hold no value, and protobuf messages keep
// internal state in unexported fields, so both are skipped.
func (w *walker) walkUnseen(a, b reflect.Value, s *shape) {
	if _, ok := reflect.PointerTo(a.Type()).MethodByName("ProtoReflect"); ok || a.Type().PkgPath() == "sync" {
		return
	}
	for _, f := range s.unseen {
		x, y := a.Field(f.index), b.Field(f.index)
		if f.name == "_" || x.Type().PkgPath() == "sync" || x.IsZero() && (y.IsZero() || !s.opaque) {
			continue
		}
		w.push(step{kind: stepField, name: f.name})
		switch {
		case !y.IsZero():
			w.walk(opened(a, f.index), opened(b, f.index))
		case s.opaque:
			w.add(Lossy, "value", render(x), render(y))
		default:
			w.add(Normalised, "left out", render(x), render(y))
		}
		w.pop()
	}
}

// walkOwn compares two structs by the methods of their type. netip.Addr, decimal types and civil
// dates have such methods. walkOwn reports whether there was a method to do so.
func (w *walker) walkOwn(a, b reflect.Value) bool {
	x, y, forms := ownForms(a, b)
	if equal, ok := callEqual(a, b); ok {
		switch {
		case !equal:
			w.changedOwn(a, b, x, y)
		case x != y:
			w.add(Normalised, "text form", x, y)
		}
		return true
	}
	if x != y {
		w.changedOwn(a, b, x, y)
	}
	return forms
}

// changedOwn reports a change that the exported fields may not show. x and y are the values' own
// text forms.
func (w *walker) changedOwn(a, b reflect.Value, x, y string) {
	before, after := render(a), render(b)
	switch {
	case before != after:
	case x == y:
		after = "one that it calls unequal"
	default:
		before, after = clip(x), clip(y)
	}
	w.add(Lossy, "value", before, after)
}

var comparing sync.Map // reflect.Type → bool

// comparesItself reports whether t is a named type with a method Equal, and not an interface.
func comparesItself(t reflect.Type) bool {
	if t.PkgPath() == "" || t.Kind() == reflect.Interface {
		return false
	}
	if has, ok := comparing.Load(t); ok {
		return has.(bool)
	}
	_, has := t.MethodByName("Equal")
	comparing.Store(t, has)
	return has
}

// errNoForm says that a type lacks the method of a form.
var errNoForm = errors.New("no such method")

// forms lists the methods with which types spell their values, in the order of preference.
var forms = []func(v any) ([]byte, error){
	form(encoding.TextMarshaler.MarshalText), form(encoding.BinaryMarshaler.MarshalBinary),
	form(json.Marshaler.MarshalJSON), form(gobEncoder.GobEncode),
}

// form returns a function that spells values which implement M.
func form[M any](spell func(M) ([]byte, error)) func(v any) ([]byte, error) {
	return func(v any) ([]byte, error) {
		if m, ok := v.(M); ok {
			return spell(m)
		}
		return nil, errNoForm
	}
}

// gobEncoder is gob.GobEncoder, declared here so that encoding/gob is not imported.
type gobEncoder interface{ GobEncode() ([]byte, error) }

// ownForms returns both values in the first form in which they differ, or else in the first form
// that they have. It skips a form that differs from call to call, such as one that ranges over a
// map.
func ownForms(a, b reflect.Value) (x, y string, ok bool) {
	for _, form := range forms {
		s, sok := spellAs(form, a)
		t, tok := spellAs(form, b)
		if !sok && !tok {
			continue
		}
		if s != t {
			if stable(form, a, s) {
				return s, t, true
			}
			continue
		}
		if !ok {
			x, y, ok = s, s, true
		}
	}
	return x, y, ok
}

// stable reports whether form gives the same text for v in repeated calls.
func stable(form func(any) ([]byte, error), v reflect.Value, text string) bool {
	for range 16 {
		if again, _ := spellAs(form, v); again != text {
			return false
		}
	}
	return true
}

// spellAs returns v in one form. If the method fails, text is its error and ok is false.
func spellAs(form func(any) ([]byte, error), v reflect.Value) (text string, ok bool) {
	defer func() { ok = recover() == nil && ok }()
	out, err := form(pointer(v))
	if err != nil {
		return err.Error(), false
	}
	return string(out), true
}

// marshalsItself reports whether the type of v has a method that walkOwn uses.
func marshalsItself(v reflect.Value) bool {
	switch pointer(v).(type) {
	case encoding.TextMarshaler, encoding.BinaryMarshaler, json.Marshaler, gobEncoder:
		return true
	}
	return v.MethodByName("Equal").IsValid()
}

// textOf returns v in the first form that its type supports.
func textOf(v reflect.Value) (text string, ok bool) {
	for _, form := range forms {
		if text, ok = spellAs(form, v); ok {
			return text, true
		}
	}
	return "", false
}

// callEqual calls the method Equal(T) bool of a. ok is false if there is none or it panics.
func callEqual(a, b reflect.Value) (equal, ok bool) {
	defer func() { ok = recover() == nil && ok }()
	m := a.MethodByName("Equal")
	if !m.IsValid() {
		return false, false
	}
	t := m.Type()
	if t.NumIn() != 1 || t.In(0) != b.Type() || t.NumOut() != 1 || t.Out(0).Kind() != reflect.Bool {
		return false, false
	}
	return m.Call([]reflect.Value{b})[0].Bool(), true
}
