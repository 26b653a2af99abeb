package contender

import "github.com/zmylab/zmy/lab/run"

// adopt says how a program takes up the codecs of Reflective, with the options that
// their adapters measure: what keeps a value here must be in the lines that are printed.
var adopt = map[string]*run.Adopt{
	"goccy": {Import: "github.com/goccy/go-json", Same: true},
	"sonic": {Import: "github.com/bytedance/sonic",
		Marshal: "sonic.ConfigStd.Marshal(v)", Unmarshal: "sonic.ConfigStd.Unmarshal(b, &v)"},
	"jsoniter": {Import: `jsoniter "github.com/json-iterator/go"`,
		Marshal:   "jsoniter.ConfigCompatibleWithStandardLibrary.Marshal(v)",
		Unmarshal: "jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal(b, &v)"},
	"segmentio": {Import: "github.com/segmentio/encoding/json", Same: true},
	"json-v2": {Import: "github.com/go-json-experiment/json", Imports: []string{`jsonv1 "github.com/go-json-experiment/json/v1"`},
		Marshal: "json.Marshal(v, jsonv1.DefaultOptionsV1())", Unmarshal: "json.Unmarshal(b, &v, jsonv1.DefaultOptionsV1())"},
	"gob": {Imports: []string{"bytes", "encoding/gob"}, Code: `
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
	"msgpack": {Import: "github.com/vmihailenco/msgpack/v5", Imports: []string{"bytes"}, Code: `
// marshalMsgpack encodes v with compact integers.
func marshalMsgpack(v any) ([]byte, error) {
	enc := msgpack.GetEncoder()
	defer msgpack.PutEncoder(enc)
	var buf bytes.Buffer
	enc.Reset(&buf)
	enc.UseCompactInts(true)
	err := enc.Encode(v)
	return buf.Bytes(), err
}
`,
		Marshal: "marshalMsgpack(v)", Unmarshal: "msgpack.Unmarshal(b, &v)"},
	"shamaton": {Import: "github.com/shamaton/msgpack/v2", Marshal: "msgpack.Marshal(v)", Unmarshal: "msgpack.Unmarshal(b, &v)"},
	"cbor": {Import: "github.com/fxamacker/cbor/v2", Imports: []string{"reflect"}, Code: `
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
}
