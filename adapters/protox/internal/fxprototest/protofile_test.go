package fxprototest

import (
	"os"
	"reflect"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// protoFile returns what types.proto declares: the file that zmy gen -lang proto writes for the types
// of this package. The golden test of gen/emit/protofile keeps it up to date.
func protoFile(t testing.TB) protoreflect.FileDescriptor {
	t.Helper()
	text, err := os.ReadFile("types.proto")
	if err != nil {
		t.Fatal(err)
	}
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(map[string]string{"types.proto": string(text)})})}
	files, err := c.Compile(t.Context(), "types.proto")
	if err != nil {
		t.Fatal(err)
	}
	// Messages are checked for UTF-8 only with descriptors of protobuf-go's own.
	file, err := protodesc.NewFile(protodesc.ToFileDescriptorProto(files[0]), protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// exported returns the schema of a type with the descriptor of types.proto.
func exported(t testing.TB, file protoreflect.FileDescriptor, rt reflect.Type) *schema {
	s := schemaOf(t, rt)
	if s.desc = file.Messages().ByName(protoreflect.Name(rt.Name())); s.desc == nil {
		t.Fatalf("types.proto has no message %s", rt.Name())
	}
	return s
}

// TestExported compares fxproto with dynamic messages whose descriptors are those of types.proto: each
// reads what the other writes, and both accept the same damaged messages.
func TestExported(t *testing.T) {
	file := protoFile(t)
	for _, rt := range types {
		t.Run(rt.Name(), func(t *testing.T) {
			s := exported(t, file, rt)
			for seed := range uint64(values) {
				s.compareValue(t, newFiller(seed))
				r := newFiller(seed)
				v := reflect.New(s.rt)
				r.message(s.plan, v.Elem(), 2)
				first, err := ours.Marshal(v.Interface())
				if err != nil {
					t.Fatal(err)
				}
				s.compareBytes(t, first, r.mutate(first))
			}
		})
	}
}
