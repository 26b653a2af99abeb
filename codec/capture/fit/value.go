package fit

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"time"
)

// Value learns a Go value, as the JSON that encoding/json would write for it. A type with a method
// of its own for that is asked for its form. The subject is named by the type.
func (l *Learner) Value(v any) {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() {
		return
	}
	n := l.subject(typeName(rv.Type()))
	if n == nil {
		return
	}
	for i := 0; i < 64 && rv.Kind() == reflect.Pointer && !rv.IsNil(); i++ { // a pointer may lead to itself
		rv = rv.Elem()
	}
	defer l.recover()
	l.value(n, rv)
}

// recover counts a panic of a user's method. The rest of the value is not learned.
func (l *Learner) recover() {
	if recover() != nil {
		l.Fit.Skipped.Failed++
	}
}

func (l *Learner) value(n *Node, v reflect.Value) {
	if !l.enter(n) {
		return
	}
	was := l.declared
	l.inside(n, v)
	l.declared = was
}

func (l *Learner) inside(n *Node, v reflect.Value) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface && v.NumMethod() == 0 {
		if v.IsNil() {
			n.Null++
			return
		}
		l.declared = l.declared && v.Kind() == reflect.Pointer
		v = v.Elem()
		if l.parts++; l.parts > l.limit.MaxParts { // a pointer to itself
			n.Opaque++
			l.Fit.Skipped.Beyond++
			return
		}
	}
	l.declared = l.declared || v.Type().Name() != ""
	switch formOf(v.Type()) {
	case asTime:
		l.time(n, v.Interface().(time.Time))
	case asNumber:
		if s := v.String(); l.Valid([]byte(s)) {
			l.spelled(n, s)
		} else {
			n.Opaque++
		}
	case asJSON, asText:
		l.own(n, v)
	case asOpaque:
		if v.Kind() == reflect.Interface && v.IsNil() {
			n.Null++
		} else {
			n.Opaque++
		}
	default:
		l.kind(n, v)
	}
}

func (l *Learner) kind(n *Node, v reflect.Value) {
	switch k := v.Kind(); {
	case k == reflect.Bool:
		n.flag(v.Bool())
	case v.CanInt():
		l.int(n, v.Int())
	case v.CanUint():
		l.uint(n, v.Uint())
	case v.CanFloat():
		l.real(n, v.Float(), v.Type().Bits())
	case k == reflect.String:
		l.text(n, v.String())
	case k == reflect.Slice && v.IsNil(), k == reflect.Map && v.IsNil():
		n.Null++
	case k == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 && formOf(v.Type().Elem()) == asKind:
		l.bytes(n, v.Bytes())
	case k == reflect.Slice, k == reflect.Array:
		l.elements(n, v)
	case k == reflect.Map:
		l.entries(n, v)
	case k == reflect.Struct && l.declared:
		l.fields(n, v)
	case k == reflect.Struct:
		l.undeclared(n, v)
	default:
		n.Opaque++
	}
}

func (l *Learner) time(n *Node, t time.Time) {
	var buf [40]byte
	l.text(n, string(t.AppendFormat(buf[:0], time.RFC3339Nano)))
}

// own learns a value of a type with its own JSON or text.
func (l *Learner) own(n *Node, v reflect.Value) {
	x := v
	if v.CanAddr() && v.Addr().CanInterface() {
		x = v.Addr()
	}
	if !x.CanInterface() {
		n.Opaque++
		return
	}
	switch m := x.Interface().(type) {
	case json.Marshaler:
		text, err := m.MarshalJSON()
		if err != nil || !l.Valid(text) {
			n.Opaque++
			l.Fit.Skipped.Failed++
			return
		}
		n.Seen-- // json counts it
		l.json(n, &scan{text: string(text)}, nil)
	case encoding.TextMarshaler:
		text, err := m.MarshalText()
		if err != nil {
			n.Opaque++
			l.Fit.Skipped.Failed++
			return
		}
		l.text(n, string(text))
	default: // the method has a pointer receiver, and the value has no address
		l.kind(n, v)
	}
}

func (l *Learner) elements(n *Node, v reflect.Value) {
	if !l.deep(n) {
		return
	}
	defer l.leave()
	list := l.list(n, v.Len())
	if v.Len() == 0 {
		return
	}
	elem := l.node(&list.Elem, n.public.step("[]"))
	if elem == nil {
		return
	}
	for i := 0; i < v.Len(); i += l.stride(v.Len()) {
		l.value(elem, v.Index(i))
	}
}

