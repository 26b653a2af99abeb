// Package protobuflite is the contender github.com/aperturerobotics/protobuf-go-lite.
package protobuflite

import (
	"context"
	"embed"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/protomsg"
	"github.com/zmylab/zmy/lab/run"
)

//go:embed generate
var texts embed.FS

// Info is the contender on the user's type, NativeInfo the one on generated messages.
var Info, NativeInfo = codec.Rows()

var codec = &protomsg.Codec{
	Info: contender.Info{
		Name: "protobuf-lite", Text: "protobuf-go-lite, for TinyGo: no reflection, no descriptors", Extra: true,
		Adopt: &run.Adopt{Import: "github.com/aperturerobotics/protobuf-go-lite", Manual: protomsg.ByHand,
			Marshal: "m.MarshalVT()", Unmarshal: "m.UnmarshalVT(b)"},
		Abilities: protomsg.Abilities.But(contender.Abilities{ZeroCopy: "yes; modes alias", Released: "2026-05-27"}),
	},
	Generate: func(ctx context.Context, t *protomsg.Task) (map[string][]byte, error) {
		return t.RunTool(ctx, texts, "lite.pb.go")
	},
}
