// Package shamaton is the contender github.com/shamaton/msgpack.
package shamaton

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "shamaton", Family: "binary", Extra: true,
	Text:  "shamaton/msgpack v3, structs as maps",
	Adopt: &run.Adopt{Import: "github.com/shamaton/msgpack/v3", Marshal: "msgpack.Marshal(v)", Unmarshal: "msgpack.Unmarshal(b, &v)"},
	Abilities: contender.Binary.But(contender.Abilities{
		Languages: "yes; MessagePack",
		Any:       "yes; integers by their size",
		Streaming: "yes; MarshalWrite and UnmarshalRead",
		Licence:   "MIT",
		Released:  "2026-02-06",
	}),
}, "msgpack")
