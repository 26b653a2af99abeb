//go:build ignore

// Package adapter opens encoding/json, in the version that the toolchain builds.
package adapter

import "encoding/json"

// Pins returns nil: the functions take no options.
func Pins() []string { return nil }

// Open returns the package's functions.
func Open([]string) (func(any) ([]byte, error), func([]byte, any) error, error) {
	return json.Marshal, json.Unmarshal, nil
}
