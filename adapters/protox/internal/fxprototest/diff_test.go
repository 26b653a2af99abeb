// Package fxprototest compares package fxproto with google.golang.org/protobuf. For each Go type it
// derives the equivalent descriptor, so that dynamic messages are the reference.
//
// NOTE, the map of the package:
//
//	types.go             Go types of every shape
//	types_oneof.go       interfaces with the arms of oneofs
//	types_known.go       wrappers, Struct, Value and ListValue
//	types_own.go         types with MarshalText or MarshalBinary
//	types_proto.go       generated code for them
//	descriptor_test.go   from the plan of a Go type to a descriptor
//	dynamic_test.go      from Go values to dynamic messages, and the differences on purpose
//	own_test.go          values of types with methods of their own
//	random_test.go       random values, damaged messages
//	diff_test.go         the comparison, as tests and as a fuzz target
//	drawn_test.go        the comparison on drawn types
//	protofile_test.go    the same comparison with the .proto file that is made of the types
//	generated_test.go    generated code compared with reflection
package fxprototest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/internal/pbtype"
)

var (
	ours   = fxproto.MarshalOptions{Deterministic: true, Reflection: true}
	theirs = proto.MarshalOptions{Deterministic: true}
)

// reflection unmarshals by reflection.
var reflection = fxproto.UnmarshalOptions{Reflection: true}

// values is the number of random values of each type, and damaged that of damaged messages for each
// value.
const (
	values  = 150
	damaged = 8
)

// TestValues compares both implementations on random values.
func TestValues(t *testing.T) {
	for _, rt := range types {
		t.Run(rt.Name(), func(t *testing.T) {
			s := schemaOf(t, rt)
			for seed := range uint64(values) {
				s.compareValue(t, newFiller(seed))
			}
		})
	}
}

func (s *schema) compareValue(t *testing.T, r filler) {
	t.Helper()
	v := reflect.New(s.rt)
	r.message(s.plan, v.Elem(), 3)
	b, err := ours.Marshal(v.Interface())
	if err != nil {
		t.Fatalf("%v: %+v", err, v)
	}
	msg := toDynamic(s.plan, s.desc, v.Elem())
	want, err := theirs.Marshal(msg)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, want) {
		t.Fatalf("bytes of %+v:\n%x, want\n%x", v, b, want)
	}
	if n, err := ours.Size(v.Interface()); err != nil || n != len(b) {
		t.Fatalf("size %d, %v, want %d", n, err, len(b))
	}
	s.compareEncoders(t, v.Interface(), b)
	for _, o := range []fxproto.UnmarshalOptions{{}, {Alias: true}, {Reflection: true}, {Alias: true, Reflection: true}} {
		got := reflect.New(s.rt)
		if err := o.Unmarshal(b, got.Interface()); err != nil {
			t.Fatalf("%v in %x of %+v", err, b, v)
		}
		if !reflect.DeepEqual(got.Interface(), v.Interface()) {
			t.Fatalf("decoded\n%+v, want\n%+v, %x", got, v, b)
		}
	}
	back := dynamicpb.NewMessage(s.desc)
	if err := proto.Unmarshal(b, back); err != nil || !proto.Equal(back, msg) {
		t.Fatalf("decoded %v, %v, want %v", back, err, msg)
	}
}

// TestDamaged compares both implementations on damaged messages.
func TestDamaged(t *testing.T) {
	for _, rt := range types {
		t.Run(rt.Name(), func(t *testing.T) {
			s := schemaOf(t, rt)
			accepted, refused := 0, 0
			for seed := range uint64(values) {
				r := newFiller(seed)
				v := reflect.New(s.rt)
				r.message(s.plan, v.Elem(), 2)
				first, err := ours.Marshal(v.Interface())
				if err != nil {
					t.Fatal(err)
				}
				for range damaged {
					second := r.mutate(first)
					if s.compareBytes(t, first, second) {
						accepted++
					} else {
						refused++
					}
				}
			}
			if accepted < values/4 || refused < values/4 {
				t.Errorf("%d messages accepted, %d refused: too few to compare", accepted, refused)
			}
		})
	}
}

// TestRandom compares both implementations on random bytes.
func TestRandom(t *testing.T) {
	for _, rt := range types {
		s := schemaOf(t, rt)
		r := rand.New(rand.NewPCG(3, 4))
		for range values {
			b := make([]byte, r.IntN(40))
			for i := range b {
				b[i] = byte(r.Uint32() >> r.IntN(6))
			}
			s.compareBytes(t, nil, b)
		}
	}
}

