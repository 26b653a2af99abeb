package generic

import (
	"reflect"
	"testing"
)

// Instances of generic types have functions instead of methods.
func TestRoundTrip(t *testing.T) {
	for _, v := range samples {
		b, err := AppendZMYPageOrder(nil, v.(*Page[Order]))
		if err != nil {
			t.Fatal(err)
		}
		var back Page[Order]
		if err := UnmarshalZMYPageOrder(b, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(&back, v) {
			t.Errorf("came back as %+v, was %+v", back, v)
		}
	}
}
