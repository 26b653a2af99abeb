// Package protobuf is the contender google.golang.org/protobuf.
//
// It has the two rows that all codecs of the family have, and variants: further rows on the same
// schema with one change or one option. A variant compiles the changed descriptor to messages of
// its own. They are filled from messages of the plain schema, by reflection and before the clock
// starts (folder recast), so that no variant needs conversions of its own.
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
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/protomsg"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender on the user's type, NativeInfo the one on generated messages.
var Info, NativeInfo = codec.Rows()

var codec = &protomsg.Codec{
	Info: contender.Info{
		Name: "protobuf", Text: "Google's Protocol Buffers for Go",
		Adopt: &run.Adopt{Import: "google.golang.org/protobuf/proto", Manual: protomsg.ByHand,
			Marshal: "proto.Marshal(m)", Unmarshal: "proto.Unmarshal(b, m)"},
		Abilities: protomsg.Abilities.But(contender.Abilities{
			Deterministic: "no; option Deterministic, for one program",
			Validation:    "partly; structure and UTF-8, but no end mark: a cut message may be read",
			Streaming:     "yes; package protodelim",
			Released:      "2026-08-10",
		}),
	},
	Generate: func(_ context.Context, t *protomsg.Task) (map[string][]byte, error) {
		return t.Compiled.Generate(protomsg.ProtocGenGo)
	},
}

//go:embed recast
var texts embed.FS

// Variant is protobuf-go with one change of the subject's schema, or with one option. Its cost or
// gain is the difference to the native row of protobuf-go. Its rows are on generated messages and
// never ranked.
type Variant struct {
	Info contender.Info
	Name string // the change: "optional fields"
	// Breaks says that readers of the plain schema cannot read the variant's messages, so all
	// programs must change together.
	Breaks bool

	row   string                    // name of the row, without "protobuf-"
	api   string                    // parameter of the generator, "" if it has none
	needs string                    // what a schema lacks if the variant changes nothing in it
	codec string                    // function of the adapter; "" means Codec
	picks func(f *proto.Field) bool // reports whether the variant changes the field
	// edit changes the descriptor of a field that picks has picked; s is the field's scalar. If
	// edit is nil, fields stay as they are.
	edit   func(fd *fileEdit, m *messageEdit, f *field, s proto.Scalar)
	finish func(*fileEdit) // changes the file; nil: it stays as it is
}

// The types of the descriptors that are edited.
type (
	fileEdit    = descriptorpb.FileDescriptorProto
	messageEdit = descriptorpb.DescriptorProto
	field       = descriptorpb.FieldDescriptorProto
)

var variants = []Variant{
	{row: "deterministic", Name: "option Deterministic", needs: "map", codec: "Deterministic",
		picks: func(f *proto.Field) bool { return f.Card == proto.Map }},
	{row: "unchecked", Name: "strings not checked for UTF-8", needs: "string",
		picks: hasString, finish: unchecked},
	{row: "optional", Name: "optional fields", needs: "plain scalar field",
		picks: plainScalar, edit: optional},
	{row: "wrapper", Name: "fields in google.protobuf wrappers", needs: "plain scalar field", Breaks: true,
		picks: plainScalar, edit: wrap},
	{row: "zigzag", Name: "sint32 and sint64", needs: "signed integer", Breaks: true,
		picks: func(f *proto.Field) bool { return f.Card != proto.Map && zigzags[f.Value.Scalar] != 0 },
		edit:  func(_ *fileEdit, _ *messageEdit, f *field, s proto.Scalar) { f.Type = zigzags[s].Enum() }},
	{row: "fixed", Name: "fixed32 and fixed64", needs: "integer", Breaks: true,
		picks: func(f *proto.Field) bool { return f.Card != proto.Map && fixed[f.Value.Scalar] != 0 },
		edit:  func(_ *fileEdit, _ *messageEdit, f *field, s proto.Scalar) { f.Type = fixed[s].Enum() }},
	{row: "unpacked", Name: "lists of numbers not packed", needs: "list of numbers",
		picks: func(f *proto.Field) bool { return f.Card == proto.Repeated && packable(f.Value) },
		edit: func(_ *fileEdit, _ *messageEdit, f *field, _ proto.Scalar) {
			f.Options = &descriptorpb.FieldOptions{Packed: pb.Bool(false)}
		}},
	{row: "opaque", Name: "opaque API", needs: "field", api: opaque,
		picks: func(*proto.Field) bool { return true }},
	{row: "lazy", Name: "opaque API, lazy fields that nobody reads", needs: "field with messages", api: opaque,
		picks: hasMessage, edit: lazy},
	{row: "lazy-opened", Name: "opaque API, lazy fields that are all opened by reflection", needs: "field with messages", api: opaque,
		codec: "Opened", picks: hasMessage, edit: lazy},
}

