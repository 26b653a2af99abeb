//go:build ignore

// Package adapter opens github.com/json-iterator/go as jsoniter.Marshal is, or in the configuration
// that keeps encoding/json's contract.
package adapter

import jsoniter "github.com/json-iterator/go"

// Pins returns the name of the configuration.
func Pins() []string { return []string{"jsoniter.ConfigCompatibleWithStandardLibrary"} }

// Open returns the functions.
func Open(pins []string) (func(any) ([]byte, error), func([]byte, any) error, error) {
	api := jsoniter.ConfigDefault
	if len(pins) > 0 {
		api = jsoniter.ConfigCompatibleWithStandardLibrary
	}
	return api.Marshal, api.Unmarshal, nil
}
