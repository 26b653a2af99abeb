package fxprotobench

import (
	"reflect"
	"testing"

	theirjson "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/fxjson/protojson"
)

// TestJSON reads the documents of each implementation with the other.
func TestJSON(t *testing.T) {
	for _, s := range subjects(t) {
		doc, err := protojson.Marshal(s.value)
		if err != nil {
			t.Fatal(err)
		}
		if err := theirjson.Unmarshal(doc, s.msg); err != nil {
			t.Fatalf("%s: %v\n%s", s.name, err, doc)
		}
		if b, err := (proto.MarshalOptions{Deterministic: true}).Marshal(s.msg); err != nil || string(b) != string(s.message) {
			t.Errorf("%s: %v, %x, want %x", s.name, err, b, s.message)
		}
		other, err := theirjson.Marshal(s.msg)
		if err != nil {
			t.Fatal(err)
		}
		back := reflect.New(reflect.TypeOf(s.value).Elem()).Interface()
		if err := protojson.Unmarshal(other, back); err != nil || !reflect.DeepEqual(back, s.value) {
			t.Errorf("%s: %v, %+v, want %+v", s.name, err, back, s.value)
		}
	}
}

func BenchmarkJSON(b *testing.B) {
	for _, s := range subjects(b) {
		if err := proto.Unmarshal(s.message, s.msg); err != nil {
			b.Fatal(err)
		}
		doc, err := protojson.Marshal(s.value)
		if err != nil {
			b.Fatal(err)
		}
		back := reflect.New(reflect.TypeOf(s.value).Elem()).Interface()
		empty := s.msg.ProtoReflect().New().Interface()
		var buf []byte
		for _, c := range []struct {
			name string
			f    func() error
		}{
			{"marshal/zmy", func() (err error) { buf, err = protojson.Append(buf[:0], s.value); return err }},
			{"marshal/protojson", func() (err error) { buf, err = theirjson.MarshalOptions{}.MarshalAppend(buf[:0], s.msg); return err }},
			{"unmarshal/zmy", func() error { return protojson.Unmarshal(doc, back) }},
			{"unmarshal/protojson", func() error { return theirjson.Unmarshal(doc, empty) }},
		} {
			b.Run(s.name+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
