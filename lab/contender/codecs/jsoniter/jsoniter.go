// Package jsoniter is the contender github.com/json-iterator/go.
package jsoniter

import (
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Reflective(contender.Info{
	Name: "jsoniter", Family: "json", Extra: true,
	Text: "json-iterator/go, ConfigCompatibleWithStandardLibrary",
	Adopt: &run.Adopt{Import: `jsoniter "github.com/json-iterator/go"`,
		Marshal:   "jsoniter.ConfigCompatibleWithStandardLibrary.Marshal(v)",
		Unmarshal: "jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal(b, &v)"},
	Abilities: contender.JSON.But(contender.Abilities{Licence: "MIT", Released: "2021-09-11"}),
})
