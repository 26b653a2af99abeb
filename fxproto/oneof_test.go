package fxproto_test

import (
	"encoding/hex"
	"errors"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/fxproto/protort"
)

type (
	// holder has an interface whose arms are registered, as generated code registers them.
	holder struct {
		Kind kind   `proto:"oneof"`
		Name string `proto:"1"`
	}
	kind interface{ isKind() }
	word struct {
		Text string `proto:"2,oneof"`
	}
	pair struct {
		A, B int32
		X    int32 `proto:"1"`
		Y    int32 `proto:"2"`
	}
	stranger struct{ word }

	// gogo has the method of older generators. unheard has none.
	gogo struct {
		Kind isGogo `protobuf_oneof:"kind"`
	}
	isGogo   interface{ isGogo() }
	gogoText struct {
		Text string `protobuf:"bytes,1,opt,name=text,proto3,oneof"`
	}
	unheard struct {
		Kind isGogo `protobuf_oneof:"kind"`
	}
)

func (word) isKind()      {}
func (*pair) isKind()     {}
func (*gogoText) isGogo() {}

func (*gogo) XXX_OneofWrappers() []any { return []any{(*gogoText)(nil)} }

func init() { protort.Oneof[kind](protort.OneofArm[word](0), protort.OneofArm[pair](3)) }

func TestInterfaces(t *testing.T) {
	for _, c := range []struct {
		bytes string
		want  kind
	}{
		{"", nil},
		{"\x12\x01a", word{"a"}},
		{"\x12\x01a\x12\x01b", word{"b"}},
		{"\x12\x00", word{}},
		{"\x1a\x02\x08\x01", &pair{X: 1}},
		{"\x1a\x02\x08\x01\x1a\x02\x10\x02", &pair{X: 1, Y: 2}},
		{"\x1a\x02\x08\x01\x12\x01a\x1a\x02\x10\x02", &pair{Y: 2}},
		{"\x1a\x02\x08\x01\x12\x00", word{}},
		{"\x1a\x00", &pair{}},
	} {
		var got holder
		if err := fxproto.Unmarshal([]byte(c.bytes), &got); err != nil || !reflect.DeepEqual(got.Kind, c.want) {
			t.Errorf("%x: %+v, %v, want %+v", c.bytes, got.Kind, err, c.want)
		}
		if err := fxproto.Verify([]byte(c.bytes), &got); err != nil {
			t.Errorf("%x: %v", c.bytes, err)
		}
	}
	for _, c := range []struct {
		kind kind
		want string
	}{
		{nil, "0a0178"}, {word{}, "0a01781200"}, {&word{"a"}, "0a0178120161"}, {&pair{}, "0a01781a00"},
		{(*word)(nil), "0a0178"}, {(*pair)(nil), "0a0178"},
	} {
		v := holder{c.kind, "x"}
		b, err := fxproto.Marshal(v)
		if got := hex.EncodeToString(b); got != c.want || err != nil {
			t.Errorf("%#v: %s, %v, want %s", c.kind, got, err, c.want)
		}
		if n, err := fxproto.Size(v); n != len(b) || err != nil {
			t.Errorf("%#v: size %d, %v", c.kind, n, err)
		}
	}
}

func TestInterfaceErrors(t *testing.T) {
	_, err := fxproto.Marshal(holder{Kind: stranger{}})
	if !errors.Is(err, fxproto.ErrArm) || err.Error() != "fxproto: marshal holder: type is no arm of the oneof (fxproto_test.stranger)" {
		t.Error(err)
	}
	_, err = fxproto.Marshal(unheard{})
	want := "fxproto: marshal fxproto_test.unheard.Kind: the types that fxproto_test.isGogo may hold are not known; " +
		"generate code for the struct with the command fxproto, which finds them and registers them for reflection too"
	if err == nil || err.Error() != want {
		t.Error(err)
	}
}

// TestWrappersMethod reads the arms from a method of the struct.
func TestWrappersMethod(t *testing.T) {
	var v gogo
	if err := fxproto.Unmarshal([]byte("\x0a\x01a"), &v); err != nil || !reflect.DeepEqual(v.Kind, &gogoText{"a"}) {
		t.Errorf("%+v, %v", v, err)
	}
}
