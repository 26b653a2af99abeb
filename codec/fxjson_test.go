package codec_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	"github.com/zmylab/zmy/examples/blob128k"
	"github.com/zmylab/zmy/examples/nested16"
	"github.com/zmylab/zmy/examples/order"
	orderlarge "github.com/zmylab/zmy/examples/order-large"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	orderliteany "github.com/zmylab/zmy/examples/order-lite-any"
	"github.com/zmylab/zmy/examples/result"
	"github.com/zmylab/zmy/examples/sensor"
	"github.com/zmylab/zmy/examples/session"
	sessionproto "github.com/zmylab/zmy/examples/session-proto"
	"github.com/zmylab/zmy/examples/shapes"
	"github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/examples/user"
)

// subjects draws one value of every subject that goes through all checks.
func subjects(seed uint64) []any {
	r := rand.New(rand.NewPCG(seed, 0))
	return []any{
		nested16.SampleNode(r), order.SampleOrder(r), orderlite.SampleOrder(r), orderliteany.SampleOrder(r),
		result.SampleResult(r), sensor.SampleSensorData(r), session.SampleUserSession(r), sessionproto.SampleUserSession(r),
		shapes.SampleArray100(r), shapes.SampleColumns100(r), shapes.SampleTimeNative(r), shapes.SampleTimeISO(r),
		shapes.SampleTimeUnixMS(r), sse.SampleSSEEvent(r), user.SampleUser(r),
	}
}

// fxjson against encoding/json, its reference: same bytes, same decoded values.
func TestFXJSONIsEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	values := append(subjects(5), blob128k.SampleBlob(r), orderlarge.SampleOrder(r))
	for seed := range uint64(20) {
		values = append(values, subjects(seed)...)
	}
	for _, v := range values {
		want, err := json.Marshal(plainOf(v))
		if err != nil {
			t.Fatal(err)
		}
		got, err := codec.FXJSON{}.Marshal(v)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%T (%v):\n got %.2000s\nwant %.2000s", v, err, got, want)
		}
		a, b := reflect.New(reflect.TypeOf(v)), reflect.New(plainType(reflect.TypeOf(v)))
		if err := (codec.FXJSON{}).Unmarshal(want, a.Interface()); err != nil {
			t.Fatalf("%T: %v", v, err)
		}
		if err := json.Unmarshal(want, b.Interface()); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a.Elem().Interface(), b.Elem().Convert(a.Type().Elem()).Interface()) {
			t.Fatalf("%T decodes to\n%+v, want\n%+v", v, a.Elem(), b.Elem())
		}
	}
}

func TestFXJSONConformance(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	codectest.Run(t, codec.FXJSON{}, codectest.Values(append(values(), user.SampleUser(r), nested16.SampleNode(r))...)...)
}

// plainType is a struct type with the fields of t and none of its methods, so
// that encoding/json finds no generated ones at the root.
func plainType(t reflect.Type) reflect.Type {
	fields := make([]reflect.StructField, t.NumField())
	for i := range fields {
		fields[i] = t.Field(i)
	}
	return reflect.StructOf(fields)
}

func plainOf(v any) any {
	return reflect.ValueOf(v).Convert(plainType(reflect.TypeOf(v))).Interface()
}