// opaque makes the generator hide fields behind methods. Lazy fields need it.
const opaque = "default_api_level=API_OPAQUE"

// Variants returns all variants.
func Variants() []Variant {
	out := slices.Clone(variants)
	for i := range out {
		v := &out[i]
		v.Info = contender.Info{
			Name: codec.Info.Name + "-" + v.row, Family: "protobuf", Text: codec.Info.Text + " on its generated type: " + v.Name,
			Native: true, Extra: true,
			Abilities: contender.Abilities{Released: codec.Info.Abilities.Released},
			Modules:   contender.Pins(codec.Info.Name), Plan: v.plan, Generate: v.sources,
		}
	}
	return out
}

// Fields returns how many fields of a target's schema the variant changes.
func (v *Variant) Fields(t *contender.Target) int {
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

func (v *Variant) plan(t *contender.Target) *run.Why {
	if why := codec.Plan(t); why != nil {
		return why
	}
	if v.Fields(t) == 0 {
		return &run.Why{What: "skipped: " + t.Expr + " has no " + v.needs, Reason: "there is nothing to change"}
	}
	return nil
}

// variantPath is the import path of the package with the changed schema's messages.
const variantPath = contender.ModulePath + "/pbv"

// sources returns the sources of a worker with the adapter and the messages of the changed schema.
// These are filled from messages of the plain schema.
func (v *Variant) sources(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
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
	if err := AddRecast(s); err != nil {
		return nil, err
	}
	s.Imports = slices.DeleteFunc(s.Imports, func(i string) bool { return i == "zzpb "+strconv.Quote(protomsg.Path) })
	s.Imports = append(s.Imports, "zzpbv "+strconv.Quote(variantPath))
	message := "zzpbv." + done.GoName(root)
	to := fmt.Sprintf("zzrecast.To[%s](zzTo%s)", message, root)
	s.Main = fmt.Sprintf("zzmessage.NewNative(zzadapter.%s[%s](), %s, zzrecast.From[%[2]s](zzFrom%[4]s))",
		cmp.Or(v.codec, "Codec"), message, to, root)
	s.Convert = fmt.Sprintf("zzmessage.Convert(%s)", to)
	return s, nil
}

// AddRecast adds package recast to sources, and its import as zzrecast.
func AddRecast(s *contender.Sources) error {
	s.Imports = append(s.Imports, "zzrecast "+strconv.Quote(contender.ModulePath+"/recast"))
	return contender.AddFolder(s.Module, texts, "recast", "recast")
}

// compile compiles the changed schema. root is the name of its root message.
func (v *Variant) compile(ctx context.Context, t *contender.Target) (done *protomsg.Compiled, root string, err error) {
	f, err := protomsg.Schema(t, "v", variantPath+";pbv")
	if err != nil {
		return nil, "", err
	}
	fd, err := protomsg.Describe(ctx, "zmylab/v"+protomsg.ProtoName(t.IR.Name)+".proto", f.Text())
	if err != nil {
		return nil, "", err
	}
	v.change(fd, f)
	done, err = protomsg.Load(fd, v.api)
	return done, f.Messages[0].Name, err
}

// change edits the descriptor of a schema.
func (v *Variant) change(fd *fileEdit, f *proto.File) {
	for _, m := range fd.MessageType {
		i := slices.IndexFunc(f.Messages, func(x *proto.Message) bool { return x.Name == m.GetName() })
		for _, x := range f.Messages[i].Fields {
			if v.edit != nil && v.picks(x) {
				k := slices.IndexFunc(m.Field, func(y *field) bool { return y.GetNumber() == x.Number })
				v.edit(fd, m, m.Field[k], x.Value.Scalar)
			}
		}
	}
	if v.finish != nil {
		v.finish(fd)
	}
}

// The functions here change descriptors, for variants. A proto.File says which fields a variant
// changes. Only messages of the subject are changed, not fixed ones such as Timestamp, which the
// user cannot change.

var zigzags = map[proto.Scalar]descriptorpb.FieldDescriptorProto_Type{
	proto.Int32: descriptorpb.FieldDescriptorProto_TYPE_SINT32, proto.Int64: descriptorpb.FieldDescriptorProto_TYPE_SINT64,
}

var fixed = map[proto.Scalar]descriptorpb.FieldDescriptorProto_Type{
	proto.Int32: descriptorpb.FieldDescriptorProto_TYPE_SFIXED32, proto.Int64: descriptorpb.FieldDescriptorProto_TYPE_SFIXED64,
	proto.Uint32: descriptorpb.FieldDescriptorProto_TYPE_FIXED32, proto.Uint64: descriptorpb.FieldDescriptorProto_TYPE_FIXED64,
}

// wrapperOf has the wrapper of each scalar, from google/protobuf/wrappers.proto.
var wrapperOf = map[proto.Scalar]string{
	proto.Bool: "BoolValue", proto.Int32: "Int32Value", proto.Int64: "Int64Value", proto.Uint32: "UInt32Value", proto.Uint64: "UInt64Value",
	proto.Float: "FloatValue", proto.Double: "DoubleValue", proto.String: "StringValue", proto.Bytes: "BytesValue",
}

func plainScalar(f *proto.Field) bool { return f.Card == proto.One && f.Value.Message == nil }

func packable(v proto.Value) bool {
	return v.Message == nil && v.Scalar != proto.String && v.Scalar != proto.Bytes
}

func hasString(f *proto.Field) bool {
	return f.Value.Scalar == proto.String || f.Card == proto.Map && f.Key.Scalar == proto.String
}

func hasMessage(f *proto.Field) bool { return f.Card != proto.Map && f.Value.Message != nil }

// lazy leaves the messages of a field encoded until they are first read.
func lazy(_ *fileEdit, _ *messageEdit, f *field, _ proto.Scalar) {
	f.Options = &descriptorpb.FieldOptions{Lazy: pb.Bool(true)}
}

// optional gives a field explicit presence, as proto3's keyword optional does: with a oneof of its
// own.
func optional(_ *fileEdit, m *messageEdit, f *field, _ proto.Scalar) {
	f.Proto3Optional, f.OneofIndex = pb.Bool(true), pb.Int32(int32(len(m.OneofDecl)))
	m.OneofDecl = append(m.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: pb.String("_" + f.GetName())})
}

