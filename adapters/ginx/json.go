package ginx

import (
	"io"

	"github.com/gin-gonic/gin/codec/json"

	"github.com/zmylab/zmy/fxjson"
)

// UseFXJSON puts fxjson behind everything that Gin does with JSON: c.JSON and its kin, BindJSON and
// ShouldBindJSON. Bytes and values stay those of encoding/json. Gin holds its JSON in a variable
// without a lock: call it before serving. It returns a function that puts back what was there.
//
// Gin built with one of its tags jsoniter, go_json or sonic is overridden too.
func UseFXJSON() (restore func()) {
	was := json.API
	json.API = JSON{}
	return func() { json.API = was }
}

// JSON is fxjson by Gin's interface.
type JSON struct{}

var _ json.Core = JSON{}

// Marshal is [fxjson.Marshal].
func (JSON) Marshal(v any) ([]byte, error) { return fxjson.Marshal(v) }

// Unmarshal is [fxjson.Unmarshal].
func (JSON) Unmarshal(data []byte, v any) error { return fxjson.Unmarshal(data, v) }

// MarshalIndent is [fxjson.MarshalIndent].
func (JSON) MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	return fxjson.MarshalIndent(v, prefix, indent)
}

// NewEncoder is [fxjson.NewEncoder].
func (JSON) NewEncoder(w io.Writer) json.Encoder { return fxjson.NewEncoder(w) }

// NewDecoder is [fxjson.NewDecoder].
func (JSON) NewDecoder(r io.Reader) json.Decoder { return fxjson.NewDecoder(r) }
