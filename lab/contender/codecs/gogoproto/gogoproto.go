// Package gogoproto is the contender github.com/gogo/protobuf, which its authors no longer
// maintain.
package gogoproto

import (
	"context"
	"embed"

	"github.com/zmylab/zmy/gen/emit/proto"
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
		Name: "gogoproto", Text: "gogo/protobuf as gogofaster makes it (unmaintained)", Extra: true,
		Abilities: protomsg.Abilities.But(contender.Abilities{
			Deterministic: "no; stable_marshaler, not measured",
			Streaming:     "yes; package io",
			Released:      "2021-01-10",
		}),
	},
	Refuse: noOptional,
	Generate: func(ctx context.Context, t *protomsg.Task) (map[string][]byte, error) {
		return t.RunTool(ctx, texts, "gogo.pb.go")
	},
}

// noOptional refuses schemas with proto3's optional fields.
func noOptional(f *proto.File) *run.Why {
	for _, m := range f.Messages {
		for _, x := range m.Fields {
			if x.Card != proto.Optional {
				continue
			}
			why := &run.Why{What: "skipped: a list or map holds pointers to scalars",
				Reason: "gogo/protobuf knows nothing of proto3's optional",
				Next:   "hold the scalar itself, or leave this contender out"}
			if x.Go != nil {
				at := x.Go.Pos
				at.Col = 0
				why.What, why.Where = "skipped: "+m.Name+"."+x.Go.Name+" is a pointer to a scalar", at.String()
			}
			return why
		}
	}
	return nil
}
