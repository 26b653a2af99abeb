//go:build ignore

// Package adapter opens github.com/bytedance/sonic as sonic.Marshal is, or in the configuration that
// keeps encoding/json's contract.
package adapter

import (
	"errors"
	"runtime"

	"github.com/bytedance/sonic"
)

const std = "sonic.ConfigStd"

// Pins returns the name of the configuration.
func Pins() []string { return []string{std} }

// Open returns the functions. It returns an error if sonic would call encoding/json instead.
func Open(pins []string) (func(any) ([]byte, error), func([]byte, any) error, error) {
	if sonic.APIKind != sonic.UseSonicJSON {
		return nil, nil, errors.New("sonic falls back to encoding/json on " + runtime.GOARCH + " with " + runtime.Version())
	}
	api := sonic.ConfigDefault
	if len(pins) > 0 {
		api = sonic.ConfigStd
	}
	return api.Marshal, api.Unmarshal, nil
}
