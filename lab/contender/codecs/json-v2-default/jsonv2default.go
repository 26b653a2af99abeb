// Package jsonv2default is the contender encoding/json/v2 with its own options.
package jsonv2default

import "github.com/zmylab/zmy/lab/contender"

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "json-v2-default", Family: "json",
	Text:  "encoding/json/v2 (GOEXPERIMENT=jsonv2) with its own options, which are not version 1's",
	Extra: true,
	Env:   []string{"GOEXPERIMENT=jsonv2"},
	Abilities: contender.JSON.But(contender.Abilities{
		Deterministic: "no; option Deterministic, not measured",
		Validation:    "yes; UTF-8, duplicate names and syntax",
		Streaming:     "yes; jsontext, token by token",
		Licence:       "BSD-3-Clause",
	}),
})
