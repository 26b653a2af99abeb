package fxjson

import "github.com/zmylab/zmy/fxjson/jsonrt"

// Marshalers is a set of functions. Each function marshals the values of one type, in place of
// generated code and methods. Use a set for types of other packages, or to give a type another form
// in some calls. Make a set once and keep it, because it builds and keeps plans for the types that
// it meets. A set is safe for concurrent use.
//
// A function is called for values of its type wherever they are: alone, behind pointers, in fields,
// elements, values of maps and interfaces. It is not called for keys of maps, nor inside types that
// have methods MarshalJSON or MarshalText. A type keeps its generated code unless its values can
// hold a type that has a function; an interface can hold any.
type Marshalers struct{ fs *jsonrt.Funcs }

// MarshalFunc returns a set with the function fn for type T. It panics if T is an interface or a
// pointer. fn returns one JSON value. A nil pointer to a T is null without a call of fn.
func MarshalFunc[T any](fn func(T) ([]byte, error)) *Marshalers {
	return &Marshalers{jsonrt.EncodeFunc(fn)}
}

// JoinMarshalers returns a set with the functions of all sets. If several functions are for one
// type, the first is used.
func JoinMarshalers(all ...*Marshalers) *Marshalers {
	var sets []*jsonrt.Funcs
	for _, m := range all {
		if m != nil {
			sets = append(sets, m.fs)
		}
	}
	return &Marshalers{jsonrt.JoinFuncs(sets)}
}

// Unmarshalers is a set of functions that unmarshal values of some types; see [Marshalers].
type Unmarshalers struct{ fs *jsonrt.Funcs }

// UnmarshalFunc returns a set with the function fn for type T. It panics if T is an interface or a
// pointer. fn gets one JSON value, which may be null, in memory that it may keep but must not
// change. It may be called twice for a value.
func UnmarshalFunc[T any](fn func([]byte, *T) error) *Unmarshalers {
	return &Unmarshalers{jsonrt.DecodeFunc(fn)}
}

// JoinUnmarshalers returns a set with the functions of all sets. If several functions are for one
// type, the first is used.
func JoinUnmarshalers(all ...*Unmarshalers) *Unmarshalers {
	var sets []*jsonrt.Funcs
	for _, m := range all {
		if m != nil {
			sets = append(sets, m.fs)
		}
	}
	return &Unmarshalers{jsonrt.JoinFuncs(sets)}
}
