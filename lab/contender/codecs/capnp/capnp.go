// Package capnp is the contender capnproto.org/go/capnp, with the program capnp and the library's
// own capnpc-go.
package capnp

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
)

// The rows.
var Info, NativeInfo = format.Rows()

var format = &tables.Format{
	Info: contender.Info{
		Name: "capnp", Text: "Cap'n Proto by capnpc-go, conversion from and to your type included",
		Abilities: contender.Abilities{
			Evolution:     "yes; fields are known by their numbers",
			Languages:     "yes; Cap'n Proto",
			Maps:          "partly; as lists of entries",
			Any:           "no",
			Time:          "nanoseconds; two fields of the schema that is made here",
			Deterministic: "partly; but for maps",
			ZeroCopy:      "yes; messages are read in place",
			Validation:    "yes; each pointer is checked when it is followed",
			Streaming:     "yes; Encoder and Decoder",
			Licence:       "MIT",
			Released:      "2025-02-19",
		},
	},
	NativeText: "Cap'n Proto by capnpc-go on messages: what stands built is written, what is opened is not read",
	Title:      "Cap'n Proto",
	Compiler:   Compiler,
	Install:    "apt-get install capnproto, or see capnproto.org/install.html",
	Native:     "zzCode",
	Code:       code,
	Compile:    compile,
}

// Compiler is the program that compiles schemas.
const Compiler = "capnp"
