package values

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
)

var (
	textReader = reflect.TypeFor[encoding.TextUnmarshaler]()
	textWriter = reflect.TypeFor[encoding.TextMarshaler]()
	jsonReader = reflect.TypeFor[json.Unmarshaler]()
	jsonWriter = reflect.TypeFor[json.Marshaler]()
)

// spellsItself reports whether t has its own text or JSON form in both directions.
func spellsItself(t reflect.Type) bool {
	if t.Name() == "" || t.Kind() == reflect.Interface {
		return false
	}
	p := reflect.PointerTo(t)
	return p.Implements(textReader) && p.Implements(textWriter) || p.Implements(jsonReader) && p.Implements(jsonWriter)
}

// fillSpelt fills a type that has its own text or JSON form. Not every value of its Go
// type need be one that it can spell: an enum of three names is an int, a decimal whose
// parts were drawn one by one has an absurd exponent. A struct is read from the forms
// that it is known to read, before its fields are tried; another type is drawn first, then
// tried as a small number and as forms. The first value that survives its own round trip
// is kept. If there is none the value stays zero, and counts as unmade if its zero cannot
// be spelt either.
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

// fillDrawn draws v as if it had no form of its own. Structs whose parts exclude one another
// are drawn again, each time with fewer parts.
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

// redraws is how often a struct is drawn that cannot be spelt.
const redraws = 5

// redrawsAlone is how often a struct is drawn that does not read what is written of it.
const redrawsAlone = 8

// fillRead fills a value that has no form of its own. A struct with UnmarshalJSON alone may
// refuse what encoding/json writes of it, such as a document without a version: it is drawn
// again, and counts as unmade if it reads none of those.
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

// readsAlone reports a struct that reads JSON by a method of its own and is written by its fields.
func readsAlone(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return t.Kind() == reflect.Struct && t.Name() != "" && p.Implements(jsonReader) && !p.Implements(jsonWriter)
}

// fillForms reads v from one of forms, those that suit its name first.
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

// mend gives a string whose type writes itself, and cannot write what was drawn, one word.
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
	_, err := ownForm(v)
	return err == nil
}

// readsBack reports whether v reads what encoding/json writes of it, or is not written at all.
func readsBack(v reflect.Value) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	doc, err := json.Marshal(v.Addr().Interface())
	return err != nil || json.Unmarshal(doc, reflect.New(v.Type()).Interface()) == nil
}

// writesNull reports whether what p points to is null in JSON, as a nil pointer is.
func writesNull(p reflect.Value) bool {
	if !spellsItself(p.Type().Elem()) {
		return false
	}
	doc, err := ownForm(p.Elem())
	_, isJSON := p.Interface().(json.Marshaler)
	return err == nil && isJSON && string(doc) == "null"
}

// null leaves one nullable struct in eight at its zero value.
func (f *filler) null(v reflect.Value) bool {
	if v.Kind() != reflect.Struct || f.dense {
		return false
	}
	valid := v.FieldByName("Valid")
	return valid.IsValid() && valid.Kind() == reflect.Bool && f.chance(12) && respells(v)
}

// fillSmall tries small numbers for types that are integers.
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

var (
	errPanic   = errors.New("the type's own method panics")
	errInvalid = errors.New("MarshalJSON writes invalid JSON")
	errNoForm  = errors.New("the type has no form of its own")
)

// speller is what is known of a type with a form of its own.
type speller struct {
	forms []*form // that it reads and writes; those that it writes as they were read first
	first bool    // what is drawn is tried before the forms
	draws bool    // its fields, or its kind, can be drawn
}

// spellers remembers types that were tried. What is found depends on the type only, so
// that values do not depend on which of them were made before.
type spellers map[reflect.Type]*speller

func (m spellers) of(t reflect.Type) *speller {
	s, ok := m[t]
	if !ok {
		s = &speller{}
		m[t] = s // as long as it is tried, so that a type within itself ends
		s.try(t, m)
	}
	return s
}

// tries is how often a form is drawn to find out whether a type reads it.
const tries = 3

