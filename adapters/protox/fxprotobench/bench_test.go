package fxprotobench

import (
	"testing"

	"buf.build/go/hyperpb"
	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/internal/cputime"
)

// call is one way to do the operation of a benchmark.
type call struct {
	name string
	f    func() error
}

// run measures calls one after the other.
func run(b *testing.B, calls func(*subject) []call) {
	for _, s := range subjects(b) {
		for _, c := range calls(s) {
			b.Run(s.name+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				defer cputime.Report(b)()
				for b.Loop() {
					if err := c.f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// appends write into a buffer that is used again.
func appends(s *subject) []call {
	dst := make([]byte, 0, 64<<10)
	return []call{
		{"fxproto", func() error { _, err := fxproto.Append(dst, s.value); return err }},
		{"fxproto-method", func() error { _, err := s.value.(generated).AppendProto(dst, fxproto.MarshalOptions{}); return err }},
		{"vtprotobuf", func() error {
			n := s.msg.SizeVT()
			_, err := s.msg.MarshalToSizedBufferVT(dst[:n])
			return err
		}},
		{"protobuf-go", func() error { _, err := proto.MarshalOptions{}.MarshalAppend(dst, s.msg); return err }},
		{"sorted", func() error { _, err := fxproto.MarshalOptions{Deterministic: true}.Append(dst, s.value); return err }},
		{"reflection", func() error { _, err := fxproto.MarshalOptions{Reflection: true}.Append(dst, s.value); return err }},
	}
}

// marshals allocate the result.
func marshals(s *subject) []call {
	return []call{
		{"fxproto", func() error { _, err := fxproto.Marshal(s.value); return err }},
		{"vtprotobuf", func() error { _, err := s.msg.MarshalVT(); return err }},
		{"protobuf-go", func() error { _, err := proto.Marshal(s.msg); return err }},
		{"reflection", func() error { _, err := fxproto.MarshalOptions{Reflection: true}.Marshal(s.value); return err }},
	}
}

// unmarshals decode into a new value.
func unmarshals(s *subject) []call {
	return []call{
		{"fxproto", func() error { return fxproto.Unmarshal(s.message, s.fresh()) }},
		{"fxproto-method", func() error { return s.fresh().(generated).UnmarshalProto(s.message, fxproto.UnmarshalOptions{}) }},
		{"vtprotobuf", func() error { return s.empty().UnmarshalVT(s.message) }},
		{"protobuf-go", func() error { return proto.Unmarshal(s.message, s.empty()) }},
		{"hyperpb", func() error { return hyperpb.NewMessage(s.hyper).Unmarshal(s.message) }},
		{"fxproto-alias", func() error { return fxproto.UnmarshalOptions{Alias: true}.Unmarshal(s.message, s.fresh()) }},
		{"reflection", func() error { return fxproto.UnmarshalOptions{Reflection: true}.Unmarshal(s.message, s.fresh()) }},
	}
}

// reuses decode into a value that is used again.
func reuses(s *subject) []call {
	kept := s.fresh()
	shared := new(hyperpb.Shared)
	return []call{
		{"fxproto", func() error { return fxproto.UnmarshalOptions{Reuse: true}.Unmarshal(s.message, kept) }},
		{"vtprotobuf", func() error {
			m := s.pool()
			err := m.UnmarshalVT(s.message)
			m.ReturnToVTPool()
			return err
		}},
		{"hyperpb", func() error {
			defer shared.Free()
			return shared.NewMessage(s.hyper).Unmarshal(s.message, hyperpb.WithAllowAlias(true))
		}},
		{"fxproto-alias", func() error { return fxproto.UnmarshalOptions{Reuse: true, Alias: true}.Unmarshal(s.message, kept) }},
	}
}

// verifies check a message.
func verifies(s *subject) []call {
	return []call{
		{"fxproto", func() error { return fxproto.Verify(s.message, s.value) }},
		{"reflection", func() error { return fxproto.UnmarshalOptions{Reflection: true}.Verify(s.message, s.value) }},
	}
}

// BenchmarkAppend writes into a buffer that is used again.
func BenchmarkAppend(b *testing.B) {
	run(b, appends)
}

// BenchmarkMarshal allocates the result.
func BenchmarkMarshal(b *testing.B) {
	run(b, marshals)
}

// BenchmarkUnmarshal decodes into a new value.
func BenchmarkUnmarshal(b *testing.B) {
	run(b, unmarshals)
}

// BenchmarkReuse decodes into a value that is used again.
func BenchmarkReuse(b *testing.B) {
	run(b, reuses)
}

// BenchmarkVerify checks a message.
func BenchmarkVerify(b *testing.B) {
	run(b, verifies)
}
