//go:build labonly

package main

import (
	"context"
	"errors"
)

// services are commands in whose place an error says how to get them.
func services() []command {
	missing := func(context.Context, *console, []string) error {
		return &exit{errors.New("this program was built with -tags labonly: build it without"), exitUsage}
	}
	return []command{{"serve", "", missing}, {"load", "", missing}}
}

const untilEOF = "" // only package load starts programs that end with their standard input
