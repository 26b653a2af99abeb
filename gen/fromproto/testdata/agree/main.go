// Agree compares the types of package types with dynamic messages: messages with random values must
// have the same bytes after a round trip. The test writes table.go, which has the types by name.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"

	theirjson "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/zmylab/zmy/fxjson/protojson"
	"github.com/zmylab/zmy/fxproto"
)

//go:embed set.bin
var set []byte

func main() {
	fds := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(set, fds); err != nil {
		panic(err)
	}
	files, err := protodesc.NewFiles(fds)
	if err != nil {
		panic(err)
	}
	failed, messages, size, documents := 0, 0, 0, 0
	for name, zero := range table {
		d, err := files.FindDescriptorByName(protoreflect.FullName(name))
		if err != nil {
			panic(err)
		}
		for seed := range uint64(40) {
			r := &random{rand.New(rand.NewPCG(seed, 1))}
			msg := r.message(d.(protoreflect.MessageDescriptor), 2)
			b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(msg)
			if err != nil {
				panic(err)
			}
			messages, size = messages+1, size+len(b)
			v := zero()
			err = fxproto.Unmarshal(b, v)
			var got []byte
			if err == nil {
				got, err = fxproto.MarshalOptions{Deterministic: true}.Marshal(v)
			}
			if err != nil || !bytes.Equal(got, b) {
				fmt.Printf("%s: %v\n%x became\n%x\n", name, err, b, got)
				failed++
				break
			}
			if plainJSON(msg.Descriptor(), map[protoreflect.FullName]bool{}) {
				documents++
				if err := compareJSON(msg, zero); err != nil {
					fmt.Printf("%s: %v\n", name, err)
					failed++
					break
				}
			}
		}
	}
	fmt.Printf("%d types, %d messages, %d bytes, %d documents\n", len(table), messages, size, documents)
	if failed > 0 {
		os.Exit(1)
	}
}

// plainJSON reports whether no type within d has a JSON form of its own, which package protojson does
// not know.
func plainJSON(d protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) bool {
	if seen[d.FullName()] {
		return true
	}
	seen[d.FullName()] = true
	if d.ParentFile().Package() == "google.protobuf" && len(seen) == 1 {
		switch d.Name() {
		case "Timestamp", "Duration":
			return false // as a root it is a struct
		}
	}
	switch d.ParentFile().Path() {
	case "google/protobuf/any.proto", "google/protobuf/struct.proto", "google/protobuf/wrappers.proto", "google/protobuf/field_mask.proto":
		return false
	}
	for i := range d.Fields().Len() {
		if m := d.Fields().Get(i).Message(); m != nil && !plainJSON(m, seen) {
			return false
		}
	}
	return true
}

// compareJSON compares the documents of both implementations, and what each reads from that of the
// other.
func compareJSON(msg *dynamicpb.Message, zero func() any) error {
	theirs := theirjson.MarshalOptions{AllowPartial: true}
	want, err := theirs.Marshal(msg)
	if err != nil {
		return err
	}
	v := zero()
	if err := protojson.Unmarshal(want, v); err != nil {
		return fmt.Errorf("%w in %s", err, want)
	}
	got, err := protojson.Marshal(v)
	if err != nil {
		return err
	}
	var x, y any
	if err := errors.Join(json.Unmarshal(got, &x), json.Unmarshal(want, &y)); err != nil || !reflect.DeepEqual(x, y) {
		return fmt.Errorf("%v\n%s\nprotobuf-go:\n%s", err, got, want)
	}
	back := msg.New().Interface()
	if err := (theirjson.UnmarshalOptions{AllowPartial: true}).Unmarshal(got, back); err != nil {
		return err
	}
	order := proto.MarshalOptions{Deterministic: true, AllowPartial: true}
	a, err := order.Marshal(back)
	if err != nil {
		return err
	}
	b, err := fxproto.MarshalOptions{Deterministic: true}.Marshal(v)
	if err != nil || !bytes.Equal(a, b) {
		return fmt.Errorf("%v: %x from %s, protobuf-go: %x", err, b, got, a)
	}
	return nil
}

type random struct{ *rand.Rand }

func (r *random) message(d protoreflect.MessageDescriptor, depth int) *dynamicpb.Message {
	m := dynamicpb.NewMessage(d)
	switch d.FullName() {
	case "google.protobuf.Timestamp":
		m.Set(d.Fields().ByNumber(1), protoreflect.ValueOfInt64(r.Int64N(253402300799)))
		m.Set(d.Fields().ByNumber(2), protoreflect.ValueOfInt32(1+r.Int32N(999999998)))
		return m
	case "google.protobuf.Duration":
		m.Set(d.Fields().ByNumber(1), protoreflect.ValueOfInt64(1+r.Int64N(9000000000)))
		m.Set(d.Fields().ByNumber(2), protoreflect.ValueOfInt32(1+r.Int32N(999999998)))
		return m
	case "google.protobuf.Value":
		return r.any(m, depth)
	}
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		if r.IntN(3) == 0 || f.Message() != nil && depth == 0 {
			continue
		}
		switch {
		case f.IsMap():
			for range r.IntN(3) {
				m.Mutable(f).Map().Set(r.value(f.MapKey(), depth).MapKey(), r.value(f.MapValue(), depth))
			}
		case f.IsList():
			for range r.IntN(4) {
				m.Mutable(f).List().Append(r.value(f, depth))
			}
		default:
			m.Set(f, r.value(f, depth))
		}
	}
	if r.IntN(2) == 0 && keepsUnknown && !plain[d.FullName()] {
		m.SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, protowire.MaxValidNumber-1, protowire.VarintType), 7))
	}
	return m
}

// plain has the messages of google.protobuf whose Go types do not keep unknown fields.
var plain = map[protoreflect.FullName]bool{}

func init() {
	for _, name := range strings.Fields("Any Struct ListValue BoolValue StringValue BytesValue Int32Value Int64Value UInt32Value UInt64Value " +
		"FloatValue DoubleValue") {
		plain[protoreflect.FullName("google.protobuf."+name)] = true
	}
}

// any sets a Value to one that is not null: a field without presence for null does not have it.
func (r *random) any(m *dynamicpb.Message, depth int) *dynamicpb.Message {
	kinds := 5
	if depth <= 0 {
		kinds = 3
	}
	f := m.Descriptor().Fields().ByNumber(protoreflect.FieldNumber(2 + r.IntN(kinds)))
	m.Set(f, r.value(f, depth))
	return m
}

func (r *random) value(f protoreflect.FieldDescriptor, depth int) protoreflect.Value {
	small := r.IntN(2) == 0
	n := r.Uint64()
	if small {
		n %= 3
	}
	switch f.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(small)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(int32(n)))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(n))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(n))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(n))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(n)
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(n) / 3)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(float64(n) / 3)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString([]string{"", "a", "żółć", fmt.Sprint(n)}[r.IntN(4)])
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte([]string{"", "\xff\x00", fmt.Sprint(n)}[r.IntN(3)]))
	}
	return protoreflect.ValueOfMessage(r.message(f.Message(), depth-1))
}
