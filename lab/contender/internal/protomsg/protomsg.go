// Package protomsg has what the codecs of Protocol Buffers share. It describes the subject as a
// proto3 schema, a codec's own generator turns the schema into Go, and conversions between the
// subject and the generated message are written into the subject's package.
//
// Each codec has two rows. The ranked row measures conversion and codec together, which is the cost
// for code that works on its own types. The native row measures the codec on the generated type
// alone.
//
// NOTE, the map: compile.go makes descriptors and runs generators, in this process or in a program
// of their own. convert.go writes the conversions; folder pb has those of fixed messages.
package protomsg

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

//go:embed pb
var texts embed.FS

// Path is the import path of the package with a schema's messages.
const Path = contender.ModulePath + "/pb"

// ByHand is the code that a program with its own types must add; the ranked row measures it too.
const ByHand = "a .proto for the type, and conversion of v to its message m and back"

// Abilities are the abilities of a codec that adds methods to generated messages.
var Abilities = contender.Abilities{
	Evolution:     "yes; fields are known by their numbers",
	Languages:     "yes; Protocol Buffers",
	Maps:          "yes; keys are strings, integers or booleans",
	Any:           "partly; a message with an arm for each kind, in the schema that is made here",
	Time:          "nanoseconds; Timestamp",
	Deterministic: "no; maps in random order",
	ZeroCopy:      "no",
	Validation:    "partly; structure, but no end mark: a cut message may be read",
	Streaming:     "no; frames are up to the program",
	Licence:       "BSD-3-Clause",
}

// Codec has the differences between the codecs.
type Codec struct {
	// Info has Name, Text, Extra, Adopt and Abilities of the ranked row. Text describes what both
	// rows have in common. The native row is always Extra.
	Info contender.Info
	// Refuse says why the codec cannot carry a schema that proto3 can, or returns nil. It is nil
	// for codecs without such limits.
	Refuse func(f *proto.File) *run.Why
	// Args returns the arguments of the adapter's function Codec for a message. It is nil if there
	// are none.
	Args func(message string) string
	// Native returns the worker.Contender of the native row and the function that makes its values
	// of the subject's, as expressions. to and from are names of the conversions. It is nil for
	// codecs whose native row works on the generated message.
	Native func(message, to, from string) (contender, convert string)
	// Generate returns the Go files for a compiled schema.
	Generate func(ctx context.Context, t *Task) (map[string][]byte, error)
}

// Task is a schema that is being turned into Go code.
type Task struct {
	File     *proto.File
	Compiled *Compiled
	tools    contender.Tools
	own      map[string][]byte // files of the adapter's module
}

// Rows returns the codec's two contenders.
func (c *Codec) Rows() (row, native contender.Info) {
	return c.row(c.Info.Name, ", conversion from and to your type included", false),
		c.row(c.Info.Name+"-native", " on its generated type", true)
}

func (c *Codec) row(name, text string, native bool) contender.Info {
	i := c.Info
	i.Name, i.Family, i.Text, i.Native, i.Extra = name, "protobuf", i.Text+text, native, i.Extra || native
	i.Modules, i.Plan = contender.Pins(c.Info.Name), c.Plan
	i.Generate = func(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
		return c.Sources(ctx, t, tools, native)
	}
	return i
}

// Plan refuses types that proto3 cannot express, and those that the codec refuses.
func (c *Codec) Plan(t *contender.Target) *run.Why {
	f, problems := proto.Build(t.IR, []*ir.Type{t.Root}, "plan")
	if len(problems) > 0 {
		return gosrc.Why(problems.Sort()[0])
	}
	if c.Refuse != nil {
		return c.Refuse(f)
	}
	return nil
}

// Sources returns the sources of a worker. In them the codec marshals the target through a
// conversion to the message that is generated from its schema. If native is set, it marshals that
// message.
func (c *Codec) Sources(ctx context.Context, t *contender.Target, tools contender.Tools, native bool) (*contender.Sources, error) {
	f, err := Schema(t, "", Path+";pb")
	if err != nil {
		return nil, err
	}
	fd, err := Describe(ctx, "zmylab/"+ProtoName(t.IR.Name)+".proto", f.Text())
	if err != nil {
		return nil, err
	}
	done, err := Load(fd)
	if err != nil {
		return nil, err
	}
	s, err := c.bind(f.Messages[0].Name, done, native)
	if err != nil {
		return nil, err
	}
	if s.Package["zz_protobuf.go"], err = convert(t.IR, f, done, Path); err != nil {
		return nil, err
	}
	s.Module["pb/schema.proto"] = f.Text()
	files, err := c.Generate(ctx, &Task{File: f, Compiled: done, tools: tools, own: s.Module})
	if err != nil {
		return nil, err
	}
	for name, src := range files {
		s.Module["pb/"+name] = src
	}
	return s, addSupport(s, f)
}

// bind returns the sources of a row with the codec's adapter, connected to the root message and its
// conversions.
func (c *Codec) bind(root string, done *Compiled, native bool) (*contender.Sources, error) {
	fn := "New"
	if native {
		fn = "NewNative"
	}
	message, args := "zzpb."+done.GoName(root), ""
	if c.Args != nil {
		args = c.Args(message)
	}
	s, err := contender.Bind(c.Info.Name, fmt.Sprintf("zzmessage.%s(zzadapter.Codec[%s](%s), zzTo%s, zzFrom%[4]s)", fn, message, args, root))
	if err != nil {
		return nil, err
	}
	s.Imports = append(s.Imports, "zzpb "+strconv.Quote(Path))
	if native && c.Native != nil {
		s.Main, s.Convert = c.Native(message, "zzTo"+root, "zzFrom"+root)
		return s, nil
	}
	s.Imports = append(s.Imports, "zzmessage "+strconv.Quote(contender.ModulePath+"/message"))
	if native {
		s.Convert = fmt.Sprintf("zzmessage.Convert(zzTo%s)", root)
	}
	return s, nil
}

// Schema returns the schema of a target. goPackage is the value of option go_package, without which
// generators would derive the Go package's name from the schema's. mark is part of the schema's
// package, and so of the full names of its messages, because the protobuf runtime panics if two
// schemas of a program have messages of the same full name.
func Schema(t *contender.Target, mark, goPackage string) (*proto.File, error) {
	f, problems := proto.Build(t.IR, []*ir.Type{t.Root}, "zmylab."+mark+ProtoName(t.IR.Name))
	f.GoPackage = goPackage
	return f, problems.Err()
}

// ProtoName turns a Go name into a name for a schema's package and file.
func ProtoName(s string) string {
	return "p" + strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(s))
}

// addSupport adds the conversions of the fixed messages that the schema uses. Conversions of other
// fixed messages would not compile, since the schema's package lacks these messages.
func addSupport(s *contender.Sources, f *proto.File) error {
	all := map[string][]byte{}
	if err := contender.AddFolder(all, texts, "pb", "pb"); err != nil {
		return err
	}
	s.Module["pb/zz_common.go"] = all["pb/common.go"]
	for _, m := range f.Messages {
		name := strings.ToLower(m.Name) + ".go"
		if src := all["pb/"+name]; m.Kind == proto.Support && src != nil {
			s.Module["pb/zz_"+name] = src
		}
	}
	return nil
}
