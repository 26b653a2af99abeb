// Package protobuf knows google.golang.org/protobuf and vtprotobuf: the subject
// is described as a proto3 schema, the schema is turned into Go by the generators
// of both, and conversions between the subject and the generated message are
// written into the subject's package.
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

//go:embed adapter pb
var texts embed.FS

const (
	runtimeVersion = "v1.36.12"
	vtVersion      = "v0.6.0"
	pbPath         = contender.ModulePath + "/pb"
)

var (
	runtime = run.Module{Path: "google.golang.org/protobuf", Version: runtimeVersion}
	vt      = run.Module{Path: "github.com/planetscale/vtprotobuf", Version: vtVersion}
)

// The rows.
var (
	Info = info("protobuf", "Google's Protocol Buffers for Go, conversion from and to your type included", false, false, runtime)

	NativeInfo = info("protobuf-native", "Google's Protocol Buffers for Go on its generated type", false, true, runtime)

	VTInfo = info("vtprotobuf", "vtprotobuf's generated code, conversion from and to your type included", true, false, vt, runtime)

	VTNativeInfo = info("vtprotobuf-native", "vtprotobuf's generated code on its generated type", true, true, vt, runtime)
)

func info(name, text string, vt, native bool, modules ...run.Module) contender.Info {
	return contender.Info{
		Name: name, Family: "protobuf", Text: text, Modules: modules, Native: native, Plan: plan,
		Generate: func(ctx context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
			return generate(ctx, t, vt, native)
		},
	}
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
	var poolable []string
	used := map[string]bool{"common": true}
	for _, m := range f.Messages {
		switch m.Kind {
		case proto.Support:
			used[strings.ToLower(m.Name)] = true
		case proto.Struct:
			poolable = append(poolable, m.Name)
		}
	}
	c, err := compile(ctx, "zmylab/"+protoName(t.IR.Name)+".proto", f.Text(), vt, poolable)
	if err != nil {
		return nil, err
	}
	s := &contender.Sources{Package: map[string][]byte{}, Module: map[string][]byte{"schema.proto": f.Text()}}
	if err := moduleFiles(s, c, used, vt); err != nil {
		return nil, err
	}
	conv, err := convert(t.IR, f, c, pbPath)
	if err != nil {
		return nil, err
	}
	root := f.Messages[0].Name
	s.Package["zz_protobuf.go"] = append(conv, nativeFunc(root)...)
	s.Imports = []string{fmt.Sprintf("adapter %q", contender.ModulePath+"/adapter")}
	s.Main = fmt.Sprintf("adapter.New(zzTo%s, zzFrom%s)", root, root)
	if native {
		s.Main = fmt.Sprintf("adapter.NewNative(zzTo%s, zzFrom%s)", root, root)
		s.Convert = "zzNative"
	}
	return s, nil
}

// nativeFunc makes a new message of a value, for the native row.
func nativeFunc(root string) string {
	return fmt.Sprintf(`
func zzNative(v *ZZSubject) (*zzpb.%s, error) {
	m := new(zzpb.%[1]s)
	return m, zzTo%[1]s(m, v)
}
`, root)
}

func moduleFiles(s *contender.Sources, c *compiled, used map[string]bool, vt bool) error {
	for name, src := range c.files {
		s.Module["pb/"+name] = src
	}
	support, err := gosrc.Text(texts, "pb")
	if err != nil {
		return err
	}
	for name, src := range support {
		if used[strings.TrimSuffix(name, ".go")] {
			s.Module["pb/zz_"+name] = src
		}
	}
	codec := "protobuf"
	if vt {
		codec = "vtprotobuf"
	}
	files, err := gosrc.Text(texts, "adapter/"+codec)
	if err != nil {
		return err
	}
	for name, src := range files {
		if strings.HasSuffix(name, ".go") {
			name = "adapter/" + name
		}
		s.Module[name] = src
	}
	return nil
}
