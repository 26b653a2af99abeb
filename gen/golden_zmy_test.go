package gen_test

// zmyRoundTrip marshals and unmarshals, and marshals again to the same bytes.
const zmyRoundTrip = `
import (
	"reflect"
	"testing"

	"github.com/zmylab/zmy"
)

func TestRoundTrip(t *testing.T) {
	for i, v := range samples {
		b, err := zmy.Marshal(v)
		if err != nil {
			t.Errorf("sample %d: %v", i, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(v).Elem())
		if err := zmy.Unmarshal(b, back.Interface()); err != nil {
			t.Errorf("sample %d: %v", i, err)
		}
		again, err := zmy.Marshal(back.Interface())
		if err != nil || string(again) != string(b) {
			t.Errorf("sample %d: marshaled again: %x, %v; at first %x", i, again, err, b)
		}
		if !reflect.DeepEqual(back.Interface(), v) {
			t.Errorf("sample %d: came back as\n%#v\nwas\n%#v", i, back.Elem(), reflect.ValueOf(v).Elem())
		}
	}
}
`
