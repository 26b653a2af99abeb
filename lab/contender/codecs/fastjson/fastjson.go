// Package fastjson is the contender github.com/valyala/fastjson.
package fastjson

import "github.com/zmylab/zmy/lab/contender"

// Info is the contender.
var Info = contender.Document(contender.Info{
	Name: "fastjson", Family: "json",
	Text:     "valyala/fastjson: a tree of the document, numbers not yet read",
	Unranked: "it makes a tree of the document, no value of your type",
	Abilities: contender.JSON.But(contender.Abilities{
		Any:           "yes; as text",
		Time:          "n/a; a tree has no times",
		Deterministic: "yes; the order of the document",
		ZeroCopy:      "partly; strings without escapes share the copy that it makes",
		Validation:    "partly; numbers are not read",
		Streaming:     "partly; Scanner over one string",
		Licence:       "MIT",
		Released:      "2026-02-21",
	}),
})
