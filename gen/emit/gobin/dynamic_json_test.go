package gobin_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/blob128k"
	"github.com/zmylab/zmy/examples/nested16"
	"github.com/zmylab/zmy/examples/order"
	orderlarge "github.com/zmylab/zmy/examples/order-large"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	orderany "github.com/zmylab/zmy/examples/order-lite-any"
	"github.com/zmylab/zmy/examples/result"
	"github.com/zmylab/zmy/examples/sensor"
	"github.com/zmylab/zmy/examples/session"
	sessionproto "github.com/zmylab/zmy/examples/session-proto"
	"github.com/zmylab/zmy/examples/shapes"
	"github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/examples/user"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dynamic"
)

func sample[T any](f func(*rand.Rand) T) func(*rand.Rand) any {
	return func(r *rand.Rand) any {
		v := f(r)
		return &v
	}
}

// Plain JSON of the examples means what encoding/json writes of the Go values, and
// is read as encoding/json reads it; their messages come and go byte for byte.
func TestDynamicExamples(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, make := range []func(*rand.Rand) any{
		sample(blob128k.SampleBlob), sample(nested16.SampleNode), sample(order.SampleOrder), sample(orderlarge.SampleOrder),
		sample(orderlite.SampleOrder),
		sample(orderany.SampleOrder), sample(result.SampleResult), sample(sensor.SampleSensorData), sample(session.SampleUserSession),
		sample(sessionproto.SampleUserSession),
		sample(shapes.SampleArray100), sample(shapes.SampleColumns100), sample(shapes.SampleTimeNative), sample(shapes.SampleTimeISO),
		sample(shapes.SampleTimeUnixMS),
		sample(sse.SampleSSEEvent), sample(user.SampleUser),
	} {
		typ := reflect.TypeOf(make(r)).Elem()
		s, err := schema.Of(typ)
		if err != nil {
			t.Fatal(typ, err)
		}
		c, err := dynamic.New(s)
		if err != nil {
			t.Fatal(typ, err)
		}
		for range 10 {
			v := make(r)
			b, err := wideOpen.Append(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			roundTripDynamic(t, c, b)
			sameJSON(t, c, b, v)
		}
	}
}

// sameJSON holds plain JSON against encoding/json's of v, whose message is b.
func sameJSON(t *testing.T, c *dynamic.Codec, b []byte, v any) {
	t.Helper()
	got := plainJSON(t, c, b)
	want, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if path := differ(t, got, want); path != "" {
		t.Fatalf("%T differs at %s\n got %.500s\nwant %.500s", v, path, got, want)
	}
	parsed, err := c.ParseJSON(want, dynamic.JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.AppendOptions(nil, parsed, wideOpen)
	if err != nil {
		t.Fatal(err)
	}
	// Both ways back from the same text: by the schema, and by encoding/json.
	back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
	if err := json.Unmarshal(want, back); err != nil {
		t.Fatal(err)
	}
	other, err := wideOpen.Append(nil, back)
	if err != nil {
		t.Fatal(err)
	}
	// Numbers inside any are integers here and float64 there: the same JSON.
	if path := differ(t, plainJSON(t, c, again), plainJSON(t, c, other)); path != "" {
		t.Fatalf("%T: read from the same JSON it differs at %s\n got %x\nwant %x", v, path, again, other)
	}
}

func plainJSON(t *testing.T, c *dynamic.Codec, msg []byte) []byte {
	t.Helper()
	tree, err := c.DecodeOptions(msg, zmy.UnmarshalOptions{MaxWire: 1 << 24})
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.AppendJSON(nil, tree, dynamic.JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// differ compares two JSON texts as values, and says where they differ. What want
// leaves out must be zero in got.
func differ(t *testing.T, got, want []byte) string {
	t.Helper()
	var g, w any
	for _, x := range []struct {
		text []byte
		v    *any
	}{{got, &g}, {want, &w}} {
		d := json.NewDecoder(bytes.NewReader(x.text))
		d.UseNumber()
		if err := d.Decode(x.v); err != nil {
			t.Fatal(err)
		}
	}
	return differAt("$", g, w)
}

func differAt(path string, g, w any) string {
	switch w := w.(type) {
	case map[string]any:
		g, ok := g.(map[string]any)
		if !ok {
			return path
		}
		for k := range w {
			if _, ok := g[k]; !ok {
				return path + "." + k
			}
		}
		for k := range g {
			x, ok := w[k]
			if !ok && zeroJSON(g[k]) {
				continue
			}
			if at := differAt(path+"."+k, g[k], x); at != "" {
				return at
			}
		}
	case []any:
		g, ok := g.([]any)
		if !ok || len(g) != len(w) {
			return path
		}
		for i := range w {
			if at := differAt(fmt.Sprintf("%s[%d]", path, i), g[i], w[i]); at != "" {
				return at
			}
		}
	case json.Number: // which may have been read as float64
		x, ok := g.(json.Number)
		gf, err := x.Float64()
		wf, err2 := w.Float64()
		if !ok || err != nil || err2 != nil || gf != wf {
			return fmt.Sprintf("%s: %v, want %v", path, g, w)
		}
	default:
		if !reflect.DeepEqual(g, w) {
			return fmt.Sprintf("%s: %v, want %v", path, g, w)
		}
	}
	return ""
}

func zeroJSON(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == "" || v == "0001-01-01T00:00:00Z"
	case json.Number:
		return v == "0"
	case []any:
		for _, x := range v {
			if !zeroJSON(x) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, x := range v {
			if !zeroJSON(x) {
				return false
			}
		}
		return true
	}
	return false
}
