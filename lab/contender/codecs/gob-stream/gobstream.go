// Package gobstream is the contender encoding/gob as one long stream.
package gobstream

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/gob"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "gob-stream", Family: "binary", Extra: true,
	Text:      "encoding/gob as one stream whose types were exchanged before",
	Unranked:  "it needs one ordered stream from end to end: a message alone cannot be decoded",
	Abilities: gob.Info.Abilities,
})
