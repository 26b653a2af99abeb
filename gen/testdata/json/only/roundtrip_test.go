package only

import (
	"encoding/json"
	"testing"

	"github.com/zmylab/zmy/fxjson"
)

func TestDecodeOnly(t *testing.T) {
	doc := []byte(`{"id":"a","lines":{"Items":[1,2]}}`)
	for _, unmarshal := range []func([]byte, any) error{json.Unmarshal, fxjson.Unmarshal} {
		var o Order
		if err := unmarshal(doc, &o); err != nil || len(o.Lines.Items) != 2 {
			t.Errorf("%+v, %v", o, err)
		}
		if b, err := json.Marshal(o); string(b) != string(doc) || err != nil { // by itself, as there is no MarshalJSON
			t.Errorf("%s, %v", b, err)
		}
	}
	var l List[int]
	if err := DecodeListIntJSON([]byte(`{"Items":[3]}`), &l); err != nil || l.Items[0] != 3 {
		t.Errorf("%+v, %v", l, err)
	}
	if b, err := fxjson.Marshal(Order{}); err == nil {
		t.Errorf("marshaled %s", b)
	}
}
