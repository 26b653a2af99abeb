package gen_test

// jsonRoundTrip compares generated code with encoding/json, which sees the
// same types without their generated methods having a say.
const jsonRoundTrip = `
import (
	encjson "encoding/json"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/fxjson"
)

func TestRoundTrip(t *testing.T) {
	for i, v := range samples {
		want, err := encjson.Marshal(v)
		if err != nil {
			t.Fatalf("sample %d: encoding/json: %v", i, err)
		}
		got, err := fxjson.Marshal(v)
		if err != nil {
			t.Errorf("sample %d: %v", i, err)
			continue
		}
		if string(got) != string(want) {
			t.Errorf("sample %d: marshaled\n%s\nencoding/json\n%s", i, got, want)
		}
		back, wantBack := reflect.New(reflect.TypeOf(v).Elem()), reflect.New(reflect.TypeOf(v).Elem())
		gotErr, wantErr := fxjson.Unmarshal(want, back.Interface()), encjson.Unmarshal(want, wantBack.Interface())
		if (gotErr == nil) != (wantErr == nil) {
			t.Errorf("sample %d: unmarshal: %v, encoding/json: %v", i, gotErr, wantErr)
		}
		if !reflect.DeepEqual(back.Interface(), wantBack.Interface()) {
			t.Errorf("sample %d: unmarshaled\n%#v\nencoding/json\n%#v", i, back.Elem(), wantBack.Elem())
		}
	}
}
`
