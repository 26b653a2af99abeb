// Package jsoniterx is a codec of JSON by github.com/json-iterator/go.
//
//	codecs := codec.NewRegistry(jsoniterx.Codec{}, codec.Gob{})
//
// It is for services that use that library and want to observe or replace it:
// docs/guide/migrate-jsoniter.md describes the way to fxjson and back.
package jsoniterx

import (
	"encoding/json"
	"io"

	jsoniter "github.com/json-iterator/go"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is JSON by that library. Its name is "jsoniter", its media type application/json. A stream
// is values separated by line feeds.
type Codec struct {
	// API is the library's configuration; nil means jsoniter.ConfigCompatibleWithStandardLibrary.
	API jsoniter.API
}

var (
	_ codec.Appender   = Codec{}
	_ codec.Stable     = Codec{}
	_ codec.Streamer   = Codec{}
	_ codec.MediaTyped = Codec{}
)

func (c Codec) api() jsoniter.API {
	if c.API == nil {
		return jsoniter.ConfigCompatibleWithStandardLibrary
	}
	return c.API
}

// Name returns "jsoniter".
func (Codec) Name() string { return "jsoniter" }

// MediaTypes returns the media types of JSON.
func (Codec) MediaTypes() []string { return codec.StdJSON{}.MediaTypes() }

// Marshal returns one document.
func (c Codec) Marshal(v any) ([]byte, error) {
	b, err := c.api().Marshal(v)
	return b, codec.NewError(c, codec.OpMarshal, v, unsupported.Of(err))
}

// MarshalStable returns one document with sorted keys of maps. It uses
// jsoniter.ConfigCompatibleWithStandardLibrary, whatever API is.
func (c Codec) MarshalStable(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// AppendMarshal appends one document.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	api := c.api()
	s := api.BorrowStream(nil)
	own := s.Buffer()
	s.SetBuffer(dst)
	s.WriteVal(v)
	b, err := s.Buffer(), s.Error
	s.SetBuffer(own) // the pooled stream must not keep dst, which is the caller's
	api.ReturnStream(s)
	if err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, unsupported.Of(err))
	}
	return b, nil
}

// Unmarshal reads one document.
func (c Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classed(b, c.api().Unmarshal(b, v)))
}

// NewEncoder returns an encoder that writes values, each followed by a line feed.
func (c Codec) NewEncoder(w io.Writer) codec.Encoder {
	return adapt.Encoder{Codec: c, To: c.api().NewEncoder(w), Class: unsupported.Of}
}

// NewDecoder returns a decoder of values. It finds the end of each value with encoding/json,
// because the library's own decoder (v1.1.12) takes a line feed after the last value for another
// value.
func (c Codec) NewDecoder(r io.Reader) codec.Decoder { return adapt.JSONDecoder(c, r) }

// unsupported recognises errors of marshalling by their texts, because they have no types of their
// own.
var unsupported = adapt.Classes{{codec.ClassUnsupported, adapt.Says("unsupported")}}

// classed gives errors of unmarshalling a class of package codec. They have no types of their own.
// If the document is valid JSON, the error must be that the document does not fit the type.
func classed(b []byte, err error) error {
	switch {
	case err == nil || codec.ClassOf(err) != codec.ClassOther:
		return err
	case json.Valid(b):
		return codec.WithClass(codec.ClassType, err)
	}
	return codec.WithClass(codec.ClassSyntax, err)
}
