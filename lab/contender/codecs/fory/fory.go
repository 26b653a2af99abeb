// Package fory is a contender that could not be measured: Apache Fory, whose module could not be
// downloaded when this version was made.
package fory

import "github.com/zmylab/zmy/lab/contender"

// Info is the contender, as described by its documentation.
var Info = contender.Unavailable(contender.Info{
	Name: "fory", Family: "binary", Text: "Apache Fory",
	Abilities: contender.Abilities{
		Evolution: "yes; compatible mode",
		Languages: "yes; Fory",
		Maps:      "yes",
		Any:       "yes; types are registered",
		ZeroCopy:  "partly; out-of-band buffers",
		Licence:   "Apache-2.0",
		Released:  "unknown",
	},
}, "github.com/apache/fory/go/fory")
