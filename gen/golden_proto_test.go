package gen_test

// protoRoundTrip compares generated code with reflection, both ways.
const protoRoundTrip = `
import (
	"reflect"
	"testing"

	"github.com/zmylab/zmy/fxproto"
)

func TestRoundTrip(t *testing.T) {
	for i, v := range samples {
		b, err := fxproto.MarshalOptions{Deterministic: true}.Marshal(v)
		want, _ := fxproto.MarshalOptions{Deterministic: true, Reflection: true}.Marshal(v)
		if err != nil || string(b) != string(want) {
			t.Errorf("sample %d: %x, %v, want %x", i, b, err, want)
		}
		if _, ok := v.(interface{ SizeProto() (int, error) }); !ok {
			t.Errorf("sample %d: %T has no generated methods", i, v)
		}
		if n, err := fxproto.Size(v); err != nil || n != len(b) {
			t.Errorf("sample %d: size %d, %v, want %d", i, n, err, len(b))
		}
		back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if err := fxproto.Unmarshal(b, back); err != nil || !reflect.DeepEqual(back, v) {
			t.Errorf("sample %d: came back as\n%#v, %v\nwas\n%#v", i, back, err, v)
		}
		if err := fxproto.Unmarshal(nil, back); err != nil || !reflect.ValueOf(back).Elem().IsZero() {
			t.Errorf("sample %d: %#v, %v after an empty message", i, back, err)
		}
		if err := fxproto.Verify(append(b, 7), back); err == nil {
			t.Errorf("sample %d: a bad message is accepted", i)
		}
	}
}
`
