package zmyreflect

import (
	"encoding/json"
	"reflect"

	"github.com/zmylab/zmy/wire"
)

// Values of types without a form of their own are carried as encoding/json writes them. Readers in
// other languages see raw JSON. The zero value takes no bytes.

// AppendJSON appends the JSON form of the value that p points to.
func AppendJSON(b []byte, p any) ([]byte, *wire.Error) {
	if reflect.ValueOf(p).Elem().IsZero() {
		return b, nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		return b, wire.FailMethod(err)
	}
	return append(b, text...), nil
}

// DecodeJSON stores the JSON text b into the value that p points to. If b is empty that is zero.
func DecodeJSON(b []byte, p any) *wire.Error {
	reflect.ValueOf(p).Elem().SetZero()
	if len(b) == 0 {
		return nil
	}
	if err := json.Unmarshal(b, p); err != nil {
		return wire.FailMethod(err)
	}
	return nil
}

type fxAppender interface{ AppendJSON([]byte) ([]byte, error) }

var (
	marshalJSON   = reflect.TypeFor[json.Marshaler]()
	unmarshalJSON = reflect.TypeFor[json.Unmarshaler]()
	fxGenerated   = reflect.TypeFor[fxAppender]()
)
