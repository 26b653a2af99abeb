package fxjson

import "github.com/zmylab/zmy/fxjson/jsonrt"

// MarshalOptions say how values are written. The zero value is not what
// [Marshal] does: begin with [DefaultMarshal]. Generated code carries them.
type MarshalOptions struct {
	EscapeHTML  bool // write <, > and & as \u escapes
	SortMapKeys bool // write the members of maps in the order of their names
}

// DefaultMarshal is what [Marshal] and encoding/json do.
var DefaultMarshal = MarshalOptions{EscapeHTML: true, SortMapKeys: true}

// Marshal returns the JSON encoding of v.
func (o MarshalOptions) Marshal(v any) ([]byte, error) { return jsonrt.MarshalWith(v, o.flags()) }

// Append appends the JSON encoding of v to dst and returns the longer slice; on
// an error it returns dst.
func (o MarshalOptions) Append(dst []byte, v any) ([]byte, error) {
	return jsonrt.AppendWith(dst, v, o.flags())
}

func (o MarshalOptions) flags() (f jsonrt.Options) {
	if !o.EscapeHTML {
		f |= jsonrt.PlainHTML
	}
	if !o.SortMapKeys {
		f |= jsonrt.Unsorted
	}
	return f
}

// UnmarshalOptions say how documents are read. The zero value is what
// [Unmarshal] and encoding/json do.
type UnmarshalOptions struct {
	UseNumber             bool // numbers in interfaces become a Number, not a float64
	DisallowUnknownFields bool // a key that its struct does not have is an error

	// FastErrors spares the second pass that encoding/json makes over a document
	// for the sake of an error's text, and of what remains in the target. The
	// same documents are refused, with a [*MalformedError] or the first
	// [*UnmarshalTypeError] without names of fields; values before and after the
	// wrong one are set.
	FastErrors bool

	// ShareStrings lets the strings of a large document share one copy of it too,
	// as those of documents up to 64 KiB do: less time, and memory that is kept
	// as long as any of them.
	ShareStrings bool
}

// MalformedError tells where a document is malformed if FastErrors are set.
type MalformedError = jsonrt.SyntaxError

// Unmarshal decodes the JSON document b into v, a pointer.
func (o UnmarshalOptions) Unmarshal(b []byte, v any) error {
	return jsonrt.UnmarshalWith(b, v, o.flags())
}

func (o UnmarshalOptions) flags() (f jsonrt.Options) {
	for _, x := range [...]struct {
		on   bool
		flag jsonrt.Options
	}{
		{o.UseNumber, jsonrt.UseNumber}, {o.DisallowUnknownFields, jsonrt.RefuseUnknown},
		{o.FastErrors, jsonrt.FastErrors}, {o.ShareStrings, jsonrt.ShareStrings},
	} {
		if x.on {
			f |= x.flag
		}
	}
	return f
}
