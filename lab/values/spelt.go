package values

import (
	"bytes"
	"encoding"
	"encoding/json"
	"math/rand/v2"
	"reflect"
)

// NOTE: a type that writes and reads its own text or JSON is tried out before values are made of
// it. speller draws three spellings of each form (forms.go) and keeps the forms that the type
// reads, writes and reads again. fillSpelt then draws from these forms.
//
// The functions at the end call methods of the user's types. These may panic on values that their
// authors never made, so each function recovers and treats a panic as a refusal.

var (
	textReader = reflect.TypeFor[encoding.TextUnmarshaler]()
	textWriter = reflect.TypeFor[encoding.TextMarshaler]()
	jsonReader = reflect.TypeFor[json.Unmarshaler]()
	jsonWriter = reflect.TypeFor[json.Marshaler]()
)

// spellsItself reports whether t writes and reads its own form, as text or as JSON.
func spellsItself(t reflect.Type) bool {
	if t.Name() == "" || t.Kind() == reflect.Interface {
		return false
	}
	p := reflect.PointerTo(t)
	return p.Implements(textReader) && p.Implements(textWriter) || p.Implements(jsonReader) && p.Implements(jsonWriter)
}

// fillSpelt fills a type that has its own text or JSON form. Not every Go value of such a type has
// a form: an enum of three names is an int, and a decimal with randomly drawn parts has an absurd
// exponent. So several ways are tried, and the first value that survives its own round trip is
// kept. A struct is read from forms that it is known to read, then drawn field by field. Another
// type is drawn first, then tried as a small number and read from forms. If no way works, the value
// stays zero; it counts as unmade if even zero has no form.
func (f *filler) fillSpelt(v reflect.Value, h hint) {
	s := f.forms.of(v.Type())
	if !s.first && (f.null(v) || f.fillForms(v, h, s.forms)) {
		return
	}
	if s.draws && f.fillDrawn(v, h) {
		return
	}
	if f.fillSmall(v) || f.fillForms(v, h, s.forms) {
		return
	}
	v.SetZero()
	if !respells(v) {
		f.unmade++
	}
}

// fillDrawn draws v as if it had no form of its own. Parts of a struct may exclude one another, so
// a struct that has no form is drawn again, each time with fewer parts.
func (f *filler) fillDrawn(v reflect.Value, h hint) bool {
	was := f.thinning
	defer func() { f.thinning = was }()
	for range redraws {
		v.SetZero()
		spent, unmade := f.spent, f.unmade
		f.fillKind(v, h)
		if f.err != nil || f.unmade == unmade && respells(v) {
			return true
		}
		if v.Kind() != reflect.Struct || f.dense {
			return false
		}
		f.spent, f.unmade = spent, unmade
		f.top, f.keep = f.top/2, f.keep/2
	}
	return false
}

// redraws is how often fillDrawn draws a struct before it gives up.
const redraws = 5

// redrawsAlone is how often fillRead redraws a struct that refuses its own JSON.
const redrawsAlone = 8

// fillRead fills a value that has no form of its own. A struct with UnmarshalJSON but no
// MarshalJSON may refuse the JSON that encoding/json writes for it, for example a document without
// a version. It is then drawn again, and counts as unmade if it refuses every time.
func (f *filler) fillRead(v reflect.Value, h hint) {
	spent, unmade := f.spent, f.unmade
	f.fillKind(v, h)
	if !readsAlone(v.Type()) {
		return
	}
	for range redrawsAlone {
		if f.err != nil || f.unmade > unmade || readsBack(v) {
			return
		}
		v.SetZero()
		f.spent = spent
		f.fillKind(v, h)
	}
	if !readsBack(v) {
		f.unmade++
	}
}

// readsAlone reports whether t is a struct with UnmarshalJSON but no MarshalJSON.
func readsAlone(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return t.Kind() == reflect.Struct && t.Name() != "" && p.Implements(jsonReader) && !p.Implements(jsonWriter)
}

// fillForms reads v from one of forms. Forms that suit its name are tried first.
func (f *filler) fillForms(v reflect.Value, h hint, forms []*form) bool {
	for _, suited := range []bool{true, false} {
		for _, m := range forms {
			if m.suits(h) != suited {
				continue
			}
			if read(v, m.draw(f, h)) && respells(v) {
				return true
			}
		}
	}
	v.SetZero()
	return false
}

// mend replaces a string that its type refuses to write by a single word, or by "".
func (f *filler) mend(v reflect.Value) {
	if v.Kind() != reflect.String || v.Type().Name() == "" || !v.CanAddr() {
		return
	}
	if p := v.Addr().Type(); !p.Implements(jsonWriter) && !p.Implements(textWriter) {
		return
	}
	if writes(v) {
		return
	}
	if v.SetString(pick(f.r, words)); !writes(v) {
		v.SetZero()
	}
}

func writes(v reflect.Value) bool {
	_, ok := ownForm(v)
	return ok
}

// readsBack reports whether v can read the JSON that encoding/json writes for it. It is true if
// encoding/json cannot write v.
func readsBack(v reflect.Value) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	doc, err := json.Marshal(v.Addr().Interface())
	return err != nil || json.Unmarshal(doc, reflect.New(v.Type()).Interface()) == nil
}

// writesNull reports whether the target of p writes null as its JSON, as a nil pointer does.
func writesNull(p reflect.Value) bool {
	if !spellsItself(p.Type().Elem()) {
		return false
	}
	doc, ok := ownForm(p.Elem())
	_, isJSON := p.Interface().(json.Marshaler)
	return ok && isJSON && string(doc) == "null"
}