func (l *Learner) entries(n *Node, v reflect.Value) {
	if !l.deep(n) {
		return
	}
	defer l.leave()
	o, named := n.object(), l.namedKeys(v)
	var e entries
	if v.Len() > named || v.Len() == 0 && len(o.Members) == 0 {
		if e.m = l.mapOf(o); e.m == nil {
			return
		}
	}
	i := 0
	for it := v.MapRange(); i < l.limit.MaxElements && it.Next(); i++ {
		key, ok := keyText(it.Key())
		if !ok {
			continue
		}
		if named > 0 && l.names[key] {
			if to := l.member(n, key, -1); to != nil {
				l.value(to, it.Value())
			}
			continue
		}
		if elem, id := l.key(n, &e, key); elem != nil {
			l.element(&e, elem, id, func() { l.value(elem, it.Value()) })
		}
	}
	if e.m != nil {
		l.end(&e, v.Len()-named)
	}
}

// namedKeys counts the keys of a map[string]any that Limits.Names has. Other maps are not records.
func (l *Learner) namedKeys(v reflect.Value) (n int) {
	if len(l.names) == 0 || v.Type().Key().Kind() != reflect.String || v.Type().Elem().Kind() != reflect.Interface {
		return 0
	}
	for it := v.MapRange(); it.Next(); {
		if l.names[it.Key().String()] {
			n++
		}
	}
	return n
}

// keyText returns a key as encoding/json writes it.
func keyText(k reflect.Value) (string, bool) {
	if k.Kind() == reflect.String {
		return k.String(), true
	}
	if k.CanInterface() {
		if m, ok := k.Interface().(encoding.TextMarshaler); ok {
			if k.Kind() == reflect.Pointer && k.IsNil() {
				return "", true
			}
			text, err := m.MarshalText()
			return string(text), err == nil
		}
	}
	switch {
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), true
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), true
	}
	return "", false
}

func (l *Learner) fields(n *Node, v reflect.Value) {
	if !l.deep(n) {
		return
	}
	defer l.leave()
	n.object()
	fields := fieldsOf(v.Type())
	for i := range fields {
		f := &fields[i]
		fv, ok := f.in(v)
		if !ok {
			continue
		}
		m := l.member(n, f.name, i)
		if m == nil {
			continue
		}
		if f.quoted {
			l.quoted(m, fv)
			continue
		}
		l.value(m, fv)
	}
}

// in returns the field of the struct v; false if its document has no such member.
func (f *field) in(v reflect.Value) (reflect.Value, bool) {
	fv, ok := under(v, f.index)
	return fv, ok && !(f.omitEmpty && empty(fv) || f.omitZero && isZero(fv))
}

// undeclared learns a struct whose names may be content, as a map with these keys.
func (l *Learner) undeclared(n *Node, v reflect.Value) {
	if !l.deep(n) {
		return
	}
	defer l.leave()
	o, named, keys := n.object(), 0, 0
	var e entries
	fields := fieldsOf(v.Type())
	for i := range fields {
		f := &fields[i]
		fv, ok := f.in(v)
		if !ok {
			continue
		}
		learn := l.value
		if f.quoted {
			learn = l.quoted
		}
		if l.names[f.name] {
			named++
			if to := l.member(n, f.name, -1); to != nil {
				learn(to, fv)
			}
			continue
		}
		keys++
		if e.m = l.mapOf(o); e.m == nil {
			continue
		}
		if elem, id := l.key(n, &e, f.name); elem != nil {
			l.element(&e, elem, id, func() { learn(elem, fv) })
		}
	}
	if keys > 0 || named == 0 && len(o.Members) == 0 {
		if e.m = l.mapOf(o); e.m != nil {
			l.end(&e, keys)
		}
	}
}

// under returns the field at an index; false if it is behind a nil pointer.
func under(v reflect.Value, index []int) (reflect.Value, bool) {
	for i, at := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v, true
}

func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

// isZero reports whether a field with the option omitzero is left out: the type of the field decides
// whether there is a method IsZero, not the value in an interface.
func isZero(v reflect.Value) bool {
	t := v.Type()
	switch {
	case !v.CanInterface():
	case t.Implements(zeroerType):
		if v.IsZero() && (t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer) ||
			t.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() {
			return true
		}
		return v.Interface().(zeroer).IsZero()
	case reflect.PointerTo(t).Implements(zeroerType):
		if !v.CanAddr() {
			p := reflect.New(t).Elem()
			p.Set(v)
			v = p
		}
		return v.Addr().Interface().(zeroer).IsZero()
	}
	return v.IsZero()
}

// quoted learns a field with the option string.
func (l *Learner) quoted(n *Node, v reflect.Value) {
	if !l.enter(n) {
		return
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			n.Null++
			return
		}
		v = v.Elem()
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		n.Opaque++
		return
	}
	l.text(n, string(text))
}
