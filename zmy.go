// Package zmy marshals Go values to the ZMY native format and back.
//
// The command zmy gen generates code for types, which gives them the methods of [Marshaler] and
// [Unmarshaler]. Marshal and Unmarshal here call these methods; you may call them directly.
// spec/FORMAT.md describes the format.
//
// Struct types without generated code, instances of generic types among them, are marshalled by
// reflection if their fields have struct tags zmy. The bytes, options and errors are the same, but
// reflection is slower. It cannot see directives in comments. So //zmy:sparse and //zmy:reserved
// may also be written as struct tags of blank fields, which the generator and reflection both read:
//
//	type Order struct {
//		_    struct{} `zmy:"reserved 1 string"`
//		ID   string   `zmy:"0"`
//		Done bool     `zmy:"2"`
//	}
//
// Unions, views and the numbers of -derive need generated code. A struct that embeds a type with
// generated code has that type's methods. Marshal does not call these, since they marshal the
// embedded field only.
//
// Messages do not say what type they have: the reader must know it. Each value has exactly one
// encoding. It is safe to unmarshal bytes from any source: bytes that are not a message of the type
// are refused with a [DecodeError], and memory stays within a budget.
//
// # For generated code only
//
// Programs do not call the following. They are exported because generated code, which is in the
// packages of the types, calls them: [AppendJSON], [Borrow], [Code], [Decoded], [DecodeJSON],
// [Encoded], [Scratch], [MarshalOptions.Encoder], [MarshalOptions.Flat],
// [UnmarshalOptions.Decoder] and [UnmarshalOptions.Flat].
package zmy

import "fmt"

// Marshaler is implemented by generated code.
type Marshaler interface {
	// AppendZMY appends the message to dst under the default options.
	AppendZMY(dst []byte) ([]byte, error)
	// AppendZMYOptions appends the message to dst. On error it returns dst unchanged. If dst has no
	// capacity the result is one allocation of the message's size; for messages beyond 1 MiB it may
	// be up to an eighth larger.
	AppendZMYOptions(dst []byte, o MarshalOptions) ([]byte, error)
}

// Unmarshaler is implemented by generated code.
type Unmarshaler interface {
	// UnmarshalZMY stores the message b under the default options.
	UnmarshalZMY(b []byte) error
	// UnmarshalZMYOptions stores the message b.
	UnmarshalZMYOptions(b []byte, o UnmarshalOptions) error
}

// AfterUnmarshaler is implemented by a struct type that checks or completes itself. Unmarshal calls
// the method for each such struct in the message after its fields are set: inner structs before
// outer ones. An error ends unmarshalling, and errors.Is finds it and [ErrMethod] in the result.
// The method is not called for a struct that has it only from an embedded field, nor for zero
// values, which take no bytes.
type AfterUnmarshaler interface {
	AfterUnmarshalZMY() error
}

// Marshal returns v as a message. v is a struct or a pointer to a struct; a pointer avoids a copy.
func Marshal(v any) ([]byte, error) { return MarshalOptions{}.Marshal(v) }

// Append appends v as a message to dst. On error it returns dst unchanged.
func Append(dst []byte, v any) ([]byte, error) { return MarshalOptions{}.Append(dst, v) }

// Unmarshal stores the message b into v, a pointer to a struct. It keeps no
// reference to b. On error v may hold part of the message.
func Unmarshal(b []byte, v any) error { return UnmarshalOptions{}.Unmarshal(b, v) }

// Marshal is like the function Marshal, with these options.
func (o MarshalOptions) Marshal(v any) ([]byte, error) { return o.Append(nil, v) }

// Append is like the function Append, with these options.
func (o MarshalOptions) Append(dst []byte, v any) ([]byte, error) {
	w := wayOf(v)
	switch {
	case w.pointer && isNil(v):
		return dst, nilPointer("marshal", v)
	case w.marshals:
		return as[Marshaler](v).AppendZMYOptions(dst, o)
	case w.plan != nil:
		return o.appendPlan(dst, w.plan, v)
	}
	return dst, w.fail("marshal", v)
}

// Unmarshal is like the function Unmarshal, with these options.
func (o UnmarshalOptions) Unmarshal(b []byte, v any) error {
	w := wayOf(v)
	switch {
	case w.err != nil && !w.unmarshals:
		return w.fail("unmarshal", v)
	case !w.pointer:
		return fmt.Errorf("zmy: unmarshal %T: not a pointer; pass &v", v)
	case isNil(v):
		return nilPointer("unmarshal", v)
	}
	var err error
	if w.unmarshals {
		err = v.(Unmarshaler).UnmarshalZMYOptions(b, o)
	} else {
		err = o.decodePlan(b, w.plan, v)
	}
	if err != nil {
		err = notBare(b, err)
	}
	return err
}
