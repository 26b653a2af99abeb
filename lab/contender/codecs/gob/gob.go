// Package gob is the contender encoding/gob, each message by itself.
package gob

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "gob", Family: "binary", Extra: true,
	Text: "encoding/gob, a new Encoder and Decoder for each message",
	Adopt: &run.Adopt{Imports: []string{"bytes", "encoding/gob"}, Code: `
// marshalGob encodes one message with its type.
func marshalGob(v any) ([]byte, error) {
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(v)
	return buf.Bytes(), err
}

// unmarshalGob decodes one message.
func unmarshalGob(b []byte, v any) error {
	return gob.NewDecoder(bytes.NewReader(b)).Decode(v)
}
`,
		Setup:   "gob.Register for each type that is found inside an interface",
		Marshal: "marshalGob(v)", Unmarshal: "unmarshalGob(b, &v)"},
	Abilities: contender.Binary.But(contender.Abilities{
		Languages:  "no; Go",
		Any:        "yes; types are registered",
		Time:       "nanoseconds; and the zone",
		Validation: "partly; lengths and types",
		Streaming:  "yes; it is a stream",
		Licence:    "BSD-3-Clause",
	}),
})
