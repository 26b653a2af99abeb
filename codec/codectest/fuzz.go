package codectest

import (
	"reflect"
	"testing"

	"github.com/zmylab/zmy/codec"
)

// Fuzz lets c read arbitrary bytes into a T. c must refuse them, or return a value that it can
// write and read back unchanged, by [reflect.DeepEqual]. The corpus begins with the messages of
// seeds, whole and cut in half. T should have no floats, since NaN does not equal itself.
func Fuzz[T any](f *testing.F, c codec.Codec, seeds ...any) {
	f.Helper()
	for _, v := range seeds {
		b, err := c.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var v, w T
		if c.Unmarshal(in, &v) != nil {
			return
		}
		b, err := c.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Unmarshal(b, &w); err != nil || !reflect.DeepEqual(v, w) {
			t.Fatalf("%v\n%+v\n%+v", err, v, w)
		}
	})
}
