package fxjson

import "github.com/zmylab/zmy/fxjson/jsonrt"

// MarshalOptions say how values are written. They apply to generated code too. The zero value
// differs from what [Marshal] does, so begin with [DefaultMarshal].
type MarshalOptions struct {
	EscapeHTML  bool // write <, > and & as \u escapes
	SortMapKeys bool // write the members of maps in the order of their names

	// NilSliceAsEmpty writes nil slices as [], and nil bytes as "". NilMapAsEmpty writes nil maps
	// as {}. They are the opposites of FormatNilSliceAsNull and FormatNilMapAsNull of
	// encoding/json/v2.
	NilSliceAsEmpty, NilMapAsEmpty bool

	// DiscardUnknownMembers leaves out the members that are kept in fields with struct tag
	// fxjson:"unknown", as in encoding/json/v2.
	DiscardUnknownMembers bool

	// Marshalers marshal the values of their types in place of generated code and methods; nil for
	// none.
	Marshalers *Marshalers
}

// DefaultMarshal holds the options of [Marshal] and encoding/json.
var DefaultMarshal = MarshalOptions{EscapeHTML: true, SortMapKeys: true}

// Marshal returns the JSON encoding of v.
func (o MarshalOptions) Marshal(v any) ([]byte, error) {
	if o.Marshalers != nil {
		return o.Append(nil, v)
	}
	return jsonrt.MarshalWith(v, o.flags())
}

// Append appends the JSON encoding of v to dst and returns the longer slice; on
// an error it returns dst.
func (o MarshalOptions) Append(dst []byte, v any) ([]byte, error) {
	if o.Marshalers != nil {
		return jsonrt.AppendBy(dst, v, o.flags(), o.Marshalers.fs)
	}
	return jsonrt.AppendWith(dst, v, o.flags())
}

func (o MarshalOptions) flags() (f jsonrt.Options) {
	if !o.EscapeHTML {
		f |= jsonrt.PlainHTML
	}
	if !o.SortMapKeys {
		f |= jsonrt.Unsorted
	}
	if o.NilSliceAsEmpty {
		f |= jsonrt.EmptySlices
	}
	if o.NilMapAsEmpty {
		f |= jsonrt.EmptyMaps
	}
	if o.DiscardUnknownMembers {
		f |= jsonrt.DropUnknown
	}
	return f
}

// UnmarshalOptions say how documents are read. The zero value is what
// [Unmarshal] and encoding/json do.
type UnmarshalOptions struct {
	UseNumber             bool // numbers in interfaces become a Number, not a float64
	DisallowUnknownFields bool // a key without a field in its struct is an error

	// FastErrors avoids a second pass. Without it, encoding/json decodes a document with an error
	// once more, for the error's text and for the values that remain in the target. With it, the
	// same documents are refused. The error is a [*MalformedError], or an [*UnmarshalTypeError] for
	// the first wrong value, without names of fields. Values before and after the wrong one are
	// set.
	FastErrors bool

	// ShareStrings lets the strings of a document share one copy of it, however large it is. For
	// documents of more than 64 KiB that takes less time, but each string keeps the whole copy in
	// memory.
	ShareStrings bool

	// encoding/json does not know MatchCaseSensitiveNames and UseInt64. If either is set, errors
	// are those of FastErrors. Methods UnmarshalJSON, and types that are left to encoding/json,
	// ignore these two options, but obey DisallowDuplicateNames.

	// MatchCaseSensitiveNames makes a key unknown if it equals a field's name only when case is
	// ignored.
	MatchCaseSensitiveNames bool
	// DisallowDuplicateNames refuses documents in which an object has a name twice. The error is a
	// [*DuplicateError], and nothing is decoded.
	DisallowDuplicateNames bool
	// UseInt64 decodes a whole number into an interface as an int64, or as a float64 if no int64
	// can hold it.
	UseInt64 bool

	// Unmarshalers unmarshal the values of their types in place of generated code and methods; nil
	// for none. With them, errors are those of FastErrors.
	Unmarshalers *Unmarshalers
}

// DuplicateError says which name occurs twice in an object, if DisallowDuplicateNames is set.
type DuplicateError = jsonrt.DuplicateError

// MissingError says which members with struct tag fxjson:"required" an object lacks, and where the
// object is.
type MissingError = jsonrt.MissingError

// MalformedError says where a document is malformed. [Parse] and [Get] return it, and Unmarshal if
// FastErrors is set.
type MalformedError = jsonrt.SyntaxError

// Unmarshal decodes the JSON document b into v, a pointer.
func (o UnmarshalOptions) Unmarshal(b []byte, v any) error {
	if o.Unmarshalers != nil {
		return jsonrt.UnmarshalBy(b, v, o.flags(), o.Unmarshalers.fs)
	}
	return jsonrt.UnmarshalWith(b, v, o.flags())
}

func (o UnmarshalOptions) flags() (f jsonrt.Options) {
	for _, x := range [...]struct {
		on   bool
		flag jsonrt.Options
	}{
		{o.UseNumber, jsonrt.UseNumber}, {o.DisallowUnknownFields, jsonrt.RefuseUnknown},
		{o.FastErrors, jsonrt.FastErrors}, {o.ShareStrings, jsonrt.ShareStrings},
		{o.MatchCaseSensitiveNames, jsonrt.ExactNames | jsonrt.FastErrors}, {o.UseInt64, jsonrt.Integers | jsonrt.FastErrors},
		{o.DisallowDuplicateNames, jsonrt.RefuseDuplicates},
	} {
		if x.on {
			f |= x.flag
		}
	}
	return f
}
