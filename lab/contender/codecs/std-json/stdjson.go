// Package stdjson is the contender encoding/json, the baseline of every table.
package stdjson

import "github.com/zmylab/zmy/lab/contender"

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "std-json", Family: "json",
	Text: "encoding/json of the standard library, version 1: the baseline",
	Abilities: contender.JSON.But(contender.Abilities{Validation: "partly; syntax is checked, invalid UTF-8 is replaced",
		Licence: "BSD-3-Clause"}),
})
