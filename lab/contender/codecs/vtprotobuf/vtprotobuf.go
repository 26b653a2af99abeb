// Package vtprotobuf is the contender github.com/planetscale/vtprotobuf.
package vtprotobuf

import (
	"context"
	"fmt"

	"github.com/planetscale/vtprotobuf/generator"

	// Importing a feature's package registers the feature.
	_ "github.com/planetscale/vtprotobuf/features/marshal"
	_ "github.com/planetscale/vtprotobuf/features/pool"
	_ "github.com/planetscale/vtprotobuf/features/size"
	_ "github.com/planetscale/vtprotobuf/features/unmarshal"

	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/protomsg"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender on the user's type, NativeInfo the one on generated messages.
var Info, NativeInfo = codec.Rows()

var codec = &protomsg.Codec{
	Info: contender.Info{
		Name: "vtprotobuf", Text: "vtprotobuf's generated code",
		Adopt: &run.Adopt{Import: "github.com/planetscale/vtprotobuf", Manual: protomsg.ByHand,
			Marshal: "m.MarshalVT()", Unmarshal: "m.UnmarshalVT(b)"},
		Abilities: protomsg.Abilities.But(contender.Abilities{ZeroCopy: "yes; modes alias", Released: "2024-01-29"}),
	},
	Args: func(message string) string { return message + "FromVTPool" },
	Generate: func(_ context.Context, t *protomsg.Task) (map[string][]byte, error) {
		return t.Compiled.Generate(protomsg.ProtocGenGo, methods(t.File))
	},
}

// features are the features of vtprotobuf that are measured.
var features = []string{"marshal", "size", "unmarshal", "unmarshal_unsafe", "pool"}

// methods returns a generator that adds vtprotobuf's methods to the output of Google's generator.
// It makes pools for the root's message and for messages that stand for structs. The root need not
// be a struct: a list or a map gets a message around it.
func methods(f *proto.File) func(*protomsg.Compiled) error {
	return func(c *protomsg.Compiled) error {
		cfg := &generator.Config{Poolable: generator.NewObjectSet(), PoolableExclude: generator.NewObjectSet()}
		for i, m := range f.Messages {
			if m.Kind != proto.Struct && i > 0 {
				continue
			}
			if err := cfg.Poolable.Set(fmt.Sprintf("%s.%s", string(c.File.GoImportPath), m.Name)); err != nil {
				return fmt.Errorf("vtprotobuf: poolable %s: %w", m.Name, err)
			}
		}
		g, err := generator.NewGenerator(c.Plugin, features, cfg)
		if err != nil {
			return fmt.Errorf("vtprotobuf: %w", err)
		}
		g.Generate()
		return nil
	}
}
