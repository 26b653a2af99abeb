package load

import (
	"testing"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"

	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
)

func wireCodec(f *form) encoding.CodecV2 {
	if f.codec == nil {
		return encoding.GetCodecV2(proto.Name)
	}
	return f.codec
}

// TestForms sends every message in every codec into targets that are used again: what is read is
// what was sent, by the digest of the Go struct.
func TestForms(t *testing.T) {
	for _, f := range forms() {
		c := wireCodec(f)
		for _, size := range []int{1_000, msg.MinSize, 64_000, 100, 128_000} {
			for _, blob := range []bool{false, true} {
				s, err := f.sources(size, blob)
				if err != nil {
					t.Fatal(err)
				}
				if s.wire < size/2 || s.wire > 2*size+200 {
					t.Errorf("%s: a message of %d bytes takes %d", f.name, size, s.wire)
				}
				if (f.name == "protobuf" || f.name == rawName) && (s.wire < size-size/20-20 || s.wire > size+20) {
					t.Errorf("%s: a message of %d bytes takes %d", f.name, size, s.wire)
				}
				for i, sent := range s.sent {
					b, err := c.Marshal(sent)
					if err != nil {
						t.Fatalf("%s: %v", f.name, err)
					}
					target := f.target()
					if err := c.Unmarshal(b, target); err != nil {
						t.Fatalf("%s: %v", f.name, err)
					}
					b.Free()
					h, err := f.check(target)
					want := f.message(i, size, blob).Head()
					if err != nil || h != want {
						t.Errorf("%s, %d bytes: %+v, %v; want %+v", f.name, size, h, err, want)
					}
					f.release(target)
				}
			}
		}
		if About(f.name) == "" {
			t.Errorf("%s: not a word about it", f.name)
		}
	}
}

// TestDamaged: bytes that are not what was sent are found, whatever they are, and nothing panics.
func TestDamaged(t *testing.T) {
	for _, f := range forms() {
		c := wireCodec(f)
		s, err := f.sources(1_000, false)
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.Marshal(s.sent[1])
		if err != nil {
			t.Fatal(err)
		}
		whole := b.Materialize()
		b.Free()
		for name, damaged := range map[string][]byte{
			"empty":     {},
			"cut":       whole[:len(whole)/2],
			"less":      whole[:len(whole)-32], // FlatBuffers do not notice that their last padding is gone
			"zeros":     make([]byte, len(whole)),
			"ones":      ones(len(whole)),
			"backwards": backwards(whole),
		} {
			target := f.target()
			err := c.Unmarshal(mem.BufferSlice{mem.SliceBuffer(damaged)}, target)
			if err == nil {
				_, err = f.check(target)
			}
			if err == nil {
				t.Errorf("%s, %s: taken for a message", f.name, name)
			}
			f.release(target)
		}
	}
}

func ones(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 0xff
	}
	return b
}

func backwards(b []byte) []byte {
	out := make([]byte, len(b))
	for i, x := range b {
		out[len(b)-1-i] = x
	}
	return out
}

// TestUnknown: other messages, codecs and sizes are errors, not panics.
func TestUnknown(t *testing.T) {
	if _, err := formOf("protobufs"); err == nil {
		t.Error("there is a codec protobufs")
	}
	if About("protobufs") != "" {
		t.Error("something is known of protobufs")
	}
	for _, f := range forms() {
		if _, err := f.sources(msg.MinSize-1, false); err == nil {
			t.Errorf("%s: a message that is too small", f.name)
		}
		if _, err := f.sources(msg.MaxSize+1, true); err == nil {
			t.Errorf("%s: a message that is too large", f.name)
		}
	}
	for _, c := range []encoding.CodecV2{new(vtCodec), new(flatCodec), new(rawCodec)} {
		if _, err := c.Marshal(7); err == nil {
			t.Errorf("%s marshals an int", c.Name())
		}
		if err := c.Unmarshal(nil, 7); err == nil {
			t.Errorf("%s unmarshals into an int", c.Name())
		}
	}
}
