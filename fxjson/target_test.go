package fxjson_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/fxjson"
)

// TestNoTarget passes what cannot be decoded into, for all generated types: nil, a nil pointer, and
// the value itself. The second time, the type's code has been looked up.
func TestNoTarget(t *testing.T) {
	for _, k := range kinds {
		v := k()
		for _, target := range []any{nil, reflect.Zero(reflect.TypeOf(v)).Interface(), reflect.ValueOf(v).Elem().Interface()} {
			for _, doc := range []string{`{}`, `null`, `[`} {
				want := json.Unmarshal([]byte(doc), target)
				for range 2 {
					got := fxjson.Unmarshal([]byte(doc), target)
					if want == nil || got == nil || reflect.TypeOf(got) != reflect.TypeOf(want) || got.Error() != want.Error() {
						t.Errorf("%s into %T: %v, want %v", doc, target, got, want)
					}
				}
			}
		}
	}
}
