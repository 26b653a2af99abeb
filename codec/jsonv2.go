//go:build goexperiment.jsonv2

package codec

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"
)

// JSONv2 is encoding/json/v2 with its own rules, for programs that are built with
// GOEXPERIMENT=jsonv2: names of members match by case, nil slices and maps are []
// and {}, names that stand twice and text that is not UTF-8 are refused. Name "json-v2",
// media type application/json. Its streams are values separated by line feeds.
//
// Options are those of the package: json.JoinOptions joins several.
type JSONv2 struct{ Options json.Options }

var (
	_ Appender   = JSONv2{}
	_ Stable     = JSONv2{}
	_ Streamer   = JSONv2{}
	_ MediaTyped = JSONv2{}
)

// Name is "json-v2".
func (JSONv2) Name() string { return "json-v2" }

// MediaTypes are those of JSON.
func (JSONv2) MediaTypes() []string { return jsonTypes }

func (c JSONv2) options(more ...json.Options) json.Options {
	if c.Options != nil {
		more = append(more, c.Options)
	}
	return json.JoinOptions(more...)
}

// Marshal is json.Marshal.
func (c JSONv2) Marshal(v any) ([]byte, error) {
	b, err := json.Marshal(v, c.options())
	return b, c.failed(OpMarshal, v, err)
}

// MarshalStable is Marshal with the entries of maps in the order of their keys.
func (c JSONv2) MarshalStable(v any) ([]byte, error) {
	b, err := json.Marshal(v, c.options(), json.Deterministic(true))
	return b, c.failed(OpMarshal, v, err)
}

// AppendMarshal writes into dst's spare capacity.
func (c JSONv2) AppendMarshal(dst []byte, v any) ([]byte, error) {
	buf := bytes.NewBuffer(dst)
	if err := json.MarshalWrite(buf, v, c.options()); err != nil {
		return dst, c.failed(OpMarshal, v, err)
	}
	return buf.Bytes(), nil
}

// Unmarshal is json.Unmarshal.
func (c JSONv2) Unmarshal(b []byte, v any) error {
	if isNil(v) {
		return NewError(c, OpUnmarshal, v, ErrNilTarget)
	}
	return c.failed(OpUnmarshal, v, json.Unmarshal(b, v, c.options()))
}

// NewEncoder writes values, each followed by a line feed.
func (c JSONv2) NewEncoder(w io.Writer) Encoder {
	return &jsonv2Encoder{c, jsontext.NewEncoder(w, c.options())}
}

// NewDecoder reads values.
func (c JSONv2) NewDecoder(r io.Reader) Decoder {
	return &jsonv2Decoder{c, jsontext.NewDecoder(r, c.options())}
}

type jsonv2Encoder struct {
	c JSONv2
	e *jsontext.Encoder
}

func (e *jsonv2Encoder) Encode(v any) error {
	return e.c.failed(OpEncode, v, json.MarshalEncode(e.e, v))
}

type jsonv2Decoder struct {
	c JSONv2
	d *jsontext.Decoder
}

func (d *jsonv2Decoder) Decode(v any) error {
	if isNil(v) {
		return NewError(d.c, OpDecode, v, ErrNilTarget)
	}
	err := json.UnmarshalDecode(d.d, v)
	if err == io.EOF {
		return io.EOF
	}
	return d.c.failed(OpDecode, v, err)
}

// failed gives errors of the package, whose types are its own, a class.
func (c JSONv2) failed(op Op, v any, err error) error {
	if err != nil && ClassOf(err) == ClassOther {
		if errors.As(err, new(*jsontext.SyntacticError)) {
			err = WithClass(ClassSyntax, err)
		} else if errors.As(err, new(*json.SemanticError)) {
			class := ClassType
			if op == OpMarshal || op == OpEncode {
				class = ClassUnsupported
			}
			err = WithClass(class, err)
		}
	}
	return NewError(c, op, v, err)
}
