// Package protobuf knows the codecs of Protocol Buffers: the subject is described
// as a proto3 schema, the schema is turned into Go by the codecs' own generators,
// and conversions between the subject and the generated message are written into
// the subject's package.
//
// Each codec has two rows. The one that ranks measures conversion and codec
// together, which is what code pays that works on its own types; the native one
// measures the generated type alone.
//
// NOTE, the map: codecs.go lists the codecs and what differs between them,
// compile.go makes descriptors and runs the generators that can run in this
// process, tool.go those that need one of their own; convert*.go write the
// conversions, folder pb has those of fixed messages; variant.go are rows on the same
// schema with one thing changed, folder recast fills their messages.
package protobuf

import (
	"context"
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

//go:embed pb gogo lite recast
var texts embed.FS

const pbPath = contender.ModulePath + "/pb"

// codec is what differs between the codecs.
type codec struct {
	name  string // of its adapter and of the row that ranks
	text  string
	extra bool
	adopt *run.Adopt
	// refuse is why the codec cannot carry a schema that proto3 can, or nil; nil for
	// codecs that carry all of it.
	refuse func(f *proto.File) *run.Why
	// args are those of the adapter's function Codec for a message; nil without any.
	args func(message string) string
	// generate makes the Go files of a compiled schema.
	generate func(ctx context.Context, t *task) (map[string][]byte, error)
}

// task is a schema on its way to Go code.
type task struct {
	file  *proto.File
	c     *compiled
	tools contender.Tools
	own   map[string][]byte // files of the adapter's module
}

// info makes one of the codec's rows.
func (c *codec) info(native bool) contender.Info {
	name, text := c.name, c.text+", conversion from and to your type included"
	if native {
		name, text = c.name+"-native", c.text+" on its generated type"
	}
	return contender.Info{
		Name: name, Family: "protobuf", Text: text, Native: native, Extra: c.extra,
		Modules: contender.Pins(c.name), Adopt: c.adopt,
		Plan: c.plan,
		Generate: func(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
			return c.sources(ctx, t, tools, native)
		},
	}
}

func (c *codec) plan(t *contender.Target) *run.Why {
	f, problems := proto.Build(t.IR, []*ir.Type{t.Root}, "plan")
	if len(problems) > 0 {
		return gosrc.Why(problems.Sort()[0])
	}
	if c.refuse != nil {
		return c.refuse(f)
	}
	return nil
}

func (c *codec) sources(ctx context.Context, t *contender.Target, tools contender.Tools, native bool) (*contender.Sources, error) {
	f, err := schema(t)
	if err != nil {
		return nil, err
	}
	done, err := compile(ctx, protoPath(t), f.Text())
	if err != nil {
		return nil, err
	}
	s, err := c.bind(f.Messages[0].Name, done, native)
	if err != nil {
		return nil, err
	}
	if s.Package["zz_protobuf.go"], err = convert(t.IR, f, done, pbPath); err != nil {
		return nil, err
	}
	s.Module["pb/schema.proto"] = f.Text()
	files, err := c.generate(ctx, &task{file: f, c: done, tools: tools, own: s.Module})
	if err != nil {
		return nil, err
	}
	for name, src := range files {
		s.Module["pb/"+name] = src
	}
	return s, addSupport(s, f)
}

// bind starts the sources of a row with the codec's adapter, bound to the root
// message and its conversions.
func (c *codec) bind(root string, done *compiled, native bool) (*contender.Sources, error) {
	fn := "New"
	if native {
		fn = "NewNative"
	}
	message, args := "zzpb."+done.goName(root), ""
	if c.args != nil {
		args = c.args(message)
	}
	s, err := contender.Bind(c.name, fmt.Sprintf("zzmessage.%s(zzadapter.Codec[%s](%s), zzTo%s, zzFrom%[4]s)", fn, message, args, root))
	if err != nil {
		return nil, err
	}
	s.Imports = append(s.Imports, "zzmessage "+strconv.Quote(contender.ModulePath+"/message"), "zzpb "+strconv.Quote(pbPath))
	if native {
		s.Convert = fmt.Sprintf("zzmessage.Convert(zzTo%s)", root)
	}
	return s, nil
}

func schema(t *contender.Target) (*proto.File, error) {
	f, problems := proto.Build(t.IR, []*ir.Type{t.Root}, "zmylab."+protoName(t.IR.Name))
	if err := problems.Err(); err != nil {
		return nil, err
	}
	f.GoPackage = pbPath + ";pb" // a name for generators that would take the schema's
	return f, nil
}

// protoPath is the schema's file as descriptors name it.
func protoPath(t *contender.Target) string { return "zmylab/" + protoName(t.IR.Name) + ".proto" }

func protoName(s string) string {
	return "p" + strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(s))
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
