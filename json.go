package zmy

import (
	"github.com/zmylab/zmy/internal/zmyreflect"
	"github.com/zmylab/zmy/wire"
)

// AppendJSON appends what encoding/json writes for the value that p points to, and nothing if that
// is the zero value. Generated code calls it for types that are carried as JSON.
func AppendJSON(b []byte, p any) ([]byte, *wire.Error) { return zmyreflect.AppendJSON(b, p) }

// DecodeJSON stores the JSON text b into the value that p points to. Generated code calls it; b is
// not kept.
func DecodeJSON(b []byte, p any) *wire.Error { return zmyreflect.DecodeJSON(b, p) }
