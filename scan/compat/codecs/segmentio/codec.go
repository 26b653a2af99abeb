//go:build ignore

// Package adapter opens github.com/segmentio/encoding/json.
package adapter

import "github.com/segmentio/encoding/json"

// Pins returns nil: Marshal and Unmarshal already keep as near to encoding/json as the library can.
func Pins() []string { return nil }

// Open returns the package's functions.
func Open([]string) (func(any) ([]byte, error), func([]byte, any) error, error) {
	return json.Marshal, json.Unmarshal, nil
}
