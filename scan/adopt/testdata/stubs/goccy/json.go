// Package json has the declarations of goccy/go-json that the tests of adopt need.
package json

import (
	"context"
	"encoding/json"
)

type RawMessage = json.RawMessage

func Marshal(v any) ([]byte, error)         { return nil, nil }
func MarshalNoEscape(v any) ([]byte, error) { return nil, nil }
func Unmarshal(data []byte, v any) error    { return nil }

func MarshalContext(ctx context.Context, v any) ([]byte, error) { return nil, nil }
