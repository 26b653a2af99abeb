package codec_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/codec"
)

// FuzzZMY: bytes from anywhere are refused or become a value whose encoding is
// final: marshalled, read and marshalled again it does not change. (The input
// itself may differ from it: an older version's message is upgraded once.)
func FuzzZMY(f *testing.F) {
	kinds := subjects(0)
	for i, v := range kinds {
		b, err := codec.ZMY{}.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(byte(i), b)
		f.Add(byte(i), b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, kind byte, in []byte) {
		typ := reflect.TypeOf(kinds[int(kind)%len(kinds)])
		c := codec.ZMY{}
		v := reflect.New(typ).Interface()
		if c.Unmarshal(in, v) != nil {
			return
		}
		once, err := c.Marshal(v)
		if err != nil {
			t.Fatalf("%v: accepted but not marshalled: %v\n%x", typ, err, in)
		}
		w := reflect.New(typ).Interface()
		if err := c.Unmarshal(once, w); err != nil {
			t.Fatalf("%v: own bytes refused: %v\n%x\n%x", typ, err, in, once)
		}
		twice, err := c.Marshal(w)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%v: encoding changes (%v):\n%x\n%x\n%x", typ, err, in, once, twice)
		}
	})
}

// FuzzFXJSON: on any document fxjson accepts what encoding/json accepts and
// stores the same, into the types of all subjects.
func FuzzFXJSON(f *testing.F) {
	kinds := subjects(0)
	for i, v := range kinds {
		b, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(byte(i), b)
		f.Add(byte(i), bytes.ReplaceAll(b, []byte(`":`), []byte(`" : `)))
		f.Add(byte(i), bytes.ToUpper(b))
	}
	f.Fuzz(func(t *testing.T, kind byte, in []byte) {
		typ := reflect.TypeOf(kinds[int(kind)%len(kinds)])
		got, want := reflect.New(typ), reflect.New(plainType(typ))
		gotErr := codec.FXJSON{}.Unmarshal(in, got.Interface())
		wantErr := json.Unmarshal(in, want.Interface())
		if (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("%v: fxjson says %v, encoding/json %v\n%q", typ, gotErr, wantErr, in)
		}
		if plain := want.Elem().Convert(typ).Interface(); !reflect.DeepEqual(got.Elem().Interface(), plain) {
			t.Fatalf("%v: fxjson stores\n%+v\nencoding/json\n%+v\n%q", typ, got.Elem(), plain, in)
		}
	})
}
