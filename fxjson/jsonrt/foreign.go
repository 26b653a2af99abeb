package jsonrt

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"unicode"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/jsontag"
)

// NOTE: Version 2 of encoding/json adds features that version 1 does not know, and its Marshal and
// Unmarshal use them too: struct tags with the options case, embed, format, inline and unknown,
// with blanks, or with names that version 1 refuses; methods MarshalJSONTo, UnmarshalJSONFrom and
// AppendText; keys of maps that are floats, bools, pointers, or strings with a method MarshalText.
// Generated code is the same for both versions, so types that use one of these features are left to
// encoding/json.

var appenderType = reflect.TypeFor[encoding.TextAppender]()

// foreigners caches the results of foreign by type.
var foreigners sync.Map

// foreign reports whether values of type t are left to encoding/json.
func foreign(t reflect.Type) bool {
	if !jsonwire.StdV2 {
		return false
	}
	if is, ok := foreigners.Load(t); ok {
		return is.(bool)
	}
	is := typeSearch{
		test: func(t reflect.Type) (found, stop bool) {
			if t == numberType || t == rawType || t == timeType {
				return false, true
			}
			if t.Kind() == reflect.Pointer { // what it points to is tested with the methods of both
				return false, false
			}
			if (streams(t) || hasMethod(t, appenderType) && !hasMethod(t, textType) && !hasMethod(t, marshalerType)) && findAny(t) == nil {
				return true, true
			}
			return t.Kind() == reflect.Map && foreignKey(t.Key()) || t.Kind() == reflect.Struct && foreignFields(t), false
		},
		field: func(f reflect.StructField) (found, into bool) { return false, seen(f) && !jsontag.Skipped(f.Tag) },
		keys:  true,
	}.in(t)
	foreigners.Store(t, is)
	return is
}

// streams reports whether t has a method MarshalJSONTo or UnmarshalJSONFrom. It looks for their
// names, since not every toolchain has the interfaces.
func streams(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		t = reflect.PointerTo(t)
	}
	m, ok := t.MethodByName("MarshalJSONTo")
	if ok && m.Type.NumIn() == 2 && m.Type.In(1).String() == "*jsontext.Encoder" {
		return true
	}
	m, ok = t.MethodByName("UnmarshalJSONFrom")
	return ok && m.Type.NumIn() == 2 && m.Type.In(1).String() == "*jsontext.Decoder"
}

// hasMethod reports whether t or the pointer to it implements the interface.
func hasMethod(t, iface reflect.Type) bool {
	return t.Implements(iface) || t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(iface)
}

func foreignKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Float32, reflect.Float64, reflect.Pointer, reflect.Interface:
		return true
	case reflect.String:
		return hasMethod(t, textType)
	}
	return false
}

// foreignFields reports whether the struct has a tag that the versions read differently. It also
// reports fields at different depths whose names differ in case only: the versions choose between
// them by different rules.
func foreignFields(t reflect.Type) bool {
	deep := false // the fields may be at different depths
	for i := range t.NumField() {
		f := t.Field(i)
		deep = deep || f.Anonymous || strings.Contains(string(f.Tag), "fxjson:")
		tag, ok := f.Tag.Lookup("json")
		if !ok || tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if name != "" && !validName(name) {
			return true
		}
		if name != "" && !f.IsExported() && (f.Type.Kind() == reflect.Pointer || methodsOf(f.Type)) {
			return true // reflection may not set it or call its methods
		}
		if options == "" {
			continue
		}
		for o := range strings.SplitSeq(options, ",") {
			switch o {
			case "embed", "inline", "unknown":
				if o, _ := jsontag.Of(f.Tag); !o.Inline { // inline of the tag fxjson means the same
					return true
				}
			case "case", "format":
				return true
			}
			if strings.ContainsFunc(o, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				return true // a value, quotes, or blanks, which version 2 does not count as part of the option
			}
		}
	}
	if !deep { // as nearly always; fieldsOf takes a good part of a first call
		return false
	}
	fields := fieldsOf(t)
	for i, f := range fields {
		for _, g := range fields[:i] {
			if len(f.steps) != len(g.steps) && strings.EqualFold(f.name, g.name) {
				return true
			}
		}
	}
	return false
}

// typeError returns the error for the value doc[i:e], which is no t. Version 1 of encoding/json
// returns err itself; version 2 adds the kind of value (what), the type and the offset.
func typeError(err error, what string, t reflect.Type, i, e int) error {
	if !jsonwire.StdV2 {
		return err
	}
	te := &json.UnmarshalTypeError{Value: what, Type: t, Offset: int64(e)}
	if jsonwire.StdV2Early {
		te.Offset = int64(i)
	}
	if f := reflect.ValueOf(te).Elem().FieldByName("Err"); f.IsValid() { // not in every toolchain
		f.Set(reflect.ValueOf(err))
	}
	return te
}

// textOf returns the text of a value by its method MarshalText. Version 2 prefers AppendText if the
// value has it.
func textOf(m encoding.TextMarshaler) ([]byte, error) {
	if a, ok := m.(encoding.TextAppender); jsonwire.StdV2 && ok {
		return a.AppendText(nil)
	}
	return m.MarshalText()
}
