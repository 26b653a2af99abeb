package dynamic_test

import (
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
	"github.com/zmylab/zmy/schema/dynamic"
)

// FuzzParseJSON: whatever text is taken for a message makes one, which is the same
// after another turn; everything else is refused.
func FuzzParseJSON(f *testing.F) {
	codecs := []*dynamic.Codec{codecOf[zmycase.Case](f), codecOf[zmycase.Node](f)}
	for _, c := range formsSchemas() {
		codec, err := dynamic.New(c.schema)
		if err != nil {
			f.Fatal(err)
		}
		codecs = append(codecs, codec)
		f.Add(uint8(len(codecs)-1), true, c.json)
	}
	for _, text := range []string{
		`{"Bool":true,"Time":"2024-01-02T03:04:05.6Z","Text":"\u00e9","Any":{"a":[1,1.5,null,"x"]},"Ints":[1],"Index":{"k":{"X":1}},"Codes":{"-1":"m"},"Flags":{"true":false},"Set":{"s":{}}}`,
		`{"Ptr":{},"Num":0,"Opt":"","List":[],"Big":-300,"Real":"1.5","Pair":["","z"],"Spots":[{"X":1}]}`,
		`{"Any":{"$bytes":"eA=="},"Real":"0.1@53:ToZero","$unknown":{"scalars":"","tails":["eA=="]}}`,
		`{"Any":[{"$struct":{"lineage":"01","data":"eQ=="}},{"$raw":{"kind":200,"data":""}},{"$decimal":"1e2"},{"$int8s":[1]},{"$map":{"$time":1}},{"$stringmap":{"a":"b"}},{"$rawjson":"/w=="}]}`,
	} {
		f.Add(uint8(0), true, text)
		f.Add(uint8(0), false, text)
	}
	f.Fuzz(func(t *testing.T, n uint8, lossless bool, text string) {
		c, o := codecs[int(n)%len(codecs)], dynamic.JSONOptions{Lossless: lossless}
		v, err := c.ParseJSON([]byte(text), o)
		if err != nil {
			return
		}
		msg, err := c.Encode(v)
		if err != nil {
			return // a string that is not UTF-8, a message that is too large
		}
		back, err := c.DecodeOptions(msg, zmy.UnmarshalOptions{Budget: 1 << 30})
		if err != nil {
			t.Fatalf("%s made no message: %v\n%x", text, err, msg)
		}
		roundTrip(t, c, back, msg)
	})
}
