package describe

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	// The files that described ones import.
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/zmylab/zmy/internal/pbreflect"
)

// builder makes a file.
type builder struct {
	pkg      string
	file     *descriptorpb.FileDescriptorProto
	taken    map[string]bool                 // names in the scope of the package
	messages map[reflect.Type]*declaration   // by struct
	enums    map[reflect.Type]string         // full names, "" for enums that are integers
	edition  bool                            // a field needs an edition
	optional []*descriptorpb.DescriptorProto // messages in which proto3 marks optional fields
}

// declaration is a message with its full name, which begins with a dot.
type declaration struct {
	*descriptorpb.DescriptorProto
	full string
}

func newBuilder(pkg string) *builder {
	return &builder{pkg: pkg, taken: map[string]bool{}, messages: map[reflect.Type]*declaration{}, enums: map[reflect.Type]string{},
		file: &descriptorpb.FileDescriptorProto{Name: proto.String(pkg + ".proto"), Package: proto.String(pkg)}}
}

// take returns want, or want with a number if the package has the name already.
func (b *builder) take(want string) string {
	got := want
	for n := 2; b.taken[got]; n++ {
		got = fmt.Sprint(want, n)
	}
	b.taken[got] = true
	return got
}

// full returns the full name of a name in the package.
func (b *builder) full(name string) string {
	if b.pkg == "" {
		return "." + name
	}
	return "." + b.pkg + "." + name
}

func (b *builder) imports(file string) {
	if !slices.Contains(b.file.Dependency, file) {
		b.file.Dependency = append(b.file.Dependency, file)
		slices.Sort(b.file.Dependency)
	}
}

// service adds a service. Its methods are those of the interface HandlerType with the same names.
func (b *builder) service(d *grpc.ServiceDesc) error {
	t := reflect.TypeOf(d.HandlerType)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Interface {
		return errors.New("HandlerType is no pointer to an interface; register it by generated code")
	}
	out := &descriptorpb.ServiceDescriptorProto{Name: proto.String(d.ServiceName[strings.LastIndexByte(d.ServiceName, '.')+1:])}
	b.taken[out.GetName()] = true
	for _, m := range d.Methods {
		if err := b.method(out, t.Elem(), m.MethodName, false, false); err != nil {
			return err
		}
	}
	for _, s := range d.Streams {
		if err := b.method(out, t.Elem(), s.StreamName, s.ClientStreams, s.ServerStreams); err != nil {
			return err
		}
	}
	b.file.Service = append(b.file.Service, out)
	return nil
}

// method adds a method of a service.
func (b *builder) method(s *descriptorpb.ServiceDescriptorProto, t reflect.Type, name string, inMany, outMany bool) error {
	m, ok := t.MethodByName(name)
	if !ok {
		return fmt.Errorf("%s has no method %s; give the Go method the name that it has in gRPC", t, name)
	}
	if m.Type.NumIn() != 2 || m.Type.NumOut() == 0 || m.Type.In(0) != reflect.TypeFor[context.Context]() {
		return fmt.Errorf("method %s is not of a form that zmy gen -grpc generates", name)
	}
	in, err := b.rpcMessage(m.Type.In(1), inMany)
	if err != nil {
		return fmt.Errorf("method %s: %w", name, err)
	}
	out, err := b.rpcMessage(m.Type.Out(0), outMany)
	if err != nil {
		return fmt.Errorf("method %s: %w", name, err)
	}
	d := &descriptorpb.MethodDescriptorProto{Name: proto.String(name), InputType: proto.String(in), OutputType: proto.String(out)}
	if inMany {
		d.ClientStreaming = proto.Bool(true)
	}
	if outMany {
		d.ServerStreaming = proto.Bool(true)
	}
	s.Method = append(s.Method, d)
	return nil
}

// rpcMessage adds the struct T of *T or, if there are many, of iter.Seq2[*T, error], and returns its
// full name.
func (b *builder) rpcMessage(t reflect.Type, many bool) (string, error) {
	if many && t.Kind() == reflect.Func && t.NumIn() == 1 && t.In(0).Kind() == reflect.Func && t.In(0).NumIn() == 2 {
		t = t.In(0).In(0)
	}
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return "", fmt.Errorf("%s is no message; write *T, or iter.Seq2[*T, error]", t)
	}
	plan, problems := pbreflect.Types(t.Elem())
	if len(problems) > 0 {
		return "", errors.New(problems[0].String())
	}
	if t.Elem() == anyType {
		return b.known("Any", "any"), nil
	}
	return b.message(plan.Root).full, nil
}

// finish sets the syntax, and what depends on it.
func (b *builder) finish() *descriptorpb.FileDescriptorProto {
	if b.edition {
		b.file.Syntax, b.file.Edition = proto.String("editions"), descriptorpb.Edition_EDITION_2023.Enum()
		b.file.Options = &descriptorpb.FileOptions{Features: &descriptorpb.FeatureSet{FieldPresence: descriptorpb.FeatureSet_IMPLICIT.Enum()}}
		for _, m := range b.optional {
			toEdition(m)
		}
		return b.file
	}
	b.file.Syntax = proto.String("proto3")
	for _, m := range b.optional {
		toProto3(m)
	}
	return b.file
}
