// Package shamatonarray is the contender github.com/shamaton/msgpack with structs as arrays.
package shamatonarray

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/shamaton"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "shamaton-array", Family: "binary",
	Text:  "shamaton/msgpack v3, structs as arrays",
	Extra: true,
	Adopt: &run.Adopt{Import: "github.com/shamaton/msgpack/v3",
		Marshal: "msgpack.MarshalAsArray(v)", Unmarshal: "msgpack.UnmarshalAsArray(b, &v)"},
	Abilities: shamaton.Info.Abilities.But(contender.Abilities{
		Evolution:  "partly; new fields at the end of a struct",
		Validation: "no; a message that is cut short can make it panic",
		Streaming:  "yes; MarshalWriteAsArray and UnmarshalReadAsArray",
	}),
}, "msgpack")