// compareBytes merges second into first, which is a valid message, with both implementations. It
// reports whether second was accepted.
func (s *schema) compareBytes(t *testing.T, first, second []byte) bool {
	t.Helper()
	v := reflect.New(s.rt).Interface()
	err := reflection.Unmarshal(second, v)
	s.compareDecoders(t, first, second, v, err)
	if verify := reflection.Verify(second, v); !reflect.DeepEqual(err, verify) {
		t.Fatalf("%v: Verify: %v, Unmarshal: %v, %x", s.rt, verify, err, second)
	}
	if errors.Is(err, fxproto.ErrRange) || isForeign(err) {
		return false // a value that the Go type does not hold
	}
	msg := dynamicpb.NewMessage(s.desc)
	wantErr, panics := merge(msg, second)
	if panics {
		return err == nil
	}
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%v: %v, protobuf-go: %v, %x", s.rt, err, wantErr, second)
	}
	if err != nil {
		return false
	}
	s.compareDecoded(t, v, msg, second)
	merged := dynamicpb.NewMessage(s.desc)
	firstErr, panics := merge(merged, first)
	if panics {
		return true
	}
	secondErr, _ := merge(merged, second)
	if err = errors.Join(reflection.Unmarshal(first, v), reflection.Merge(second, v), firstErr, secondErr); err != nil {
		t.Fatalf("%v: %v, %x %x", s.rt, err, first, second)
	}
	s.compareDecoded(t, v, merged, append(first[:len(first):len(first)], second...))
	return true
}

// merge merges b into msg. It reports a panic of dynamic messages in protobuf-go 1.36: if an entry of
// a map has a key, and after it one of a wrong wire type, the key is lost.
func merge(msg *dynamicpb.Message, b []byte) (err error, panics bool) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case strings.Contains(fmt.Sprint(p), "cannot convert nil to map key"):
			panics = true
		default:
			panic(p)
		}
	}()
	return proto.UnmarshalOptions{Merge: true}.Unmarshal(b, msg), false
}

// compareDecoded compares the decoded values, by their bytes.
func (s *schema) compareDecoded(t *testing.T, v any, msg *dynamicpb.Message, b []byte) {
	t.Helper()
	got, err := ours.Marshal(v)
	if err != nil {
		t.Fatalf("%v: %v, %x", s.rt, err, b)
	}
	normalise(s.plan, msg)
	want, err := theirs.Marshal(msg)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) && !mergesTimes(s.plan, b, map[*plannedField]int{}) {
		t.Fatalf("%v: %x, protobuf-go: %x, from %x", s.rt, got, want, b)
	}
}

// mergesTimes reports whether a message may contain one Timestamp or Duration twice. If it does, the
// results may differ, as the documentation of package fxproto says.
func mergesTimes(m *plannedMessage, b []byte, seen map[*plannedField]int) bool {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeField(b)
		if n < 0 {
			return false
		}
		_, _, tag := protowire.ConsumeTag(b)
		content, _ := protowire.ConsumeBytes(b[tag:n])
		if typ == protowire.StartGroupType {
			content, _ = protowire.ConsumeGroup(num, b[tag:n])
		}
		b = b[n:]
		for i := range m.Fields {
			f := &m.Fields[i]
			if f.Number != int32(num) {
				continue
			}
			switch k := f.Value.Kind; {
			case k == pbtype.Timestamp || k == pbtype.Duration:
				if seen[f]++; seen[f] > 1 {
					return true
				}
			case f.Value.Message != nil && mergesTimes(f.Value.Message, content, seen):
				return true
			}
		}
	}
	return false
}

// FuzzBytes compares both implementations on any bytes, for each type.
func FuzzBytes(f *testing.F) {
	schemas := make([]*schema, len(types))
	for i, rt := range types {
		schemas[i] = schemaOf(f, rt)
		for seed := range uint64(3) {
			r := newFiller(seed)
			v := reflect.New(rt)
			r.message(schemas[i].plan, v.Elem(), 2)
			b, err := ours.Marshal(v.Interface())
			if err != nil {
				f.Fatal(err)
			}
			f.Add(byte(i), b, r.mutate(b))
		}
	}
	maps := byte(slices.Index(types, reflect.TypeFor[Maps]()))
	f.Add(maps, []byte(nil), []byte("\x0a\x05\x0a\x01k\x08\x01")) // the panic that merge reports
	f.Fuzz(func(t *testing.T, which byte, first, second []byte) {
		s := schemas[int(which)%len(schemas)]
		if fxproto.Verify(first, reflect.New(s.rt).Interface()) != nil {
			first = nil
		}
		s.compareBytes(t, first, second)
	})
}
