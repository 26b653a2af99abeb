// Package segmentio is the contender github.com/segmentio/encoding/json.
package segmentio

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "segmentio", Family: "json", Extra: true,
	Text:      "segmentio/encoding/json",
	Adopt:     &run.Adopt{Import: "github.com/segmentio/encoding/json", Same: true},
	Abilities: contender.JSON.But(contender.Abilities{ZeroCopy: "yes; mode alias", Licence: "MIT", Released: "2026-03-10"}),
})
