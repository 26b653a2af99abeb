package fxproto

import (
	"reflect"

	"github.com/zmylab/zmy/internal/pbreflect"
)

// Unknown is the type of a field that keeps the fields of messages that the struct does not have, in
// the order in which they came. They are written after all other fields.
type Unknown []byte

// Marshal returns the message of v, a struct or a pointer to one. A nil pointer is an empty message,
// which has no bytes; the result is nil only if there is an error.
// The error is a [*TypeError] or an [*EncodeError]. Maps are written in random order.
func Marshal(v any) ([]byte, error) { return MarshalOptions{}.Marshal(v) }

// Append appends the message of v to dst and returns the longer slice. On an error it returns dst.
// Memory behind the result, up to the capacity of dst, may be overwritten.
func Append(dst []byte, v any) ([]byte, error) { return MarshalOptions{}.Append(dst, v) }

// Size returns the length in bytes of the message of v.
func Size(v any) (int, error) { return MarshalOptions{}.Size(v) }

// Unmarshal sets the fields of v, a pointer to a struct, to those of the message b. Fields that are
// not in the message become zero; Go fields that are not carried keep their values. The error is a
// [*TypeError] or a [*DecodeError]; after an error the fields have any values. The result shares no
// memory with b.
func Unmarshal(b []byte, v any) error { return UnmarshalOptions{}.Unmarshal(b, v) }

// Merge merges the message b into v, as protobuf defines it: numbers and strings replace, lists
// append, entries of maps are added or replaced, and messages merge. Errors are those of
// [Unmarshal].
func Merge(b []byte, v any) error { return UnmarshalOptions{}.Merge(b, v) }

// Verify returns nil for exactly the messages that [Unmarshal] accepts for the type of v, which is a
// struct or a pointer to one, and may be nil. For a message that it accepts, it allocates no memory
// that grows with it.
func Verify(b []byte, v any) error { return UnmarshalOptions{}.Verify(b, v) }

// planOf returns the plan of the struct v or of the struct that v points to, and its type.
func planOf(op string, v any) (*pbreflect.Plan, reflect.Type, error) {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil, nil, &TypeError{Op: op, Type: "nil", Msg: "there is no type", Hint: "pass a struct or a pointer to one"}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	p := pbreflect.PlanOf(t)
	if len(p.Problems) > 0 {
		first := &p.Problems[0]
		return nil, t, &TypeError{Op: op, Type: t.String(), Path: first.Path, Msg: first.Msg, Hint: first.Hint}
	}
	return p, t, nil
}

// readable returns the plan of v and the struct itself, which is invalid for a nil pointer.
func readable(op string, v any) (*pbreflect.Plan, reflect.Value, error) {
	p, _, err := planOf(op, v)
	x := reflect.ValueOf(v)
	if err == nil && x.Kind() == reflect.Pointer {
		x = x.Elem()
	}
	return p, x, err
}

// settable returns the plan of v and the struct that it points to.
func settable(v any) (*pbreflect.Plan, reflect.Value, error) {
	p, _, err := planOf(unmarshal, v)
	if err != nil {
		return nil, reflect.Value{}, err
	}
	x := reflect.ValueOf(v)
	if x.Kind() != reflect.Pointer || x.IsNil() {
		return nil, x, &TypeError{Op: unmarshal, Type: x.Type().String(), Msg: "there is no variable to set",
			Hint: "pass a pointer that is not nil"}
	}
	return p, x.Elem(), nil
}
