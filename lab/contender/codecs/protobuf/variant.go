package protobuf

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"slices"
	"strconv"

	pb "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/protomsg"
	"github.com/zmylab/zmy/lab/run"
)

//go:embed recast
var texts embed.FS

// Variant is protobuf-go with one change of the subject's schema, or with one option. Its cost or
// gain is the difference to the native row of protobuf-go. Its rows are on generated messages and
// never ranked.
type Variant struct {
	Info contender.Info
	Name string // the change: "optional fields"
	// Breaks says that readers of the plain schema cannot read its messages, so all programs must
	// change together.
	Breaks bool
	// Fields returns the number of fields in the target's schema that it changes.
	Fields func(t *contender.Target) int
}

// variant is the definition of a Variant.
type variant struct {
	name   string // of the row, without "protobuf-"
	text   string
	needs  string // what a schema lacks if the variant changes nothing in it
	breaks bool
	codec  string                                // function of the adapter; "" means Codec
	picks  func(f *proto.Field) bool             // the fields that it changes
	edit   func(*fileEdit, *messageEdit, *field) // changes one of these fields; nil: fields stay as they are
	finish func(*fileEdit)                       // changes the file; nil: it stays as it is
}

// The types of the descriptors that are edited.
type (
	fileEdit    = descriptorpb.FileDescriptorProto
	messageEdit = descriptorpb.DescriptorProto
	field       = descriptorpb.FieldDescriptorProto
)

var variants = []variant{
	{name: "deterministic", text: "option Deterministic", needs: "map", codec: "Deterministic",
		picks: func(f *proto.Field) bool { return f.Card == proto.Map }},
	{name: "unchecked", text: "strings not checked for UTF-8", needs: "string",
		picks: hasString, finish: unchecked},
	{name: "optional", text: "optional fields", needs: "plain scalar field",
		picks: plainScalar, edit: optional},
	{name: "wrapper", text: "fields in google.protobuf wrappers", needs: "plain scalar field", breaks: true,
		picks: plainScalar, edit: wrap},
	{name: "zigzag", text: "sint32 and sint64", needs: "signed integer", breaks: true,
		picks: func(f *proto.Field) bool { return f.Card != proto.Map && zigzags[f.Value.Scalar] != 0 },
		edit:  func(_ *fileEdit, _ *messageEdit, f *field) { f.Type = zigzags[scalarOf[f.GetType()]].Enum() }},
	{name: "fixed", text: "fixed32 and fixed64", needs: "integer", breaks: true,
		picks: func(f *proto.Field) bool { return f.Card != proto.Map && fixed[f.Value.Scalar] != 0 },
		edit:  func(_ *fileEdit, _ *messageEdit, f *field) { f.Type = fixed[scalarOf[f.GetType()]].Enum() }},
	{name: "unpacked", text: "lists of numbers not packed", needs: "list of numbers",
		picks: func(f *proto.Field) bool { return f.Card == proto.Repeated && packable(f.Value) },
		edit: func(_ *fileEdit, _ *messageEdit, f *field) {
			f.Options = &descriptorpb.FieldOptions{Packed: pb.Bool(false)}
		}},
}

// Variants returns all variants.
func Variants() []Variant {
	var out []Variant
	for _, v := range variants {
		out = append(out, Variant{Name: v.text, Breaks: v.breaks,
			Fields: func(t *contender.Target) int { return v.count(t) },
			Info: contender.Info{
				Name: codec.Info.Name + "-" + v.name, Family: "protobuf", Text: codec.Info.Text + " on its generated type: " + v.text,
				Native: true, Extra: true,
				Abilities: contender.Abilities{Released: codec.Info.Abilities.Released},
				Modules:   contender.Pins(codec.Info.Name), Plan: v.plan, Generate: v.sources,
			}})
	}
	return out
}

// count returns how many fields of a target's schema the variant changes.
func (v *variant) count(t *contender.Target) int {
	f, problems := proto.Build(t.IR, []*ir.Type{t.Root}, "plan")
	if len(problems) > 0 {
		return 0
	}
	n := 0
	for _, m := range f.Messages {
		for _, x := range m.Fields {
			if v.picks(x) {
				n++
			}
		}
	}
	return n
}

func (v *variant) plan(t *contender.Target) *run.Why {
	if why := codec.Plan(t); why != nil {
		return why
	}
	if v.count(t) == 0 {
		return &run.Why{What: "skipped: " + t.Expr + " has no " + v.needs, Reason: "there is nothing to change"}
	}
	return nil
}

// variantPath is the import path of the package with the changed schema's messages.
const variantPath = contender.ModulePath + "/pbv"

// sources returns the sources of a worker with the adapter and the messages of the changed schema.
// These are filled from messages of the plain schema.
func (v *variant) sources(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
	s, err := codec.Sources(ctx, t, tools, true)
	if err != nil {
		return nil, err
	}
	done, root, err := v.compile(ctx, t)
	if err != nil {
		return nil, err
	}
	files, err := done.Generate(protomsg.ProtocGenGo)
	if err != nil {
		return nil, err
	}
	for name, src := range files {
		s.Module["pbv/"+name] = src
	}
	if err := contender.AddFolder(s.Module, texts, "recast", "recast"); err != nil {
		return nil, err
	}
	s.Imports = slices.DeleteFunc(s.Imports, func(i string) bool { return i == "zzpb "+strconv.Quote(protomsg.Path) })
	s.Imports = append(s.Imports, "zzpbv "+strconv.Quote(variantPath), "zzrecast "+strconv.Quote(contender.ModulePath+"/recast"))
	message := "zzpbv." + done.GoName(root)
	to := fmt.Sprintf("zzrecast.To[%s](zzTo%s)", message, root)
	s.Main = fmt.Sprintf("zzmessage.NewNative(zzadapter.%s[%s](), %s, zzrecast.From[%[2]s](zzFrom%[4]s))",
		cmp.Or(v.codec, "Codec"), message, to, root)
	s.Convert = fmt.Sprintf("zzmessage.Convert(%s)", to)
	return s, nil
}

// compile compiles the changed schema. root is the name of its root message.
func (v *variant) compile(ctx context.Context, t *contender.Target) (done *protomsg.Compiled, root string, err error) {
	f, problems := proto.Build(t.IR, []*ir.Type{t.Root}, "zmylab.v"+protomsg.ProtoName(t.IR.Name))
	if err := problems.Err(); err != nil {
		return nil, "", err
	}
	f.GoPackage = variantPath + ";pbv"
	fd, err := protomsg.Describe(ctx, "zmylab/v"+protomsg.ProtoName(t.IR.Name)+".proto", f.Text())
	if err != nil {
		return nil, "", err
	}
	v.change(fd, f)
	done, err = protomsg.Load(fd)
	return done, f.Messages[0].Name, err
}

// change edits the descriptor of a schema.
func (v *variant) change(fd *fileEdit, f *proto.File) {
	for _, m := range fd.MessageType {
		i := slices.IndexFunc(f.Messages, func(x *proto.Message) bool { return x.Name == m.GetName() })
		for _, x := range f.Messages[i].Fields {
			if v.edit != nil && v.picks(x) {
				k := slices.IndexFunc(m.Field, func(y *field) bool { return y.GetNumber() == x.Number })
				v.edit(fd, m, m.Field[k])
			}
		}
	}
	if v.finish != nil {
		v.finish(fd)
	}
}
