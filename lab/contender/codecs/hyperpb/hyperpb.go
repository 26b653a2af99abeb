// Package hyperpb is the contender buf.build/go/hyperpb. The library reads messages and does not
// write any, and its messages are read by reflection. So there is no row on the user's type: no
// program would copy such a message into a struct. The row on the library's own messages shows what
// decoding takes.
package hyperpb

import (
	"context"
	"fmt"
	"runtime"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/protobuf"
	"github.com/zmylab/zmy/lab/contender/internal/protomsg"
	"github.com/zmylab/zmy/lab/run"
)

// NativeInfo is the contender.
var NativeInfo = info()

var codec = &protomsg.Codec{
	Info: contender.Info{
		Name: "hyperpb", Extra: true,
		Abilities: protomsg.Abilities.But(contender.Abilities{
			Any:        "partly; a message with an arm for each kind, in the schema that is made here",
			ZeroCopy:   "yes; mode alias",
			Validation: "partly; structure and UTF-8, but no end mark: a cut message may be read",
			Licence:    "Apache-2.0",
			Released:   "2025-09-24",
		}),
	},
	Native: func(message, to, from string) (main, convert string) {
		return fmt.Sprintf("zzadapter.New[%s](zzrecast.From[zzadapter.Message](%s))", message, from),
			fmt.Sprintf("zzadapter.Convert(%s)", to)
	},
	Generate: func(_ context.Context, t *protomsg.Task) (map[string][]byte, error) {
		return t.Compiled.Generate(protomsg.ProtocGenGo)
	},
}

func info() contender.Info {
	_, i := codec.Rows()
	i.Text = "hyperpb on its own messages, with a profile of the values if there are no lists of strings or bytes: it only reads, " +
		"and programs read fields by reflection; protobuf-go writes"
	carries, sources := i.Plan, i.Generate
	i.Plan = func(t *contender.Target) *run.Why {
		if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
			return &run.Why{What: "skipped: hyperpb does not run on " + runtime.GOARCH, Reason: "it supports amd64 and arm64",
				Next: "-codecs protobuf-native, whose messages are the same"}
		}
		return carries(t)
	}
	i.Generate = func(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
		s, err := sources(ctx, t, tools)
		if err != nil {
			return nil, err
		}
		return s, protobuf.AddRecast(s)
	}
	return i
}
