package contender

import "github.com/zmylab/zmy/lab/run"

// adopt says how a program takes up the codecs of Reflective, with the options that
// their adapters measure: what keeps a value here must be in the lines that are printed.
var adopt = map[string]*run.Adopt{
	"goccy": {Import: "github.com/goccy/go-json", Same: true},
	"sonic": {Import: "github.com/bytedance/sonic",
		Marshal: "sonic.ConfigStd.Marshal(v)", Unmarshal: "sonic.ConfigStd.Unmarshal(b, &v)"},
	"jsoniter": {Import: "github.com/json-iterator/go",
		Marshal:   "jsoniter.ConfigCompatibleWithStandardLibrary.Marshal(v)",
		Unmarshal: "jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal(b, &v)"},
	"segmentio": {Import: "github.com/segmentio/encoding/json", Same: true},
	"json-v2": {Import: "github.com/go-json-experiment/json",
		Setup:   `jsonv1 "github.com/go-json-experiment/json/v1"`,
		Marshal: "json.Marshal(v, jsonv1.DefaultOptionsV1())", Unmarshal: "json.Unmarshal(b, &v, jsonv1.DefaultOptionsV1())"},
	"gob": {Import: "encoding/gob",
		Setup:   "gob.Register for each type inside an interface",
		Marshal: "gob.NewEncoder(&buf).Encode(v)", Unmarshal: "gob.NewDecoder(bytes.NewReader(b)).Decode(&v)"},
	"msgpack": {Import: "github.com/vmihailenco/msgpack/v5",
		Setup:   "enc := msgpack.NewEncoder(&buf); enc.UseCompactInts(true)",
		Marshal: "enc.Encode(v)", Unmarshal: "msgpack.Unmarshal(b, &v)"},
	"shamaton": {Import: "github.com/shamaton/msgpack/v2", Marshal: "msgpack.Marshal(v)", Unmarshal: "msgpack.Unmarshal(b, &v)"},
	"cbor": {Import: "github.com/fxamacker/cbor/v2",
		Setup: "enc, err := cbor.EncOptions{Time: cbor.TimeRFC3339Nano, TimeTag: cbor.EncTagRequired, " +
			"TextMarshaler: cbor.TextMarshalerTextString}.EncMode(); " +
			"dec, err := cbor.DecOptions{DefaultMapType: reflect.TypeFor[map[string]any](), IntDec: cbor.IntDecConvertSignedOrBigInt, " +
			"TextUnmarshaler: cbor.TextUnmarshalerTextString, MaxArrayElements: 1 << 24, MaxMapPairs: 1 << 24}.DecMode()",
		Marshal: "enc.Marshal(v)", Unmarshal: "dec.Unmarshal(b, &v)"},
}
