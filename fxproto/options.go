package fxproto

import (
	"sync"

	"github.com/zmylab/zmy/internal/pbreflect"
)

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
	// Reflection does not call generated methods. Results are the same, but slower.
	Reflection bool
}

// scratch has buffers for Marshal with generated code, which then copies the message once.
var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

// maxScratch is the largest buffer in bytes that is kept.
const maxScratch = 64 << 10

// Marshal is [Marshal] with options.
func (o MarshalOptions) Marshal(v any) ([]byte, error) {
	if a, ok := v.(markedAppender); ok && !o.Reflection && ownMarked(v) {
		return o.generated(a)
	}
	if a, ok := v.(appender); ok && !o.Reflection && ownAndSet(v) {
		return o.generated(a)
	}
	b, err := o.Append([]byte{}, v)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// generated marshals by a generated method. The buffer that it fills is used again, so that the result has
// the memory that it needs.
func (o MarshalOptions) generated(a appender) ([]byte, error) {
	p := scratch.Get().(*[]byte)
	b, err := a.AppendProto((*p)[:0], o)
	if err != nil {
		scratch.Put(p)
		return nil, err
	}
	out := make([]byte, len(b)) // the compiler does not clear memory that is overwritten at once
	copy(out, b)
	if cap(b) <= maxScratch {
		*p = b
		scratch.Put(p)
	}
	return out, nil
}

// Append is [Append] with options.
func (o MarshalOptions) Append(dst []byte, v any) ([]byte, error) {
	if a, ok := v.(markedAppender); ok && !o.Reflection && ownMarked(v) {
		return a.AppendProto(dst, o)
	}
	if a, ok := v.(appender); ok && !o.Reflection && ownAndSet(v) {
		return a.AppendProto(dst, o)
	}
	p, x, err := readable("marshal", v)
	if err != nil || !x.IsValid() {
		return dst, err
	}
	out, failed := p.Append(dst, x, o.Deterministic)
	return out, encodeError(x.Type(), failed)
}

// Size is [Size] with options. Deterministic does not matter to it.
func (o MarshalOptions) Size(v any) (int, error) {
	if s, ok := v.(sizer); ok && !o.Reflection && ownAndSet(v) {
		return s.SizeProto()
	}
	p, x, err := readable("size", v)
	if err != nil || !x.IsValid() {
		return 0, err
	}
	n, failed := p.Size(x)
	return n, encodeError(x.Type(), failed)
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
	// since slices grow in steps, and maps by 5/2 of the size of their entries, or by 64 bytes and
	// eight times the size for an entry that follows another field. An entry has the size of a struct
	// of its key and its value, and a byte more. A message that needs more is refused with
	// [ErrMemory], by Verify too.
	//
	// Without a limit the worst amplification is that of a list of large structs, or of maps with
	// one entry: 2 bytes of the message for each element that is empty, so a struct of 1 KiB is
	// charged 1024 bytes for each byte of the message. With the limit, the result has at most
	// MaxMemory bytes. While a slice or a map grows, its old memory is in use too, so that the peak
	// may be up to twice that, and generated code allocates up to MaxMemory more ahead of elements that have not come.
	//
	// Generated code copies the text of a message of up to 32 KiB once, and that of a larger one in
	// blocks of 32 KiB, of which up to a quarter may stay empty. A string that is kept may keep 32 KiB
	// in memory.
	MaxMemory int64
	// Reuse lets Unmarshal fill the slices, the maps and the messages behind pointers that v holds from
	// earlier. Others that hold them see them change, so v must not hold one of them twice, nor behind the
	// end of a slice what it holds elsewhere. The result is that of Unmarshal into a new value,
	// but lists and maps that the message does not have are empty, not nil. Elements behind the end of
	// slices keep what earlier messages had there, and with it the memory of their strings. Generated code
	// reuses memory at all levels but in the values of maps, reflection that of v and of structs in it.
	// Merge ignores the option.
	Reuse bool
	// Reflection does not call generated methods. Results are the same, but slower.
	Reflection bool
}

// unmarshal is the operation in the errors of Unmarshal, Merge and Verify.
const unmarshal = "unmarshal"

// Unmarshal is [Unmarshal] with options.
func (o UnmarshalOptions) Unmarshal(b []byte, v any) error {
	if u, ok := v.(markedUnmarshaler); ok && !o.Reflection && ownMarked(v) {
		if !o.Reuse {
			u.ResetProto()
		}
		return u.UnmarshalProto(b, o)
	}
	if u, ok := v.(unmarshaler); ok && !o.Reflection && ownAndSet(v) {
		o.Reuse = false // methods that are written by hand need not know it
		if r, ok := v.(resetter); ok {
			r.ResetProto()
			return u.UnmarshalProto(b, o)
		}
	}
	p, x, err := settable(v)
	if err != nil {
		return err
	}
	if o.Reuse {
		p.Recycle(x)
	} else {
		p.Clear(x)
	}
	if u, ok := v.(unmarshaler); ok && !o.Reflection && own(v) {
		return u.UnmarshalProto(b, o)
	}
	return decodeError(x.Type(), p.Merge(b, x, o.internal(b)))
}

// Merge is [Merge] with options.
func (o UnmarshalOptions) Merge(b []byte, v any) error {
	o.Reuse = false
	if u, ok := v.(unmarshaler); ok && !o.Reflection && ownAndSet(v) {
		return u.UnmarshalProto(b, o)
	}
	p, x, err := settable(v)
	if err != nil {
		return err
	}
	return decodeError(x.Type(), p.Merge(b, x, o.internal(b)))
}

// Verify is [Verify] with options.
func (o UnmarshalOptions) Verify(b []byte, v any) error {
	if u, ok := v.(verifier); ok && !o.Reflection && own(v) {
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
