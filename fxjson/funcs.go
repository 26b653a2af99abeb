package fxjson

import "github.com/zmylab/zmy/fxjson/jsonrt"

// Marshalers are functions that marshal values of some types, in place of generated code, methods
// and everything else: for types of other packages, and for another form of a type in some calls.
// Make them once: a value has plans of its own for the types that it is used with. It may be used
// by several goroutines.
//
// A function is called for values of its type wherever they are: alone, behind pointers, in fields,
// elements, values of maps and interfaces. It is not called for keys of maps, nor inside types that
// have methods MarshalJSON or MarshalText. Types without a value of those types in them, and
// without interfaces, keep their generated code.
type Marshalers struct{ fs *jsonrt.Funcs }

// MarshalFunc makes fn marshal values of type T, which is no interface and no pointer. It returns
// one JSON value; nil pointers to a T are null without it.
func MarshalFunc[T any](fn func(T) ([]byte, error)) *Marshalers {
	return &Marshalers{jsonrt.EncodeFunc(fn)}
}

// JoinMarshalers are the functions of all; of two for one type, the first counts.
func JoinMarshalers(all ...*Marshalers) *Marshalers {
	var sets []*jsonrt.Funcs
	for _, m := range all {
		if m != nil {
			sets = append(sets, m.fs)
		}
	}
	return &Marshalers{jsonrt.JoinFuncs(sets)}
}

// Unmarshalers are functions that unmarshal values of some types; see [Marshalers].
type Unmarshalers struct{ fs *jsonrt.Funcs }

// UnmarshalFunc makes fn unmarshal values of type T, which is no interface and no pointer. It gets
// one JSON value, null included, in memory that it may keep and must not change, and may be called
// twice for a value.
func UnmarshalFunc[T any](fn func([]byte, *T) error) *Unmarshalers {
	return &Unmarshalers{jsonrt.DecodeFunc(fn)}
}

// JoinUnmarshalers are the functions of all; of two for one type, the first counts.
func JoinUnmarshalers(all ...*Unmarshalers) *Unmarshalers {
	var sets []*jsonrt.Funcs
	for _, m := range all {
		if m != nil {
			sets = append(sets, m.fs)
		}
	}
	return &Unmarshalers{jsonrt.JoinFuncs(sets)}
}
