// Package cbor is the contender github.com/fxamacker/cbor.
package cbor

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "cbor", Family: "binary", Extra: true,
	Text: "fxamacker/cbor v2, RFC 3339 times, text for types with text methods",
	Adopt: &run.Adopt{Import: "github.com/fxamacker/cbor/v2", Imports: []string{"reflect"}, Code: `
var cborEncoding, cborDecoding = cborModes()

// cborModes keep times to the nanosecond, and text for types with text methods.
func cborModes() (cbor.EncMode, cbor.DecMode) {
	enc, err := cbor.EncOptions{
		Time: cbor.TimeRFC3339Nano, TimeTag: cbor.EncTagRequired,
		TextMarshaler: cbor.TextMarshalerTextString,
	}.EncMode()
	if err != nil {
		panic(err)
	}
	dec, err := cbor.DecOptions{
		DefaultMapType:  reflect.TypeFor[map[string]any](),
		IntDec:          cbor.IntDecConvertSignedOrBigInt,
		TextUnmarshaler: cbor.TextUnmarshalerTextString,
		MaxArrayElements: 1 << 24, MaxMapPairs: 1 << 24,
	}.DecMode()
	if err != nil {
		panic(err)
	}
	return enc, dec
}
`,
		Marshal: "cborEncoding.Marshal(v)", Unmarshal: "cborDecoding.Unmarshal(b, &v)"},
	Abilities: contender.Binary.But(contender.Abilities{
		Languages:     "yes; CBOR, RFC 8949",
		Any:           "yes; as int64",
		Time:          "nanoseconds; tagged RFC 3339 text, an option",
		Deterministic: "no; option Sort, not measured",
		Validation:    "yes; well-formedness first",
		Licence:       "MIT",
		Released:      "2026-10-28",
	}),
}, "cbor", "json")