func (s *speller) try(t reflect.Type, m spellers) {
	v := reflect.New(t).Elem()
	f := newFiller(rand.New(rand.NewPCG(1, 0x666f726d)), hints{}) // "form"
	f.forms = m
	var exact, other []*form
	for _, m := range allForms {
		reads, same := 0, 0
		for range tries {
			text := m.draw(f, hint{})
			if !read(v, text) || empty(v) || !respells(v) {
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
		s.draws = false // random bytes are no address
	}
	if s.first = v.Kind() != reflect.Struct || len(s.forms) == 0; s.first || !s.draws {
		return
	}
	// A struct whose form is an object is made of its fields; a text that it reads too is short for
	// something.
	if f.fillDrawn(v, hint{}) && f.err == nil {
		doc, err := ownForm(v)
		s.first = err == nil && len(doc) > 2 && doc[0] == '{'
	}
}

// empty reports a value that kept nothing of what it read.
func empty(v reflect.Value) bool { return v.IsZero() }

// settable reports whether a struct has a field that can be filled.
func settable(v reflect.Value) bool {
	for i := range v.NumField() {
		if v.Field(i).CanSet() {
			return true
		}
	}
	return false
}

// read makes v read a form.
func read(v reflect.Value, text spelling) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	v.SetZero()
	switch p := v.Addr().Interface().(type) {
	case json.Unmarshaler: // encoding/json asks it first
		return p.UnmarshalJSON([]byte(text.json())) == nil
	case encoding.TextUnmarshaler:
		return !text.raw && p.UnmarshalText([]byte(text.text)) == nil
	}
	return false
}

// spells reports whether v writes the very form that it has read.
func spells(v reflect.Value, text spelling) bool {
	doc, err := ownForm(v)
	if err != nil {
		return false
	}
	if _, ok := v.Addr().Interface().(json.Marshaler); ok {
		return string(doc) == text.json()
	}
	return string(doc) == text.text
}

// ownForm is the JSON of a type that writes JSON, else its text.
func ownForm(v reflect.Value) (doc []byte, err error) {
	defer func() {
		if recover() != nil {
			err = errPanic
		}
	}()
	switch p := v.Addr().Interface().(type) {
	case json.Marshaler:
		doc, err = p.MarshalJSON()
		if err == nil && !json.Valid(doc) {
			err = errInvalid
		}
		return bytes.TrimSpace(doc), err
	case encoding.TextMarshaler:
		return p.MarshalText()
	}
	return nil, errNoForm
}

// respells reports whether v's own form is valid and reads back as an equal value. Structs
// are equal when their forms are: a decimal may hold 1.0 in several ways.
func respells(v reflect.Value) (ok bool) {
	again := reflect.New(v.Type())
	defer func() {
		ok = recover() == nil && ok && (v.Kind() == reflect.Struct || reflect.DeepEqual(v.Interface(), again.Elem().Interface()))
	}()
	doc, err := ownForm(v)
	if err != nil || !reread(again, doc) {
		return false
	}
	doc2, err := ownForm(again.Elem())
	return err == nil && string(doc) == string(doc2)
}

// reread reads what ownForm wrote.
func reread(p reflect.Value, doc []byte) bool {
	if _, ok := p.Interface().(json.Marshaler); ok {
		r, ok := p.Interface().(json.Unmarshaler)
		if !ok { // encoding/json quotes for UnmarshalText
			var s string
			t, ok := p.Interface().(encoding.TextUnmarshaler)
			return ok && json.Unmarshal(doc, &s) == nil && t.UnmarshalText([]byte(s)) == nil
		}
		return r.UnmarshalJSON(doc) == nil
	}
	if r, ok := p.Interface().(json.Unmarshaler); ok { // text written, JSON read
		quoted, err := json.Marshal(string(doc))
		return err == nil && r.UnmarshalJSON(quoted) == nil
	}
	r, ok := p.Interface().(encoding.TextUnmarshaler)
	return ok && r.UnmarshalText(doc) == nil
}
