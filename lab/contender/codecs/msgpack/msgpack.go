// Package msgpack is the contender github.com/vmihailenco/msgpack.
package msgpack

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "msgpack", Family: "binary",
	Text: "vmihailenco/msgpack v5, compact integers",
	Adopt: &run.Adopt{Import: "github.com/vmihailenco/msgpack/v5", Imports: []string{"bytes"}, Code: `
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
	Abilities: contender.Binary.But(contender.Abilities{
		Languages:     "yes; MessagePack",
		Any:           "yes; integers by their size",
		Deterministic: "no; SetSortMapKeys, not measured",
		Licence:       "BSD-2-Clause",
		Released:      "2023-10-26",
	}),
}, "msgpack")
