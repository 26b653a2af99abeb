// Package protobuf is the contender google.golang.org/protobuf.
//
// NOTE, the map: variant.go has rows on the same schema with one change, folder recast fills the
// messages of the changed schemas.
package protobuf

import (
	"context"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/protomsg"
	"github.com/zmylab/zmy/lab/run"
)

// The rows.
var Info, NativeInfo = codec.Rows()

var codec = &protomsg.Codec{
	Info: contender.Info{
		Name: "protobuf", Text: "Google's Protocol Buffers for Go",
		Adopt: &run.Adopt{Import: "google.golang.org/protobuf/proto", Manual: protomsg.ByHand,
			Marshal: "proto.Marshal(m)", Unmarshal: "proto.Unmarshal(b, m)"},
		Abilities: protomsg.Abilities.But(contender.Abilities{
			Deterministic: "no; option Deterministic, for one program",
			Validation:    "partly; structure and UTF-8, but no end mark: a cut message may be read",
			Streaming:     "yes; package protodelim",
			Released:      "2026-08-10",
		}),
	},
	Generate: func(_ context.Context, t *protomsg.Task) (map[string][]byte, error) {
		return t.Compiled.Generate(protomsg.ProtocGenGo)
	},
}