// null leaves one nullable struct in eight zero.
func (f *filler) null(v reflect.Value) bool {
	if v.Kind() != reflect.Struct || f.dense {
		return false
	}
	valid := v.FieldByName("Valid")
	return valid.IsValid() && valid.Kind() == reflect.Bool && f.chance(12) && respells(v)
}

// fillSmall tries small numbers for integer types.
func (f *filler) fillSmall(v reflect.Value) bool {
	if !v.CanInt() && !v.CanUint() {
		return false
	}
	start := f.r.IntN(8)
	for i := range 8 {
		small := int64((start + i) % 8)
		if v.CanInt() {
			v.SetInt(small)
		} else {
			v.SetUint(uint64(small))
		}
		if respells(v) {
			return true
		}
	}
	return false
}

// speller describes a type with its own form.
type speller struct {
	forms []*form // forms that the type reads and writes; first those that it writes exactly as they were read
	first bool    // try drawn values before the forms
	draws bool    // its fields, or its kind, can be drawn
}

// spellers caches what was found out about types. The result depends only on the type, so values do
// not depend on the order in which they are made.
type spellers map[reflect.Type]*speller

func (m spellers) of(t reflect.Type) *speller {
	s, ok := m[t]
	if !ok {
		s = &speller{}
		m[t] = s // present while the type is tried, so that a type that contains itself ends
		s.try(t, m)
	}
	return s
}

// tries is how many spellings of a form a type must read.
const tries = 3

func (s *speller) try(t reflect.Type, m spellers) {
	v := reflect.New(t).Elem()
	f := newFiller(rand.New(rand.NewPCG(1, 0x666f726d)), newLore()) // "form"
	f.forms = m
	var exact, other []*form
	for _, m := range allForms {
		reads, same := 0, 0
		for range tries {
			text := m.draw(f, hint{})
			if !read(v, text) || v.IsZero() || !respells(v) {
				continue
			}
			reads++
			if spells(v, text) {
				same++
			}
		}
		switch {
		case same == tries:
			exact = append(exact, m)
		case reads == tries:
			other = append(other, m)
		}
	}
	s.forms = append(exact, other...)
	s.draws = v.Kind() != reflect.Struct || settable(v)
	if t.PkgPath() == "net" {
		s.draws = false // random bytes are no valid address
	}
	if s.first = v.Kind() != reflect.Struct || len(s.forms) == 0; s.first || !s.draws {
		return
	}
	// If a struct's own form consists of its fields, any text that it also reads is only an
	// abbreviation. Drawn fields come first then.
	if f.fillDrawn(v, hint{}) && f.err == nil {
		s.first = madeOfFields(v)
	}
}

// settable reports whether a struct has a field that can be filled.
func settable(v reflect.Value) bool {
	for i := range v.NumField() {
		if v.Field(i).CanSet() {
			return true
		}
	}
	return false
}

// read sets v from a spelling, with v's own method. It reports whether that worked.
func read(v reflect.Value, text spelling) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	v.SetZero()
	switch p := v.Addr().Interface().(type) {
	case json.Unmarshaler: // encoding/json prefers this method
		return p.UnmarshalJSON([]byte(text.json())) == nil
	case encoding.TextUnmarshaler:
		return !text.raw && p.UnmarshalText([]byte(text.text)) == nil
	}
	return false
}

// spells reports whether v writes exactly the form that it has read.
func spells(v reflect.Value, text spelling) bool {
	doc, ok := ownForm(v)
	want := text.text
	if _, isJSON := v.Addr().Interface().(json.Marshaler); isJSON {
		want = text.json()
	}
	return ok && string(doc) == want
}

// ownForm returns the JSON of v if its type writes JSON, else its text. ok is false if the type has
// neither, or if its method fails, panics or writes invalid JSON.
func ownForm(v reflect.Value) (doc []byte, ok bool) {
	defer func() { ok = recover() == nil && ok }()
	switch p := v.Addr().Interface().(type) {
	case json.Marshaler:
		doc, err := p.MarshalJSON()
		return bytes.TrimSpace(doc), err == nil && json.Valid(doc)
	case encoding.TextMarshaler:
		doc, err := p.MarshalText()
		return doc, err == nil
	}
	return nil, false
}

// respells reports whether v's own form is valid and reads back as an equal value. Structs are
// equal if their forms are: a decimal may hold 1.0 in several ways.
func respells(v reflect.Value) (ok bool) {
	again := reflect.New(v.Type())
	defer func() {
		ok = recover() == nil && ok && (v.Kind() == reflect.Struct || reflect.DeepEqual(v.Interface(), again.Elem().Interface()))
	}()
	doc, ok := ownForm(v)
	if !ok || !reread(again, doc) {
		return false
	}
	doc2, ok := ownForm(again.Elem())
	return ok && string(doc) == string(doc2)
}

// reread reads a form that ownForm returned.
func reread(p reflect.Value, doc []byte) bool {
	if _, ok := p.Interface().(json.Marshaler); ok {
		r, ok := p.Interface().(json.Unmarshaler)
		if !ok { // encoding/json unquotes the string for UnmarshalText
			var s string
			t, ok := p.Interface().(encoding.TextUnmarshaler)
			return ok && json.Unmarshal(doc, &s) == nil && t.UnmarshalText([]byte(s)) == nil
		}
		return r.UnmarshalJSON(doc) == nil
	}
	if r, ok := p.Interface().(json.Unmarshaler); ok { // the type writes text and reads JSON
		quoted, err := json.Marshal(string(doc))
		return err == nil && r.UnmarshalJSON(quoted) == nil
	}
	r, ok := p.Interface().(encoding.TextUnmarshaler)
	return ok && r.UnmarshalText(doc) == nil
}
