package fxproto_test

import (
	"testing"

	"github.com/zmylab/zmy/fxproto"
)

// generated has the methods that are reserved for generated code. They leave traces of their own.
type generated struct {
	N int32 `proto:"1"`
}

func (g *generated) AppendProto(dst []byte, o fxproto.MarshalOptions) ([]byte, error) {
	if o.Deterministic {
		dst = append(dst, 'd')
	}
	return append(dst, 'a'), nil
}

func (g *generated) SizeProto() (int, error) { return 42, nil }

func (g *generated) UnmarshalProto(b []byte, o fxproto.UnmarshalOptions) error {
	g.N += int32(len(b)) + int32(o.MaxDepth)
	return nil
}

func (g *generated) VerifyProto(b []byte, _ fxproto.UnmarshalOptions) error {
	if len(b) == 0 {
		return fxproto.ErrTruncated
	}
	return nil
}

func TestGeneratedMethods(t *testing.T) {
	g := &generated{N: 100}
	if b, err := (fxproto.MarshalOptions{Deterministic: true}).Marshal(g); string(b) != "da" || err != nil {
		t.Errorf("Marshal: %q, %v", b, err)
	}
	if n, err := fxproto.Size(g); n != 42 || err != nil {
		t.Errorf("Size: %d, %v", n, err)
	}
	if err := fxproto.Merge([]byte("xyz"), g); g.N != 103 || err != nil {
		t.Errorf("Merge: %d, %v", g.N, err)
	}
	if err := (fxproto.UnmarshalOptions{MaxDepth: 7}).Unmarshal([]byte("xy"), g); g.N != 9 || err != nil {
		t.Errorf("Unmarshal: %d, %v", g.N, err)
	}
	if err := fxproto.Verify(nil, (*generated)(nil)); err != fxproto.ErrTruncated {
		t.Errorf("Verify: %v", err)
	}
	if b, err := fxproto.Marshal((*generated)(nil)); len(b) != 0 || err != nil {
		t.Errorf("a nil pointer calls the method: %q, %v", b, err)
	}
	type around struct {
		G *generated `proto:"1"`
	}
	if b, err := fxproto.Marshal(around{&generated{N: 5}}); string(b) != "\x0a\x02\x08\x05" || err != nil {
		t.Errorf("a message around the type: %x, %v", b, err)
	}
}
