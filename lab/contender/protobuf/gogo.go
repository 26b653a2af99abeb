package protobuf

import (
	"context"
	"fmt"

	pb "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"

	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// The rows of gogo/protobuf, which its authors no longer maintain. It knows
// nothing of proto3's optional.
var (
	GogoInfo = gogoInfo("gogoproto", "gogo/protobuf as gogofaster makes it (unmaintained), conversion from and to your type included", false)

	GogoNativeInfo = gogoInfo("gogoproto-native", "gogo/protobuf as gogofaster makes it (unmaintained) on its generated type", true)
)

func gogoInfo(name, text string, native bool) contender.Info {
	return contender.Info{
		Name: name, Family: "protobuf", Text: text, Native: native,
		Modules: contender.Pins("gogoproto"),
		Plan:    planGogo,
		Generate: func(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
			return generateGogo(ctx, t, tools, native)
		},
	}
}

func planGogo(t *contender.Target) *run.Why {
	f, problems := proto.Build(t.IR, []*ir.Type{t.Root}, "plan")
	if len(problems) > 0 {
		return gosrc.Why(problems.Sort()[0])
	}
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
			return why
		}
	}
	return nil
}

func generateGogo(ctx context.Context, t *contender.Target, tools contender.Tools, native bool) (*contender.Sources, error) {
	f, err := schema(t)
	if err != nil {
		return nil, err
	}
	c, err := compile(ctx, "zmylab/"+protoName(t.IR.Name)+".proto", f.Text(), false, nil)
	if err != nil {
		return nil, err
	}
	s, err := bind("gogoproto", f.Messages[0].Name, native)
	if err != nil {
		return nil, err
	}
	if s.Package["zz_protobuf.go"], err = convert(t.IR, f, c, pbPath); err != nil {
		return nil, err
	}
	if s.Module["pb/gogo.pb.go"], err = runGogo(ctx, tools, s, c); err != nil {
		return nil, err
	}
	return s, addSupport(s, f)
}

func runGogo(ctx context.Context, tools contender.Tools, s *contender.Sources, c *compiled) ([]byte, error) {
	const file = "gogo.pb.go"
	desc, err := pb.Marshal(protodesc.ToFileDescriptorProto(c.file.Desc))
	if err != nil {
		return nil, err
	}
	prog := &contender.Sources{
		Module:  map[string][]byte{"go.mod": s.Module["go.mod"], "go.sum": s.Module["go.sum"], "gogo/schema.bin": desc},
		Imports: []string{fmt.Sprintf("zzgogo %q", contender.ModulePath+"/gogo")},
		Main:    fmt.Sprintf("zzgogo.Run(%q)", file),
	}
	if err := gosrc.Add(prog, texts, "gogo", "gogo"); err != nil {
		return nil, err
	}
	out, err := tools.RunInPackage(ctx, prog)
	if err != nil {
		return nil, err
	}
	return out[file], nil
}
