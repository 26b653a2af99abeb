package protobuf

import (
	"context"

	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// byHand is what a program adds that works on its own types: it was measured too.
const byHand = "a .proto for the type, and conversion of v to its message m and back"

var google = &codec{
	name: "protobuf", text: "Google's Protocol Buffers for Go",
	adopt: &run.Adopt{Import: "google.golang.org/protobuf/proto", Manual: byHand, Marshal: "proto.Marshal(m)", Unmarshal: "proto.Unmarshal(b, m)"},
	generate: func(_ context.Context, t *task) (map[string][]byte, error) {
		return t.c.generate(protocGenGo)
	},
}

var vt = &codec{
	name: "vtprotobuf", text: "vtprotobuf's generated code",
	adopt: &run.Adopt{Import: "github.com/planetscale/vtprotobuf", Manual: byHand, Marshal: "m.MarshalVT()", Unmarshal: "m.UnmarshalVT(b)"},
	args:  func(message string) string { return message + "FromVTPool" },
	generate: func(_ context.Context, t *task) (map[string][]byte, error) {
		return t.c.generate(protocGenGo, vtprotobuf(poolable(t.file)))
	},
}

// gogo is no longer maintained by its authors.
var gogo = &codec{
	name: "gogoproto", text: "gogo/protobuf as gogofaster makes it (unmaintained)",
	refuse: noOptional,
	generate: func(ctx context.Context, t *task) (map[string][]byte, error) {
		return t.runTool(ctx, "gogo", "gogo.pb.go")
	},
}

var lite = &codec{
	name: "protobuf-lite", text: "protobuf-go-lite, for TinyGo: no reflection, no descriptors", extra: true,
	adopt: &run.Adopt{Import: "github.com/aperturerobotics/protobuf-go-lite", Manual: byHand, Marshal: "m.MarshalVT()", Unmarshal: "m.UnmarshalVT(b)"},
	generate: func(ctx context.Context, t *task) (map[string][]byte, error) {
		return t.runTool(ctx, "lite", "lite.pb.go")
	},
}

// Infos are the rows of all codecs.
func Infos() []contender.Info {
	var out []contender.Info
	for _, c := range []*codec{google, vt, gogo, lite} {
		out = append(out, c.info(false), c.info(true))
	}
	return out
}

// poolable are the messages that vtprotobuf keeps in pools.
func poolable(f *proto.File) []string {
	var out []string
	for i, m := range f.Messages {
		if m.Kind == proto.Struct || i == 0 { // the root may be a list or a map in a message of its own
			out = append(out, m.Name)
		}
	}
	return out
}

// noOptional refuses fields that are optional in the sense of proto3.
func noOptional(f *proto.File) *run.Why {
	for _, m := range f.Messages {
		for _, x := range m.Fields {
			if x.Card != proto.Optional {
				continue
			}
			what := "skipped: a list or map holds pointers to scalars"
			var at ir.Problem
			if x.Go != nil {
				what, at.Pos = "skipped: "+m.Name+"."+x.Go.Name+" is a pointer to a scalar", x.Go.Pos
			}
			why := gosrc.Why(at)
			why.What, why.Reason = what, "gogo/protobuf knows nothing of proto3's optional"
			why.Next = "hold the scalar itself, or leave this contender out"
			return why
		}
	}
	return nil
}
