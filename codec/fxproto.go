package codec

import (
	"errors"

	"github.com/zmylab/zmy/fxproto"
)

// FXProto is package fxproto: protobuf messages of the program's own structs, whose fields have struct
// tags with their numbers. Its name is "fxproto", its media types are application/protobuf and two
// that were used before. The zero value has the default limits. Messages that protoc-gen-go has
// generated are for adapters/protox. A message has neither an end nor a length, so streams use
// [Framed].
type FXProto struct {
	UnmarshalOptions fxproto.UnmarshalOptions // Alias would break the promise of Unmarshal and is ignored
}

var (
	_ Appender   = FXProto{}
	_ Stable     = FXProto{}
	_ Viewer     = FXProto{}
	_ MediaTyped = FXProto{}
)

// Name returns "fxproto".
func (FXProto) Name() string { return "fxproto" }

// MediaTypes returns the media type of draft-ietf-dispatch-mime-protobuf, and two that were used
// before.
func (FXProto) MediaTypes() []string { return protoTypes }

var protoTypes = []string{"application/protobuf", "application/x-protobuf", "application/vnd.google.protobuf"}

// Marshal is fxproto.Marshal.
func (c FXProto) Marshal(v any) ([]byte, error) { return c.marshal(nil, v, fxproto.MarshalOptions{}) }

// MarshalStable writes the entries of maps in the order of their keys.
func (c FXProto) MarshalStable(v any) ([]byte, error) {
	return c.marshal(nil, v, fxproto.MarshalOptions{Deterministic: true})
}

func (c FXProto) marshal(dst []byte, v any, o fxproto.MarshalOptions) (b []byte, err error) {
	if isNil(v) {
		return dst, NewError(c, OpMarshal, v, ErrNilValue)
	}
	if dst == nil {
		b, err = o.Marshal(v)
	} else {
		b, err = o.Append(dst, v)
	}
	if err != nil {
		return dst, NewError(c, OpMarshal, v, protoClass(err))
	}
	return b, nil
}

// AppendMarshal is fxproto.Append.
func (c FXProto) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if dst == nil {
		dst = []byte{}
	}
	return c.marshal(dst, v, fxproto.MarshalOptions{})
}

// Unmarshal is fxproto.Unmarshal with the options, except Alias.
func (c FXProto) Unmarshal(b []byte, v any) error { return c.unmarshal(b, v, false) }

// UnmarshalView is Unmarshal with fxproto.UnmarshalOptions.Alias: strings and byte slices of v are
// parts of b.
func (c FXProto) UnmarshalView(b []byte, v any) error { return c.unmarshal(b, v, true) }

func (c FXProto) unmarshal(b []byte, v any, alias bool) error {
	if isNil(v) {
		return NewError(c, OpUnmarshal, v, ErrNilTarget)
	}
	o := c.UnmarshalOptions
	o.Alias = alias
	if err := o.Unmarshal(b, v); err != nil {
		return NewError(c, OpUnmarshal, v, protoClass(err))
	}
	return nil
}

// protoClass gives an error of fxproto its class. It stands here and not in [ClassOf], so that
// programs without this codec do not link package fxproto.
func protoClass(err error) error {
	var typ *fxproto.TypeError
	var decode *fxproto.DecodeError
	switch {
	case errors.As(err, &typ):
		return WithClass(ClassUnsupported, err)
	case errors.Is(err, fxproto.ErrDepth), errors.Is(err, fxproto.ErrMemory):
		return WithClass(ClassLimit, err)
	case errors.Is(err, fxproto.ErrRange):
		return WithClass(ClassType, err)
	case errors.As(err, &decode):
		return WithClass(ClassSyntax, err)
	}
	return WithClass(ClassType, err)
}
