// Package bebop is a contender that could not be measured: Bebop for Go, whose module could not be
// downloaded when this version was made.
package bebop

import "github.com/zmylab/zmy/lab/contender"

// Info is the contender, as described by its documentation.
var Info = contender.Unavailable(contender.Info{
	Name: "bebop", Family: "binary", Text: "Bebop for Go",
	Abilities: contender.Abilities{
		Evolution: "partly; messages, not structs",
		Languages: "yes; Bebop",
		Maps:      "yes",
		Any:       "no",
		Licence:   "Apache-2.0",
		Released:  "unknown",
	},
}, "github.com/200sc/bebop", "latest", "2026-11-23")
