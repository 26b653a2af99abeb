package diff

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// step is a part of a path. It becomes text only if a difference is found.
type step struct {
	kind  stepKind
	name  string        // of a field
	index int           // of an element
	key   reflect.Value // of an entry
}

type stepKind uint8

const (
	stepField stepKind = iota
	stepIndex
	stepKey
)

// textWidth is the length, in bytes, to which a value is cut in a report.
const textWidth = 64

// maxSteps limits the text of a path. Longer paths are cut in the middle.
const maxSteps = 48

// report records a difference at the current path.
func (w *walker) report(kind Kind, a, b reflect.Value) {
	if len(w.found) >= w.MaxDifferences {
		w.truncated = true
		return
	}
	pattern := w.spell(nil)
	if w.ignores(pattern) {
		return
	}
	typed := kind == Type
	w.found = append(w.found, Difference{
		Pattern: pattern,
		Path:    w.spell(func(k reflect.Value) string { return w.text(pattern, k, false) }),
		Kind:    kind,
		Before:  w.text(pattern, a, typed),
		After:   w.text(pattern, b, typed),
	})
}

// spell returns the current path. If key is nil, it returns the pattern of the path.
func (w *walker) spell(key func(reflect.Value) string) string {
	var b strings.Builder
	for i, s := range w.path {
		if len(w.path) > maxSteps && i >= maxSteps/2 && i < len(w.path)-maxSteps/2 {
			if i == maxSteps/2 {
				b.WriteString(".…")
			}
			continue
		}
		switch {
		case s.kind == stepField:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.name)
		case key == nil && s.kind == stepIndex:
			b.WriteString("[]")
		case key == nil || w.Hide && s.kind == stepKey:
			b.WriteString("[*]")
		case s.kind == stepIndex:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		default:
			b.WriteString("[" + key(s.key) + "]")
		}
	}
	return b.String()
}

// text returns a value as it appears in a report.
func (w *walker) text(pattern string, v reflect.Value, typed bool) string {
	if !v.IsValid() {
		return "nothing"
	}
	text := shape(v)
	if !w.Hide {
		if s, ok := content(v); ok {
			text = s
			if typed {
				text = v.Type().String() + "(" + s + ")"
			}
		}
	}
	if w.Show != nil {
		text = w.Show(pattern, text)
	}
	return clip(text)
}

// shape describes a value without its content.
func shape(v reflect.Value) string {
	t := v.Type().String()
	switch v.Kind() {
	case reflect.String, reflect.Slice, reflect.Map:
		if v.Kind() != reflect.String && v.IsNil() {
			return "nil " + t
		}
		return t + " of length " + strconv.Itoa(v.Len())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil " + t
		}
	}
	return t
}

// content returns the value itself as text, if it has a short form.
func content(v reflect.Value) (string, bool) {
	if own, ok := ownText(v); ok {
		return own, true
	}
	switch k := v.Kind(); {
	case k == reflect.String:
		s := v.String()
		return strconv.Quote(s[:min(len(s), textWidth)]), true
	case k >= reflect.Bool && k <= reflect.Complex128:
		return fmt.Sprint(scalar(v)), true
	case k == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 && !v.IsNil():
		b := v.Bytes()
		if utf8.Valid(b[:min(len(b), textWidth)]) {
			return strconv.Quote(string(b[:min(len(b), textWidth)])), true
		}
		return fmt.Sprintf("%x", b[:min(len(b), textWidth/2)]), true
	case (k == reflect.Pointer || k == reflect.Interface) && !v.IsNil():
		return content(v.Elem())
	}
	return "", false
}

// scalar returns v as a value of its basic type, so that printing it calls no method of its own.
func scalar(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	case v.Kind() == reflect.Float32:
		return float32(v.Float())
	case v.CanFloat():
		return v.Float()
	}
	return v.Complex()
}

// ownText returns the text of structs that can write themselves, such as times, decimals and
// addresses.
func ownText(v reflect.Value) (string, bool) {
	if v.Kind() != reflect.Struct || !v.CanInterface() {
		return "", false
	}
	switch x := addressable(v).Addr().Interface().(type) {
	case *time.Time:
		return x.Format(time.RFC3339Nano), true
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		return string(text), err == nil
	case fmt.Stringer:
		return x.String(), true
	}
	return "", false
}

// clip cuts s to textWidth bytes at a whole character.
func clip(s string) string {
	if len(s) <= textWidth {
		return s
	}
	cut := textWidth - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
