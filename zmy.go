// Package zmy marshals Go values to the ZMY native format and back.
//
// Types get there by generated code (zmy gen), which satisfies [Marshaler] and
// [Unmarshaler]. Marshal and Unmarshal here, and the methods themselves, are two
// spellings of the same; the format is spec/FORMAT.md.
//
// Any other struct type whose fields have struct tags zmy, instances of generic
// types among them, is marshalled by reflection: to the same bytes, under the
// same options and with the same errors, only slower. What reflection cannot see
// are directives in comments. //zmy:sparse and //zmy:reserved can be written as
// the struct tags of blank fields instead, which both ways read:
//
//	type Order struct {
//		_    struct{} `zmy:"reserved 1 string"`
//		ID   string   `zmy:"0"`
//		Done bool     `zmy:"2"`
//	}
//
// Unions, views and the numbers of -derive need generated code. A struct that
// embeds a type with generated code has its methods, but they know of that field
// only, and so Marshal does not call them.
//
// Messages carry no type: the reader knows it. One value has one encoding.
// Bytes from anywhere are safe to unmarshal: what is not a message of the type
// is refused with a [DecodeError], and memory stays within a budget.
package zmy

import "fmt"

// Marshaler is a type with generated marshal code.
type Marshaler interface {
	// AppendZMY appends the message to dst under the default options.
	AppendZMY(dst []byte) ([]byte, error)
	// AppendZMYOptions appends the message to dst. On error dst is unchanged
	// up to its length, and nothing is appended. Where dst has no memory of its
	// own the result is one allocation of the message's size, of up to an eighth
	// more for messages beyond 1 MiB.
	AppendZMYOptions(dst []byte, o MarshalOptions) ([]byte, error)
}

// Unmarshaler is a type with generated unmarshal code.
type Unmarshaler interface {
	// UnmarshalZMY stores the message b under the default options.
	UnmarshalZMY(b []byte) error
	// UnmarshalZMYOptions stores the message b.
	UnmarshalZMYOptions(b []byte, o UnmarshalOptions) error
}

// AfterUnmarshaler is a struct type that checks or completes itself. Its method is
// called for each such struct that stands in the message, when its fields are
// set, those inside before those around it. An error of it ends unmarshalling
// and can be found by errors.Is, as can [ErrMethod]. A method that a struct has only
// from a field that it embeds is not called for it, nor for zero values, which
// take no bytes.
type AfterUnmarshaler interface {
	AfterUnmarshalZMY() error
}

// Marshal returns v as a message. v is a struct or a pointer to one; a pointer
// saves a copy.
func Marshal(v any) ([]byte, error) { return MarshalOptions{}.Marshal(v) }

// Append appends v as a message to dst.
func Append(dst []byte, v any) ([]byte, error) { return MarshalOptions{}.Append(dst, v) }

// Unmarshal stores the message b into v, a pointer to a struct. It keeps no
// reference to b. On error v may hold part of the message.
func Unmarshal(b []byte, v any) error { return UnmarshalOptions{}.Unmarshal(b, v) }

// Marshal is the function of that name under these options.
func (o MarshalOptions) Marshal(v any) ([]byte, error) { return o.Append(nil, v) }

// Append is the function of that name under these options.
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

// Unmarshal is the function of that name under these options.
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
