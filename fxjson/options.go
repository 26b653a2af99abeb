package fxjson

import "github.com/zmylab/zmy/fxjson/jsonrt"

// MarshalOptions say how values are written. The zero value is not what
// [Marshal] does: begin with [DefaultMarshal]. Generated code carries them.
type MarshalOptions struct {
	EscapeHTML  bool // write <, > and & as \u escapes
	SortMapKeys bool // write the members of maps in the order of their names

	// NilSliceAsEmpty writes nil slices as [], and nil bytes as "". NilMapAsEmpty writes nil maps
	// as {}. They are FormatNilSliceAsNull and FormatNilMapAsNull of encoding/json/v2, the other
	// way round.
	NilSliceAsEmpty, NilMapAsEmpty bool

	// DiscardUnknownMembers leaves out what fields with struct tag fxjson:"unknown" hold, as in
	// encoding/json/v2.
	DiscardUnknownMembers bool

	// Marshalers take the place of how values of their types are marshaled, nil for none.
	Marshalers *Marshalers
}

// DefaultMarshal is what [Marshal] and encoding/json do.
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

	// MatchCaseSensitiveNames and UseInt64 are unknown to encoding/json, so that errors are those
	// of FastErrors with either of them. Methods UnmarshalJSON and types that are left to
	// encoding/json heed DisallowDuplicateNames only.

	// MatchCaseSensitiveNames makes a key that equals a field's name but for case an unknown one.
	MatchCaseSensitiveNames bool
	// DisallowDuplicateNames refuses documents in which an object has a name twice, with a
	// [*DuplicateError] before anything is decoded.
	DisallowDuplicateNames bool
	// UseInt64 makes whole numbers in interfaces an int64, where that holds them, and not a
	// float64.
	UseInt64 bool

	// Unmarshalers take the place of how values of their types are unmarshaled, nil for none.
	// Errors are those of FastErrors with them.
	Unmarshalers *Unmarshalers
}

// DuplicateError says which name an object has twice, if DisallowDuplicateNames is set.
type DuplicateError = jsonrt.DuplicateError

// MissingError says which members with struct tag fxjson:"required" an object lacks, and where it
// is.
type MissingError = jsonrt.MissingError

// MalformedError tells where a document is malformed if FastErrors are set.
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
