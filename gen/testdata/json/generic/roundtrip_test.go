package generic

import (
	"encoding/json"
	"reflect"
	"testing"
)

// Instances of generic types have functions instead of methods.
func TestRoundTrip(t *testing.T) {
	round(t, 0, AppendPageOrderJSON, DecodePageOrderJSON)
	round(t, 1, AppendPairStringMapStringOrderJSON, DecodePairStringMapStringOrderJSON)
	round(t, 2, AppendTreeIntJSON, DecodeTreeIntJSON)
}

func round[T any](t *testing.T, sample int, appendTo func([]byte, *T) ([]byte, error), decode func([]byte, *T) error) {
	v := samples[sample].(*T)
	want, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := appendTo([]byte("x"), v)
	if err != nil || string(got) != "x"+string(want) {
		t.Errorf("marshaled %s, %v; encoding/json %s", got, err, want)
	}
	var back, wantBack T
	if err := decode(want, &back); err != nil {
		t.Error(err)
	}
	if err := json.Unmarshal(want, &wantBack); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, wantBack) {
		t.Errorf("unmarshaled %+v, encoding/json %+v", back, wantBack)
	}
}
