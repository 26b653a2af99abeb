package codec_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	"github.com/zmylab/zmy/fxproto"
)

// parcel is a type with numbers for protobuf.
type parcel struct {
	ID     string            `proto:"1"`
	Weight float64           `proto:"2"`
	Sent   time.Time         `proto:"3"`
	Stops  []stop            `proto:"4"`
	Labels map[string]string `proto:"5"`
	Count  int32             `proto:"6"`
	Note   *string           `proto:"7"`
}

type stop struct {
	City string `proto:"1"`
	Held []byte `proto:"2"`
}

func TestFXProtoConformance(t *testing.T) {
	note := ""
	full := parcel{ID: "p-1", Weight: 2.5, Sent: time.Unix(1700000000, 5).UTC(), Stops: []stop{{City: "Oslo", Held: []byte{1}}, {City: "Rom"}},
		Labels: map[string]string{"a": "1", "b": "2"}, Count: -3, Note: &note}
	codectest.RunExcept(t, codec.FXProto{}, codectest.Exceptions{
		"truncated": "the first bytes of a message may be a message",
		"trailing":  "two messages in a row are one, merged",
	}, codectest.Values(full, parcel{Count: 7})...)
}

// TestFXProtoClasses: errors tell a caller's fault from ours.
func TestFXProtoClasses(t *testing.T) {
	c := codec.FXProto{UnmarshalOptions: fxproto.UnmarshalOptions{MaxMemory: 100, MaxDepth: 2, Alias: true}}
	type deep struct {
		Next *deep `proto:"1"`
	}
	for _, x := range []struct {
		err  error
		want codec.Class
	}{
		{c.Unmarshal([]byte{0x0a, 9}, new(parcel)), codec.ClassSyntax},
		{c.Unmarshal([]byte("\n\x02\xff\xff"), new(parcel)), codec.ClassSyntax},
		{c.Unmarshal(append([]byte{0x0a, 120}, make([]byte, 120)...), new(parcel)), codec.ClassLimit},
		{c.Unmarshal([]byte{10, 4, 10, 2, 10, 0}, new(deep)), codec.ClassLimit},
		{c.Unmarshal(nil, nil), codec.ClassType},
		{c.Unmarshal(nil, new(struct{ C chan int })), codec.ClassUnsupported},
		{second(c.Marshal(struct{ C chan int }{})), codec.ClassUnsupported},
		{second(c.Marshal(parcel{ID: "\xff"})), codec.ClassType},
		{second(c.Marshal((*parcel)(nil))), codec.ClassType},
	} {
		if got := codec.ClassOf(x.err); got != x.want {
			t.Errorf("%v has class %v, want %v", x.err, got, x.want)
		}
	}
	b := []byte("\n\x02ab")
	var v parcel
	if err := c.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if copy(b[2:], "zz"); v.ID != "ab" {
		t.Error("Unmarshal shares memory with the message")
	}
	one, err := c.MarshalStable(parcel{Labels: map[string]string{"a": "", "b": "", "c": "", "d": ""}})
	for range 20 {
		other, _ := c.MarshalStable(parcel{Labels: map[string]string{"d": "", "c": "", "b": "", "a": ""}})
		if err != nil || !bytes.Equal(one, other) {
			t.Fatalf("%x, %x, %v", one, other, err)
		}
	}
}

func second(_ []byte, err error) error { return err }
