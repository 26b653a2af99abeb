// Package msgpackarray is the contender github.com/vmihailenco/msgpack with structs as arrays.
package msgpackarray

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/msgpack"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "msgpack-array", Family: "binary",
	Text:  "vmihailenco/msgpack v5, structs as arrays, compact integers",
	Extra: true,
	Adopt: &run.Adopt{Import: "github.com/vmihailenco/msgpack/v5", Imports: []string{"bytes"}, Code: `
// marshalMsgpack encodes v with structs as arrays and compact integers.
func marshalMsgpack(v any) ([]byte, error) {
	enc := msgpack.GetEncoder()
	defer msgpack.PutEncoder(enc)
	var buf bytes.Buffer
	enc.Reset(&buf)
	enc.UseCompactInts(true)
	enc.UseArrayEncodedStructs(true)
	err := enc.Encode(v)
	return buf.Bytes(), err
}
`,
		Marshal: "marshalMsgpack(v)", Unmarshal: "msgpack.Unmarshal(b, &v)"},
	Abilities: msgpack.Info.Abilities.But(contender.Abilities{
		Evolution: "no; a struct with another number of fields is refused",
	}),
}, "msgpack")
