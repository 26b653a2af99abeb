package fxjson

import (
	"bytes"
	"encoding/json"
)

// MarshalOptions say how values are written. The zero value is not the default;
// begin with [DefaultMarshal].
type MarshalOptions struct {
	EscapeHTML bool // write <, > and & as \u escapes
}

// DefaultMarshal is what [Marshal] and encoding/json do.
var DefaultMarshal = MarshalOptions{EscapeHTML: true}

// Append appends the JSON encoding of v to dst and returns the longer slice; on
// an error it returns dst.
func (o MarshalOptions) Append(dst []byte, v any) ([]byte, error) {
	if o == DefaultMarshal {
		return Append(dst, v)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(o.EscapeHTML)
	if err := enc.Encode(v); err != nil {
		return dst, err
	}
	return append(dst, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...), nil
}

// UnmarshalOptions say how documents are read. The zero value is the default.
type UnmarshalOptions struct {
	UseNumber             bool // numbers in interfaces become a Number, not a float64
	DisallowUnknownFields bool // a key that its struct does not have is an error
}

// Unmarshal decodes the JSON document b into v, a pointer.
func (o UnmarshalOptions) Unmarshal(b []byte, v any) error {
	if o == (UnmarshalOptions{}) {
		return Unmarshal(b, v)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if o.UseNumber {
		d.UseNumber()
	}
	if o.DisallowUnknownFields {
		d.DisallowUnknownFields()
	}
	return d.Decode(v)
}
