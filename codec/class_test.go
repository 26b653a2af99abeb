package codec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/wire"
)

// Errors as codecs really return them, one table for all codecs.
func TestClassOf(t *testing.T) {
	var event sse.SSEEvent
	registry := codec.NewRegistry(codec.StdJSON{})
	second := func(_ any, err error) error { return err }
	js, fx, gb, zm := codec.StdJSON{}, codec.FXJSON{}, codec.Gob{}, codec.ZMY{}
	text := struct{ N string }{"text"}
	long := sse.SSEEvent{Data: strings.Repeat("x", 1<<20)}
	number := &struct{ N int }{}
	gobText, err := gb.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	message, err := zm.Marshal(sse.SSEEvent{Event: "tick"})
	if err != nil {
		t.Fatal(err)
	}
	deep := bytes.Repeat([]byte("["), 20_000)
	for _, k := range []struct {
		err  error
		want codec.Class
	}{
		{nil, codec.ClassNone},
		{io.EOF, codec.ClassNone},
		{js.Unmarshal([]byte("{"), &event), codec.ClassSyntax},
		{js.Unmarshal([]byte("{} {}"), &event), codec.ClassSyntax},
		{js.Unmarshal(nil, &event), codec.ClassSyntax},
		{js.Unmarshal([]byte(`{"N":"x"}`), number), codec.ClassType},
		{js.Unmarshal([]byte(`{}`), nil), codec.ClassType},
		{js.Unmarshal([]byte(`{}`), (*sse.SSEEvent)(nil)), codec.ClassType},
		{js.Unmarshal(deep, new(any)), codec.ClassLimit},
		{second(js.Marshal(make(chan int))), codec.ClassUnsupported},
		{second(js.Marshal(math.NaN())), codec.ClassUnsupported},
		{second(js.Marshal(failing{})), codec.ClassOther},
		{fx.Unmarshal([]byte("{"), &event), codec.ClassSyntax},
		{fx.Unmarshal([]byte(`{"N":"x"}`), number), codec.ClassType},
		{fx.Unmarshal([]byte(`{}`), nil), codec.ClassType},
		{second(fx.Marshal(make(chan int))), codec.ClassUnsupported},
		{gb.Unmarshal(gobText, number), codec.ClassType},
		{gb.Unmarshal(gobText[:len(gobText)-1], &text), codec.ClassSyntax},
		{gb.Unmarshal(append(gobText[:len(gobText):len(gobText)], 0), &text), codec.ClassSyntax},
		{gb.Unmarshal(gobText, nil), codec.ClassType},
		{zm.Unmarshal(message[:len(message)-1], &event), codec.ClassSyntax},
		{zm.Unmarshal(message, nil), codec.ClassType},
		{zm.Unmarshal(message, (*sse.SSEEvent)(nil)), codec.ClassType},
		{zm.Unmarshal(make([]byte, 1<<20), &event), codec.ClassLimit},
		{second(zm.Marshal(long)), codec.ClassLimit},
		{second(zm.Marshal((*sse.SSEEvent)(nil))), codec.ClassType},
		{second(zm.Marshal(make(chan int))), codec.ClassUnsupported},
		{&zmy.DecodeError{Err: wire.ErrVersion}, codec.ClassSchema},
		{&zmy.DecodeError{Err: wire.ErrDepth}, codec.ClassLimit},
		{second(zmy.Open([]byte("no envelope, but long enough to be one"))), codec.ClassSyntax},
		{second(registry.Lookup("x")), codec.ClassUnsupported},
		{second(codec.MarshalStable(gb, 1)), codec.ClassUnsupported},
		{codec.Framed(js, 10).NewEncoder(io.Discard).Encode(long), codec.ClassLimit},
		{codec.Framed(js, 10).NewDecoder(strings.NewReader("\xff\xff\x01")).Decode(&event), codec.ClassLimit},
		{codec.Framed(js, 10).NewDecoder(strings.NewReader("\x05{}")).Decode(&event), codec.ClassSyntax},
		{fmt.Errorf("the request: %w", context.Canceled), codec.ClassCanceled},
		{errors.Join(context.DeadlineExceeded, io.ErrUnexpectedEOF), codec.ClassCanceled},
		{codec.ErrPanicked, codec.ClassPanic},
		{errors.New("anything"), codec.ClassOther},
		{codec.NewError(js, codec.OpMarshal, 1, codec.WithClass(codec.ClassSchema, errors.New("x"))), codec.ClassSchema},
	} {
		if got := codec.ClassOf(k.err); got != k.want {
			t.Errorf("%v, want %v: %v", got, k.want, k.err)
		}
	}
}

// failing has a method that fails.
type failing struct{}

func (failing) MarshalJSON() ([]byte, error) { return nil, errors.New("not today") }

func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for c := range codec.Class(codec.NumClasses) {
		seen[c.String()] = true
	}
	for o := range codec.Op(codec.NumOps) {
		seen[o.String()] = true
	}
	if len(seen) != codec.NumClasses+codec.NumOps {
		t.Errorf("words are missing or double: %v", seen)
	}
	if got := codec.Class(200).String() + codec.Op(200).String(); got != "otherunknown" {
		t.Errorf("values of a later version: %s", got)
	}
	err := codec.WithClass(codec.ClassSchema, io.ErrUnexpectedEOF)
	if !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != io.ErrUnexpectedEOF.Error() || codec.WithClass(codec.ClassLimit, nil) != nil {
		t.Errorf("WithClass changes more than the class: %v", err)
	}
	var syntax *json.SyntaxError
	if err := codec.NewError(codec.StdJSON{}, codec.OpDecode, 1, &json.SyntaxError{}); !errors.As(err, &syntax) {
		t.Errorf("%v hides its cause", err)
	}
}