// wrap turns a scalar field into a message that contains the scalar.
func wrap(fd *fileEdit, _ *messageEdit, f *field, s proto.Scalar) {
	f.TypeName = pb.String(".google.protobuf." + wrapperOf[s])
	f.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
	if file := wrapperspb.File_google_protobuf_wrappers_proto.Path(); !slices.Contains(fd.Dependency, file) {
		fd.Dependency = append(fd.Dependency, file)
	}
}

// unchecked turns a proto3 file into one of edition 2023, because proto3 has no option to leave
// strings unchecked. Apart from that the file keeps its meaning.
func unchecked(fd *fileEdit) {
	fd.Syntax, fd.Edition = pb.String("editions"), descriptorpb.Edition_EDITION_2023.Enum()
	fd.Options.Features = &descriptorpb.FeatureSet{
		FieldPresence:  descriptorpb.FeatureSet_IMPLICIT.Enum(),
		Utf8Validation: descriptorpb.FeatureSet_NONE.Enum(),
	}
	for _, m := range fd.MessageType {
		explicit(m)
	}
}

// explicit replaces proto3's optional by the feature field_presence of editions, which needs no
// oneof.
func explicit(m *messageEdit) {
	real := 0
	for _, f := range m.Field {
		if !f.GetProto3Optional() {
			if f.OneofIndex != nil {
				real = max(real, int(f.GetOneofIndex())+1)
			}
			continue
		}
		f.Proto3Optional, f.OneofIndex = nil, nil
		if f.Options == nil {
			f.Options = new(descriptorpb.FieldOptions)
		}
		f.Options.Features = &descriptorpb.FeatureSet{FieldPresence: descriptorpb.FeatureSet_EXPLICIT.Enum()}
	}
	m.OneofDecl = m.OneofDecl[:real] // the oneofs of optional fields were the last ones
	for _, n := range m.NestedType {
		explicit(n)
	}
}
