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
	var all []command
	for _, name := range []string{"scan", "compat", "adopt", "serve", "load"} {
		all = append(all, command{name, "", missing})
	}
	return all
}

const untilEOF = "" // only package load starts programs that end with their standard input

// buildTags are the tags of this build, for a command that repeats it.
const buildTags = "labonly"
