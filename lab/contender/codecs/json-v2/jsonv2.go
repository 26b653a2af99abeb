// Package jsonv2 is the contender encoding/json version 2, from the module
// github.com/go-json-experiment/json.
package jsonv2

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "json-v2", Family: "json",
	Text: "encoding/json version 2 (go-json-experiment) with version 1's options",
	Adopt: &run.Adopt{Import: "github.com/go-json-experiment/json", Imports: []string{`jsonv1 "github.com/go-json-experiment/json/v1"`},
		Marshal: "json.Marshal(v, jsonv1.DefaultOptionsV1())", Unmarshal: "json.Unmarshal(b, &v, jsonv1.DefaultOptionsV1())"},
	Abilities: contender.JSON.But(contender.Abilities{
		Validation: "partly; as version 1, whose options these are",
		Streaming:  "yes; jsontext, token by token",
		Licence:    "BSD-3-Clause",
		Released:   "2026-11-07",
	}),
})
