package ginx

import (
	"io"

	"github.com/gin-gonic/gin/codec/json"

	"github.com/zmylab/zmy/fxjson"
)

// UseFXJSON makes Gin use fxjson wherever it uses JSON, such as c.JSON, BindJSON and
// ShouldBindJSON. Bytes and values stay those of encoding/json. Gin keeps its JSON in a variable
// without a lock, so call UseFXJSON before serving. It returns a function that restores the
// previous JSON.
//
// It also replaces the JSON that Gin's build tags jsoniter, go_json and sonic select.
func UseFXJSON() (restore func()) {
	was := json.API
	json.API = JSON{}
	return func() { json.API = was }
}

// JSON provides fxjson through Gin's interface.
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
