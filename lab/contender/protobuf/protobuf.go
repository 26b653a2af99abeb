// Package protobuf knows google.golang.org/protobuf, vtprotobuf and gogo/protobuf:
// the subject is described as a proto3 schema, the schema is turned into Go by
// the codecs' own generators, and conversions between the subject and the
// generated message are written into the subject's package.
//
// Each codec has two rows. The one that ranks measures conversion and codec
// together, which is what code pays that works on its own types; the native one
// measures the generated type alone.
package protobuf

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

//go:embed pb gogo
var texts embed.FS

const pbPath = contender.ModulePath + "/pb"

// The rows.
var (
	Info = info("protobuf", "Google's Protocol Buffers for Go, conversion from and to your type included", false, false)

	NativeInfo = info("protobuf-native", "Google's Protocol Buffers for Go on its generated type", false, true)

	VTInfo = info("vtprotobuf", "vtprotobuf's generated code, conversion from and to your type included", true, false)

	VTNativeInfo = info("vtprotobuf-native", "vtprotobuf's generated code on its generated type", true, true)
)

func info(name, text string, vt, native bool) contender.Info {
	return contender.Info{
		Name: name, Family: "protobuf", Text: text, Native: native,
		Modules: contender.Pins(adapter(vt)), Adopt: adopt(vt),
		Plan: plan,
		Generate: func(ctx context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
			return generate(ctx, t, vt, native)
		},
	}
}

// adapter names the folder of the adapter, which serves both rows of a codec.
func adapter(vt bool) string {
	if vt {
		return "vtprotobuf"
	}
	return "protobuf"
}

func schema(t *contender.Target) (*proto.File, error) {
	name := "zmylab." + protoName(t.IR.Name)
	f, problems := proto.Build(t.IR, []*ir.Type{t.Root}, name)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	f.GoPackage = pbPath
	return f, nil
}

func protoName(s string) string {
	return "p" + strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(s))
}

func plan(t *contender.Target) *run.Why {
	if _, problems := proto.Build(t.IR, []*ir.Type{t.Root}, "plan"); len(problems) > 0 {
		return gosrc.Why(problems.Sort()[0])
	}
	return nil
}

func generate(ctx context.Context, t *contender.Target, vt, native bool) (*contender.Sources, error) {
	f, err := schema(t)
	if err != nil {
		return nil, err
	}
	c, err := compile(ctx, "zmylab/"+protoName(t.IR.Name)+".proto", f.Text(), vt, poolable(f))
	if err != nil {
		return nil, err
	}
	conv, err := convert(t.IR, f, c, pbPath)
	if err != nil {
		return nil, err
	}
	s, err := bind(adapter(vt), f.Messages[0].Name, native)
	if err != nil {
		return nil, err
	}
	s.Package["zz_protobuf.go"] = conv
	s.Module["pb/schema.proto"] = f.Text()
	for name, src := range c.files {
		s.Module["pb/"+name] = src
	}
	return s, addSupport(s, f)
}

// bind starts the sources of a row with its adapter, bound to the conversions of
// the root message.
func bind(adapter, root string, native bool) (*contender.Sources, error) {
	fn := "New"
	if native {
		fn = "NewNative"
	}
	s, err := gosrc.Sources(adapter, fmt.Sprintf("zzadapter.%s(zzTo%s, zzFrom%[2]s)", fn, root))
	if err == nil && native {
		s.Convert = fmt.Sprintf("zzadapter.Convert(zzTo%s)", root)
	}
	return s, err
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

// addSupport adds the conversions of the fixed messages that are in use.
func addSupport(s *contender.Sources, f *proto.File) error {
	all := &contender.Sources{Module: map[string][]byte{}}
	if err := gosrc.Add(all, texts, "pb", "pb"); err != nil {
		return err
	}
	s.Module["pb/zz_common.go"] = all.Module["pb/common.go"]
	for _, m := range f.Messages {
		name := strings.ToLower(m.Name) + ".go"
		if src := all.Module["pb/"+name]; m.Kind == proto.Support && src != nil {
			s.Module["pb/zz_"+name] = src
		}
	}
	return nil
}

// adopt says how a program takes it up: the conversion between its type and the message
// m was measured too, and is the program's to write.
func adopt(vt bool) *run.Adopt {
	if vt {
		return &run.Adopt{Import: "github.com/planetscale/vtprotobuf", Setup: "a .proto for the type, and conversion of v to its message m and back",
			Marshal: "m.MarshalVT()", Unmarshal: "m.UnmarshalVT(b)"}
	}
	return &run.Adopt{Import: "google.golang.org/protobuf/proto", Setup: "a .proto for the type, and conversion of v to its message m and back",
		Marshal: "proto.Marshal(m)", Unmarshal: "proto.Unmarshal(b, m)"}
}
