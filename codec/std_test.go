package codec_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/sensor"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/examples/sse"
)

// values are one sample of each kind of subject.
func values() []any {
	r := rand.New(rand.NewPCG(7, 7))
	return []any{orderlite.SampleOrder(r), sse.SampleSSEEvent(r), sensor.SampleSensorData(r)}
}

// conform runs the checks of c on values. Gob is the one codec here that makes room for whatever a
// message announces, as its documentation says.
func conform(t *testing.T, c codec.Codec) {
	t.Helper()
	var except codectest.Exceptions
	if c.Name() == "gob" && strconv.IntSize == 64 { // where an int has 32 bits, it refuses such lengths
		except = codectest.Exceptions{"lengths": "gob makes a map for as many pairs as a message announces"}
	}
	codectest.RunExcept(t, c, except, codectest.Values(values()...)...)
}

func TestConformance(t *testing.T) {
	for _, c := range []codec.Codec{codec.StdJSON{}, codec.Gob{}} {
		t.Run(c.Name(), func(t *testing.T) { conform(t, c) })
	}
}

func TestGobCarriesInterfaces(t *testing.T) {
	gob.Register(map[string]any{})
	gob.Register([]any{})
	r := rand.New(rand.NewPCG(7, 7))
	codectest.Run(t, codec.Gob{}, codectest.Values(session.SampleUserSession(r), session.SampleUserSession(r))...)
}

func TestStdJSONIsEncodingJSON(t *testing.T) {
	for _, v := range append(values(), "a <b> & c", 1.5, nil, []int(nil)) {
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range map[string]func(any) ([]byte, error){
			"Marshal":       codec.StdJSON{}.Marshal,
			"MarshalStable": codec.StdJSON{}.MarshalStable,
			"AppendMarshal": func(v any) ([]byte, error) { return codec.StdJSON{}.AppendMarshal(nil, v) },
		} {
			if got, err := f(v); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %s, %v; want %s", name, got, err, want)
			}
		}
	}
}

func TestErrorsNameCodecOperationAndType(t *testing.T) {
	var syntax *json.SyntaxError
	err := codec.StdJSON{}.Unmarshal([]byte("{"), &sse.SSEEvent{})
	if want := "codec: json: unmarshal *sse.SSEEvent: unexpected end of JSON input"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if !errors.As(err, &syntax) {
		t.Errorf("%v hides its cause", err)
	}
	_, err = codec.Gob{}.Marshal(make(chan int))
	if err == nil || !strings.HasPrefix(err.Error(), "codec: gob: marshal chan int: ") {
		t.Errorf("%v", err)
	}
	b, err := codec.Gob{}.Marshal(1)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := (codec.Gob{}).Unmarshal(append(b, 0), &n); !errors.Is(err, codec.ErrTrailingData) {
		t.Errorf("%v, want ErrTrailingData", err)
	}
	if err := (codec.Gob{}).Unmarshal(nil, &n); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, want io.ErrUnexpectedEOF", err)
	}
}

// plain has no extensions.
type plain struct{ codec.Codec }

func TestHelpersDoWithoutExtensions(t *testing.T) {
	v := values()[0]
	want, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	c := plain{codec.StdJSON{}}
	got, err := codec.Append(c, []byte("x"), v)
	if err != nil || string(got) != "x"+string(want) {
		t.Errorf("Append: %q, %v", got, err)
	}
	got, err = codec.Append(c, []byte("x"), make(chan int))
	if err == nil || string(got) != "x" {
		t.Errorf("Append of a channel: %q, %v", got, err)
	}
	if m := codec.MediaType(c); m != "application/octet-stream" {
		t.Errorf("MediaType: %s", m)
	}
	if m := codec.MediaType(codec.StdJSON{}); m != "application/json" {
		t.Errorf("MediaType: %s", m)
	}
	if _, err := codec.MarshalStable(c, v); !errors.Is(err, codec.ErrUnsupported) {
		t.Errorf("MarshalStable: %v", err)
	}
	if got, err := codec.MarshalStable(codec.StdJSON{}, v); err != nil || !bytes.Equal(got, want) {
		t.Errorf("MarshalStable: %s, %v", got, err)
	}
	codectest.Run(t, c, codectest.Values(v)...)
	if _, own := codec.Stream(codec.Gob{}, 1).(codec.Gob); !own {
		t.Error("Stream does not use the codec's own form")
	}
}

// Self-contained gobs against the library's own use, the slow twin.
func TestGobMessagesStandAlone(t *testing.T) {
	for _, v := range values() {
		b, err := codec.Gob{}.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got := reflect.New(reflect.TypeOf(v))
		if err := gob.NewDecoder(bytes.NewReader(b)).DecodeValue(got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Elem().Interface(), v) {
			t.Errorf("gob reads %+v, want %+v", got.Elem(), v)
		}
	}
}
