// Package rawjson is the contender json.RawMessage, a document that was rendered before.
package rawjson

import "github.com/zmylab/zmy/lab/contender"

// Info is the contender.
var Info = contender.Document(contender.Info{
	Name: "raw-json", Family: "json",
	Text:     "json.RawMessage: a document that was rendered before, checked once more by encoding/json",
	Unranked: "the document was rendered before, and is not read into a value of your type",
	Abilities: contender.JSON.But(contender.Abilities{
		Any:           "yes; as text",
		Time:          "n/a; a document has no times",
		Deterministic: "yes; the document as it was",
		ZeroCopy:      "yes; the document is not read",
		Validation:    "yes; syntax is checked",
		Licence:       "BSD-3-Clause",
	}),
})
