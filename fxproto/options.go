package fxproto

import "github.com/zmylab/zmy/internal/pbreflect"

// The limits that apply where an option is 0.
const (
	DefaultMaxDepth  = 10000     // levels of messages
	DefaultMaxMemory = 256 << 20 // bytes, besides 16 for each byte of the message
)

// MarshalOptions directs Marshal. The zero value is the default.
type MarshalOptions struct {
	// Deterministic writes the entries of maps in the order of their keys: false before true,
	// numbers by value, strings by bytes. Equal values of a type then have equal messages.
	Deterministic bool
}

// Marshal is [Marshal] with options.
func (o MarshalOptions) Marshal(v any) ([]byte, error) {
	b, err := o.Append([]byte{}, v)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Append is [Append] with options.
func (o MarshalOptions) Append(dst []byte, v any) ([]byte, error) {
	if a, ok := v.(appender); ok && !isNil(v) {
		return a.AppendProto(dst, o)
	}
	p, x, err := readable("marshal", v)
	if err != nil || !x.IsValid() {
		return dst, err
	}
	out, failed := p.Append(dst, x, o.Deterministic)
	return out, encodeError(x.Type(), failed)
}

// UnmarshalOptions directs Unmarshal, Merge and Verify. The zero value is the default.
type UnmarshalOptions struct {
	// Alias lets strings and slices of bytes of the result share memory with the message, which must
	// then not change while they are used. With the build tag purego, strings are copied.
	Alias bool
	// DiscardUnknown drops unknown fields, although the struct has a field for them.
	DiscardUnknown bool
	// MaxDepth is how deep messages may be nested. The message itself is one level, and so is each
	// entry of a map. 0 means DefaultMaxDepth.
	MaxDepth int
	// MaxMemory limits the memory in bytes of the result. 0 means DefaultMaxMemory and 16 bytes for
	// each byte of the message. Memory is charged before it is allocated: strings and bytes by their
	// length, pointers by the size of what they point to, elements of lists by twice their size,
	// since slices grow in steps, and maps by twice the size of their entries, or by 64 bytes and
	// eight times the size for an entry that follows another field. A message that needs more is
	// refused with [ErrMemory], by Verify too.
	//
	// Without a limit the worst amplification is that of a list of large structs, or of maps with
	// one entry: 2 bytes of the message for each element that is empty, so a struct of 1 KiB is
	// charged 1024 bytes for each byte of the message. With the limit, the result has at most
	// MaxMemory bytes. While a slice or a map grows, its old memory is in use too, so that the peak
	// may be up to twice MaxMemory: 512 MiB and 32 bytes for each byte of the message by default.
	MaxMemory int64
}

// unmarshal is the operation in the errors of Unmarshal, Merge and Verify.
const unmarshal = "unmarshal"

// Unmarshal is [Unmarshal] with options.
func (o UnmarshalOptions) Unmarshal(b []byte, v any) error {
	p, x, err := settable(v)
	if err != nil {
		return err
	}
	p.Clear(x)
	if u, ok := v.(unmarshaler); ok {
		return u.UnmarshalProto(b, o)
	}
	return decodeError(x.Type(), p.Merge(b, x, o.internal(b)))
}

// Merge is [Merge] with options.
func (o UnmarshalOptions) Merge(b []byte, v any) error {
	p, x, err := settable(v)
	if err != nil {
		return err
	}
	if u, ok := v.(unmarshaler); ok {
		return u.UnmarshalProto(b, o)
	}
	return decodeError(x.Type(), p.Merge(b, x, o.internal(b)))
}

// Verify is [Verify] with options.
func (o UnmarshalOptions) Verify(b []byte, v any) error {
	if u, ok := v.(verifier); ok {
		return u.VerifyProto(b, o)
	}
	p, t, err := planOf(unmarshal, v)
	if err != nil {
		return err
	}
	return decodeError(t, p.Verify(b, o.internal(b)))
}

// internal returns the options for the message b with the defaults in place.
func (o UnmarshalOptions) internal(b []byte) pbreflect.Options {
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	if o.MaxMemory <= 0 {
		o.MaxMemory = DefaultMaxMemory + 16*int64(len(b))
	}
	return pbreflect.Options{Alias: o.Alias, DiscardUnknown: o.DiscardUnknown, Depth: o.MaxDepth, Memory: o.MaxMemory}
}
