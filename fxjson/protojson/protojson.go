package protojson

import (
	"reflect"
	"sync"
	"unicode/utf8"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// MarshalOptions directs Marshal. The zero value is the default.
type MarshalOptions struct {
	UseProtoNames  bool // names are those of .proto files: unit_price
	UseEnumNumbers bool // enums are numbers
	// EmitDefaultValues writes fields without presence that have their zero value: 0, "", false, [], {}.
	EmitDefaultValues bool
	// EmitUnpopulated writes these too, and null for absent fields with presence, but for arms of oneofs.
	EmitUnpopulated bool
	// Resolver is that of UnmarshalOptions.
	Resolver func(url string) (reflect.Type, error)
}

// UnmarshalOptions directs Unmarshal. The zero value is the default.
type UnmarshalOptions struct {
	// DiscardUnknown passes over members that the struct does not have, and over unknown names of enums.
	DiscardUnknown bool
	// MaxDepth is how deep messages may be nested. The message itself is one level, and so is each value
	// in an any, map[string]any or []any, and a fxproto.Any beside its message. 0 means DefaultMaxDepth.
	MaxDepth int
	// MaxMemory limits the memory in bytes of the result, apart from texts and bytes, which are not longer
	// than the document. 0 means DefaultMaxMemory and 16 bytes for each byte of the document. Memory is
	// charged before it is allocated: pointers by the size of what they point to, elements of lists by
	// twice their size, since slices grow in steps, and maps by 64 bytes and twice the size of their
	// entries. Values in an any take 16 bytes if they are numbers or strings, 32 and 32 for each element if
	// they are lists, and 64 and 83 for each entry, 328 for the first one, if they are maps. A fxproto.Any
	// takes the size of the struct that its message is read into, and the bytes of its Value. Members before
	// its @type, which are read twice, count too. Without a limit, an element of a list, {}, takes three
	// bytes, whatever its struct has.
	MaxMemory int64
	// Resolver returns the type of the message in a google.protobuf.Any, given the Any's TypeURL. It is a
	// struct, or the Go type of a message of google.protobuf: time.Time, time.Duration, fxproto.Any, any,
	// map[string]any, []any, and bool, string, []byte or a number for a wrapper. Without a Resolver, an
	// Any that is not empty is refused with ErrAny. It must be safe for concurrent use if Unmarshal is.
	Resolver func(url string) (reflect.Type, error)
}

// The limits that apply where an option is 0.
const (
	DefaultMaxDepth  = 10000     // levels of messages; Marshal has this limit too
	DefaultMaxMemory = 256 << 20 // bytes, besides 16 for each byte of the document
)

// Marshal returns the document of v, a struct or a pointer to one. A nil pointer is an empty message:
// {}. The error is a [*TypeError] or an [*EncodeError]. Maps are written in the order of their keys.
func Marshal(v any) ([]byte, error) { return MarshalOptions{}.Marshal(v) }

// Append appends the document of v to dst and returns the longer slice. On an error it returns dst.
func Append(dst []byte, v any) ([]byte, error) { return MarshalOptions{}.Append(dst, v) }

// Unmarshal sets the fields of v, a pointer to a struct, to those of the document b. Fields that are
// not in the document become zero; Go fields that are not carried keep their values. The error is a
// [*TypeError] or a [*DecodeError]; after an error the fields have any values. The result shares no
// memory with b.
func Unmarshal(b []byte, v any) error { return UnmarshalOptions{}.Unmarshal(b, v) }

// scratch has buffers for documents that are copied: results of Marshal, and padded inputs.
var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

// maxScratch is the largest buffer in bytes that is kept.
const maxScratch = 64 << 10

func keep(p *[]byte, b []byte) {
	if cap(b) <= maxScratch {
		*p = b
	}
	scratch.Put(p)
}

// Marshal is [Marshal] with options.
func (o MarshalOptions) Marshal(v any) ([]byte, error) {
	p := scratch.Get().(*[]byte)
	b, err := o.Append((*p)[:0], v)
	var out []byte
	if err == nil {
		out = make([]byte, len(b)) // the compiler does not clear memory that is overwritten at once
		copy(out, b)
	}
	keep(p, b)
	return out, err
}

// Append is [Append] with options.
func (o MarshalOptions) Append(dst []byte, v any) ([]byte, error) {
	p, err := planOf("marshal", v)
	if err != nil {
		return dst, err
	}
	x := reflect.ValueOf(v)
	if x.Kind() == reflect.Pointer {
		if x.IsNil() {
			return append(dst, "{}"...), nil
		}
		x = x.Elem()
	}
	e := encoder{b: dst, opt: o}
	if f := e.message(p.root, x, DefaultMaxDepth); f != nil {
		return dst, &EncodeError{Type: nameOf(x.Type()), Path: f.where(), Err: f.err, note: f.note}
	}
	return e.b, nil
}

// Unmarshal is [Unmarshal] with options.
func (o UnmarshalOptions) Unmarshal(b []byte, v any) error {
	p, err := planOf("unmarshal", v)
	if err != nil {
		return err
	}
	x := reflect.ValueOf(v)
	if x.Kind() != reflect.Pointer || x.IsNil() {
		return &TypeError{Op: "unmarshal", Type: x.Type().String(), Msg: "there is no variable to set", Hint: "pass a pointer that is not nil"}
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	if o.MaxMemory <= 0 {
		o.MaxMemory = DefaultMaxMemory + 16*int64(len(b))
	}
	x = x.Elem()
	p.root.clear(x)
	if bad := o.read(p.root, b, x); bad != nil {
		return &DecodeError{Type: nameOf(x.Type()), Path: bad.where(), Offset: bad.offset, Err: bad.err, note: bad.note}
	}
	return nil
}

// read reads the document b into x.
func (o UnmarshalOptions) read(m *message, b []byte, x reflect.Value) *failure {
	if !utf8.Valid(b) {
		return fail(ErrUTF8, invalidUTF8(b), "")
	}
	p := scratch.Get().(*[]byte)
	d := decoder{b: jsonwire.Padded(*p, b), opt: o, memory: o.MaxMemory}
	defer func() { keep(p, d.b) }()
	i, bad := d.message(m, x, jsonwire.SkipSpace(d.b, 0), o.MaxDepth)
	if bad == nil {
		if i = jsonwire.SkipSpace(d.b, i); i != len(b) {
			bad = fail(ErrSyntax, i, "text after the document")
		}
	}
	return bad
}

// invalidUTF8 returns the index of the first byte that is not UTF-8.
func invalidUTF8(b []byte) int {
	i := 0
	for i < len(b) {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return i
}
